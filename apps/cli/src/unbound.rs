//! The warning about a motion some of whose targets its model lacks.

use crate::console;
use dopesheet::{Error, NameMap, Opened};

/// Says on standard error how many targets of a motion a model has, if it lacks some.
pub(crate) fn say(motion: &Opened, model: Option<&Opened>, names: &NameMap) -> Result<(), Error> {
    let Some(model) = model else { return Ok(()) };
    let binding = dopesheet::binding(motion, model, names)?;
    if !binding.unbound.is_empty() {
        console::say(&format!("warning: {}; `dopesheet info -m` lists the others", binding.counts()));
    }
    Ok(())
}
