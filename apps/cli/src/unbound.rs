//! The warning about a motion with targets that its model lacks.

use crate::console;
use dopesheet::{Error, NameMap, Opened};

/// Prints to standard error the number of a motion's targets in a model, if the model lacks some.
pub(crate) fn say(motion: &Opened, model: Option<&Opened>, names: &NameMap) -> Result<(), Error> {
    let Some(model) = model else { return Ok(()) };
    let binding = dopesheet::binding(motion, model, names)?;
    if !binding.unbound.is_empty() {
        console::say(&format!("warning: {}; `dopesheet info -m` lists the others", binding.counts()));
    }
    Ok(())
}
