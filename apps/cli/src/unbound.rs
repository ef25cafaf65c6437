//! The warning about a motion with targets that its model lacks, and the refusal if most of them are missing.

use crate::args::ModelArgs;
use crate::console;
use dopesheet::{Error, NameMap, Opened, binding::Lost, open::file_stem};
use std::io;

/// Prints to standard error the number of a motion's targets in a model, if the model lacks some.
pub(crate) fn say(motion: &Opened, model: Option<&Opened>, names: &NameMap) -> Result<(), Error> {
    let Some(model) = model else { return Ok(()) };
    let binding = dopesheet::binding(motion, model, names)?;
    if !binding.unbound.is_empty() {
        console::say(&format!("warning: {}; `dopesheet info -m` lists the others", binding.counts()));
    }
    Ok(())
}

/// The error about a motion that its model loses, with the conversion that puts it onto the model's figure.
pub(crate) fn explained(error: Error, args: &ModelArgs) -> Error {
    let (Error::Lost(lost), Some(path)) = (&error, &args.model) else { return error };
    // The puppet's file has a name that no option takes.
    let lost = Lost { onto: path.display().to_string(), ..(**lost).clone() };
    let text = match lost.is_figure {
        true => format!("{lost}: `{}`", conversion(&lost.motion, &lost.onto)),
        false => format!("{lost}; --map FILE says which name is which"),
    };
    Error::Io { path: lost.motion.into(), source: io::Error::other(text) }
}

/// The conversion of a motion onto a model, as a line for a shell.
fn conversion(motion: &str, model: &str) -> String {
    let output = format!("{}-{}.glb", file_stem(motion), file_stem(model));
    let [motion, model, output] = [motion, model, &output]
        .map(|name| shlex::try_quote(name).map_or_else(|_| name.to_owned(), String::from));
    format!("dopesheet convert {motion} --onto {model} -o {output}")
}
