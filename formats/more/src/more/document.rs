//! The file as stored.

use super::actor::ActorModel;
use super::animation::Animation;
use super::clip::Clip;
use super::interpretation::Interpretation;
use dopesheet_core::bytes::Endian;
use std::collections::BTreeMap;

/// A `ubi` resource file: all contents of its bytes, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Byte order of all numbers, from the magic.
    pub endian: Endian,
    /// The version for the layout of everything in the file; 0x00 to 0x11 are known.
    pub version: u32,
    /// Content of the file.
    pub resource: Resource,
    /// Whatever stands behind the resource.
    pub trailing: Vec<u8>,
    /// Animations of other files referred to by a clip, by their paths, as far as available. They are no part
    /// of the file.
    pub linked: BTreeMap<String, Animation>,
    /// Choices for the inferred parts of the format. They are no part of the file.
    pub assumed: Interpretation,
}

impl Document {
    /// A little-endian file of the newest known version.
    #[must_use]
    pub const fn new(resource: Resource) -> Self {
        Self {
            endian: Endian::Little,
            version: super::layout::NEWEST,
            resource,
            trailing: Vec::new(),
            linked: BTreeMap::new(),
            assumed: Interpretation::PLAIN,
        }
    }

    /// The animation in the file; `None` for other resources.
    #[must_use]
    pub const fn animation(&self) -> Option<&Animation> {
        match &self.resource {
            Resource::Animation(animation) => Some(animation),
            _ => None,
        }
    }
}

/// Content of a resource file.
#[derive(Clone, Debug, PartialEq)]
pub enum Resource {
    /// `MORE::Animation`
    Animation(Animation),
    /// `MORE::Clip`
    Clip(Clip),
    /// `MOREActor::ActorModel`
    Actor(ActorModel),
    /// Anything else.
    Opaque(Opaque),
}

impl Resource {
    /// The class name in the file.
    #[must_use]
    pub fn class(&self) -> &str {
        match self {
            Self::Animation(_) => ANIMATION,
            Self::Clip(_) => CLIP,
            Self::Actor(_) => ACTOR,
            Self::Opaque(opaque) => &opaque.class,
        }
    }
}

/// Class name of animations.
pub const ANIMATION: &str = "MORE::Animation";
/// Class name of clips.
pub const CLIP: &str = "MORE::Clip";
/// Class name of actors.
pub const ACTOR: &str = "MOREActor::ActorModel";

/// A resource kept unchanged, without an interpretation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opaque {
    /// Its class.
    pub class: String,
    /// Everything behind the class name.
    pub bytes: Vec<u8>,
    /// Reason why the resource is not interpreted.
    pub why: WhyOpaque,
}

/// Reason why a resource is kept without an interpretation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyOpaque {
    /// Its class does not belong to this family.
    UnknownClass,
    /// It has parts of undocumented length: bones and emitters of actors since version 0x8.
    UndocumentedParts,
    /// The resource is damaged, and was read leniently.
    Damaged,
}

impl WhyOpaque {
    /// The reason in words.
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::UnknownClass => "its class is not one of animations, clips and actors",
            Self::UndocumentedParts => {
                "it has bones or emitters in the form of version 0x8, which is undocumented"
            }
            Self::Damaged => "it is damaged",
        }
    }
}
