//! An animation file as stored: its text, and the meaning of the text.

use dopesheet_core::bytes::json::NumberStyle;

/// An animation file.
///
/// The document keeps the text from which it was read. Unedited, the same text is written back; after an edit
/// through [`Document::animation_mut`] only the text of edited values changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    pub(super) source: Option<String>,
    pub(super) animation: Animation,
    pub(super) edited: bool,
    /// True if the text was read leniently, so that it contains more than `animation`.
    pub(super) damaged: bool,
    pub(super) numbers: NumberStyle,
}

impl Document {
    /// A document without a text from a file. Its whole text is written without white space, in the order of
    /// members of the vendor's exporter.
    #[must_use]
    pub const fn new(animation: Animation) -> Self {
        Self { source: None, animation, edited: false, damaged: false, numbers: NumberStyle::ShortestF64 }
    }

    /// The animation in the file.
    #[must_use]
    pub const fn animation(&self) -> &Animation {
        &self.animation
    }

    /// The same, for editing.
    pub const fn animation_mut(&mut self) -> &mut Animation {
        self.edited = true;
        &mut self.animation
    }

    /// The text from which the document was read; `None` if it was not read.
    #[must_use]
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// Forgets the text, so that the whole file is written anew with numbers in this style.
    ///
    /// [`NumberStyle::SixDigits`] is the vendor's style: the files of the engine's repository come out
    /// unchanged, byte for byte.
    pub fn rewrite(&mut self, numbers: NumberStyle) {
        self.source = None;
        self.damaged = false;
        self.numbers = numbers;
    }
}

/// The member `animation`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// Decides the names of a key's members.
    pub version: Version,
    /// Empty if the file states no name.
    pub name: String,
    /// Seconds, not negative; `None` (absent or null) means: up to the last key.
    pub duration: Option<f64>,
    /// Nodes in the order of the file. Names may repeat; of several nodes with a common name, the last with
    /// keys is played.
    pub nodes: Vec<Node>,
}

impl Animation {
    /// Seconds: as stated, or else the largest key time, and never below 0.
    #[must_use]
    pub fn effective_duration(&self) -> f64 {
        let times = || self.nodes.iter().flat_map(|n| &n.keys).map(|k| k.time);
        self.duration.unwrap_or_else(|| times().fold(0.0, f64::max))
    }

    /// The names of a key's members in the file.
    #[must_use]
    pub fn names_of(&self, key: &Key) -> KeyNames {
        match self.version {
            Version::V4 => KeyNames::Short,
            Version::V3 => KeyNames::Long,
            Version::Absent => key.names,
        }
    }

    /// The numbers of a component at a key, or `None` if no member gives them: Euler degrees or a quaternion
    /// (four numbers) for a rotation.
    ///
    /// In keys with short names `defaults` wins over the key's own value, as in the engine, and `default` fills gaps.
    #[must_use]
    pub fn value<'a>(&self, node: &'a Node, key: &'a Key, component: Component) -> Option<&'a [f64]> {
        match self.names_of(key) {
            KeyNames::Long => key.numbers(component),
            KeyNames::Short => node
                .defaults
                .numbers(component)
                .or_else(|| key.numbers(component))
                .or_else(|| node.default.as_ref()?.numbers(component)),
        }
    }

    /// The numbers of a component of a node without keys.
    #[must_use]
    pub fn static_value<'a>(&self, node: &'a Node, component: Component) -> Option<&'a [f64]> {
        node.defaults.numbers(component).or_else(|| node.default.as_ref()?.numbers(component))
    }
}

/// The member `version`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// Absent or null: each key's members show its shape.
    #[default]
    Absent,
    /// `time`, `pos`, `rot`, `scale` in every key, and no `defaults`.
    V3,
    /// `t`, `p`, `r`, `s`, and `defaults` per node.
    V4,
}

