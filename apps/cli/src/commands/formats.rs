//! `dopesheet formats`

use crate::args::FormatsArgs;
use crate::console;
use crate::outcome::Outcome;
use dopesheet::Error;
use dopesheet::registry::{self, HOW_TO_GET_ALL};

/// Runs `formats`: describes all formats, in text or as a JSON object each.
pub(crate) fn run(args: &FormatsArgs) -> Result<Outcome, Error> {
    for format in registry::formats() {
        let info = format.info();
        if args.json {
            console::line(&dopesheet::json::format_to_json(info).to_string())?;
            continue;
        }
        let can = [
            ("writes", info.capabilities.writes),
            ("attaches (--into)", info.capabilities.attaches),
            ("packs files", dopesheet::archive::packs(*format)),
        ];
        let can: Vec<_> = ["reads"].into_iter().chain(can.into_iter().filter(|c| c.1).map(|c| c.0)).collect();
        let extensions: Vec<_> = info.extensions.iter().map(|e| format!(".{e}")).collect();
        console::line(&format!(
            "{:<17} {} ({}): {}",
            info.id,
            info.name,
            extensions.join(" "),
            can.join(", ")
        ))?;
        for variant in info.variants {
            console::line(&format!("{:<17}   {}@{}: {}", "", info.id, variant.name, variant.about))?;
        }
        for word in format.variant_words() {
            console::line(&format!("{:<17}   {}@…,{}: {}", "", info.id, word.name, word.about))?;
        }
        for fact in format.assumable() {
            console::line(&format!("{:<17}   --assume {}=…: {}", "", fact.word, fact.about))?;
        }
    }
    for format in registry::optional().iter().filter(|format| !format.is_built() && !args.json) {
        let extensions: Vec<_> = format.extensions.iter().map(|e| format!(".{e}")).collect();
        console::line(&format!(
            "{:<17} {} ({}): not in this build, which lacks the feature {}; get it with `{HOW_TO_GET_ALL}`",
            format.id,
            format.name,
            extensions.join(" "),
            format.feature
        ))?;
    }
    Ok(Outcome::Done)
}
