//! The warning about a motion with targets that its model lacks, and the refusal if most of them are missing.

use crate::args::ModelArgs;
use crate::console;
use dopesheet::vocabularies::{Vocabularies, other_vocabulary};
use dopesheet::{Error, Finding, NameMap, Opened, Severity, binding::Lost};
use std::io;

/// Prints to standard error that a motion is put onto its model as onto another figure, or else the number of
/// its targets in the model, if the model lacks some.
pub(crate) fn say(motion: &Opened, model: Option<&Opened>, names: &NameMap) -> Result<(), Error> {
    let Some(model) = model else { return Ok(()) };
    let binding = dopesheet::binding(motion, model, names)?;
    if binding.unbound.is_empty() {
        return Ok(());
    }
    if !goes_onto(motion, model, names) {
        console::say(&format!("warning: {}; `dopesheet info -m` lists the others", binding.counts()));
    }
    Ok(())
}

/// True if a motion is put onto its model as onto another figure; the remark about that is printed to standard
/// error.
pub(crate) fn goes_onto(motion: &Opened, model: &Opened, names: &NameMap) -> bool {
    let remark = other_vocabulary(motion, model, names, Vocabularies::default());
    remark.is_some_and(|fault| {
        console::say(&Finding { severity: Severity::Info, fault, subject: None }.to_string());
        true
    })
}

/// The error about a motion that its model loses, with the option that maps names.
pub(crate) fn explained(error: Error, args: &ModelArgs) -> Error {
    let (Error::Lost(lost), Some(path)) = (&error, &args.model) else { return error };
    // The puppet's file has a name that no option takes.
    let lost = Lost { onto: path.display().to_string(), ..(**lost).clone() };
    let text = format!("{lost}; --map FILE says which name is which");
    Error::Io { path: lost.motion.into(), source: io::Error::other(text) }
}