/// Keys and defaults for one node of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Name of the node, case and white space included; empty if absent.
    pub name: String,
    /// Values that take precedence over the values of every key. Not read in version 3.
    pub defaults: Components,
    /// The member `default`, if it is an object: values for components missing in keys. The engine ignores
    /// it.
    pub default: Option<Box<Components>>,
    /// Keys in the order of the file; empty also if absent or null.
    pub keys: Vec<Key>,
}

/// Values for all keys of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Components {
    /// `p`, in the model's unit of length.
    pub position: Option<[f64; 3]>,
    /// `r`, Euler angles in degrees.
    pub rotation: Option<[f64; 3]>,
    /// `s`, factors.
    pub scale: Option<[f64; 3]>,
}

impl Components {
    /// The numbers of a component.
    #[must_use]
    pub fn numbers(&self, component: Component) -> Option<&[f64]> {
        match component {
            Component::Position => self.position.as_ref(),
            Component::Rotation => self.rotation.as_ref(),
            Component::Scale => self.scale.as_ref(),
        }
        .map(<[f64; 3]>::as_slice)
    }

    pub(super) const fn slot(&mut self, component: Component) -> &mut Option<[f64; 3]> {
        match component {
            Component::Position => &mut self.position,
            Component::Rotation => &mut self.rotation,
            Component::Scale => &mut self.scale,
        }
    }
}

/// A key of a node. A component may be missing; then the channel runs across.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Key {
    /// Seconds; `t` or `time`.
    pub time: f64,
    /// In the model's unit of length; `p` or `pos`.
    pub position: Option<[f64; 3]>,
    /// `r` or `rot`, or else `quat`.
    pub rotation: Option<Rotation>,
    /// Factors; `s` or `scale`.
    pub scale: Option<[f64; 3]>,
    /// Names of its members, for files without a version.
    pub names: KeyNames,
}

impl Key {
    /// The numbers of a component: Euler degrees or a quaternion (four numbers) for the rotation.
    #[must_use]
    pub fn numbers(&self, component: Component) -> Option<&[f64]> {
        match component {
            Component::Position => self.position.as_ref().map(<[f64; 3]>::as_slice),
            Component::Rotation => self.rotation.as_ref().map(Rotation::numbers),
            Component::Scale => self.scale.as_ref().map(<[f64; 3]>::as_slice),
        }
    }
}

/// The rotation of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rotation {
    /// Degrees about X, Y and Z; the rotation is qZ·qY·qX.
    Euler([f64; 3]),
    /// x y z w, as written by the engine's tools before October 2012; long names only.
    Quaternion([f64; 4]),
}

impl Rotation {
    /// Three angles or four numbers of a quaternion.
    #[must_use]
    pub const fn numbers(&self) -> &[f64] {
        match self {
            Self::Euler(angles) => angles,
            Self::Quaternion(quaternion) => quaternion,
        }
    }
}

/// Names of a key's members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyNames {
    /// `t`, `p`, `r`, `s`
    #[default]
    Short,
    /// `time`, `pos`, `rot` or `quat`, `scale`
    Long,
}

/// A property set by a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// `p` or `pos`
    Position,
    /// `r`, `rot` or `quat`
    Rotation,
    /// `s` or `scale`
    Scale,
}

impl Component {
    /// All three components, in the order of writing.
    pub const ALL: [Self; 3] = [Self::Position, Self::Rotation, Self::Scale];

    /// The member with the component.
    #[must_use]
    pub const fn member(self, names: KeyNames) -> &'static str {
        match (names, self) {
            (KeyNames::Short, Self::Position) => "p",
            (KeyNames::Short, Self::Rotation) => "r",
            (KeyNames::Short, Self::Scale) => "s",
            (KeyNames::Long, Self::Position) => "pos",
            (KeyNames::Long, Self::Rotation) => "rot",
            (KeyNames::Long, Self::Scale) => "scale",
        }
    }

    /// The component in a member with this name.
    #[must_use]
    pub fn from_member(name: &str, names: KeyNames) -> Option<Self> {
        Self::ALL.into_iter().find(|component| component.member(names) == name)
    }

    /// The component in words.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
        }
    }
}
