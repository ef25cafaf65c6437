//! Facts about a clip besides its motion.

use dopesheet_core::model::{Clip, Looping};

/// Options of [`set`]; `None` leaves a fact as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set {
    /// Name of the clip.
    pub name: Option<String>,
    /// Name of the model that the motion is for.
    pub model_name: Option<String>,
    /// Behaviour of a player at the end.
    pub looping: Option<Looping>,
}

/// Changes stated facts about a clip; keys and markers stay.
pub fn set(clip: &mut Clip, options: &Set) {
    if let Some(name) = &options.name {
        clip.name = Some(name.clone());
    }
    if let Some(model) = &options.model_name {
        clip.made_for = Some(model.clone());
    }
    if let Some(looping) = options.looping {
        clip.looping = looping;
    }
}
