//! The features of a scene that a format can hold.

use crate::model::{Basis, Blend, Law, PoseRelation, Property, TargetKind, Timing};
use crate::units::FrameRate;

/// The features of a scene that a format can hold. Conversion brings scenes within these bounds before
/// [`Format::from_scene`](super::Format::from_scene) sees them, and reports what that cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capabilities {
    /// True if files of other formats can be written as this one.
    pub writes: bool,
    /// True if clips can be added to an existing file.
    pub attaches: bool,
    /// Number of clips in one file.
    pub clips: Clips,
    /// Whose axes and unit it wants; `None` takes any.
    pub basis: Option<Basis>,
    /// Frame of reference of the values of joint channels. On top of rest means here: as if every rest rotation
    /// were the identity.
    pub relation: PoseRelation,
    /// Which parts of a scene it has room for.
    pub parts: Parts,
    /// Compositions of curves that it can write.
    pub compositions: Compositions,
    /// The laws it can express for numbers and vectors.
    pub vector_laws: LawSet,
    /// The laws it can express for rotations.
    pub rotation_laws: LawSet,
    /// The only times a key may have; `None` takes any.
    pub grid: Option<FrameRate>,
    /// True if keys may lie before time 0.
    pub negative_times: bool,
    /// Grouping of keys.
    pub layout: KeyLayout,
    /// Rule for names.
    pub names: NameRule,
    /// True if it takes only the motion of a humanoid that rests in VRM's T-pose.
    pub humanoid: bool,
    /// True if the eyes of that humanoid are bones as all others; else a gaze moves them.
    pub eyes: bool,
}

impl Capabilities {
    /// For formats that are only read.
    pub const READ_ONLY: Self = Self {
        writes: false,
        attaches: false,
        clips: Clips::Many,
        basis: None,
        relation: PoseRelation::Absolute,
        parts: Parts::NONE,
        compositions: Compositions::WHOLE,
        vector_laws: LawSet::NONE,
        rotation_laws: LawSet::NONE,
        grid: None,
        negative_times: true,
        layout: KeyLayout::PerChannel,
        names: NameRule::Any,
        humanoid: false,
        eyes: false,
    };

    /// For formats that are written with one clip from time 0 on, as far as most of them are alike.
    pub const ONE_CLIP: Self =
        Self { writes: true, clips: Clips::One, negative_times: false, ..Self::READ_ONLY };
}

/// Number of clips in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clips {
    /// Exactly one.
    One,
    /// Any number.
    Many,
}

/// Grouping of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyLayout {
    /// Each channel has its own key times.
    PerChannel,
    /// All channels of a target share their key times.
    PerTarget,
    /// All channels have a key on every frame of one grid: [`Capabilities::grid`], else the one that is asked for, else that
    /// of the clip.
    EveryFrame,
}

/// Rule for names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameRule {
    /// Any Unicode text.
    Any,
    /// Text in a legacy encoding.
    Encoded {
        /// The encoding's name.
        encoding: &'static str,
        /// Longest name in bytes, to which longer ones are cut; `None` if there is no such bound.
        max_bytes: Option<usize>,
    },
}

/// Which parts of a scene a format has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The hierarchy and rest pose of nodes.
    pub hierarchy: bool,
    /// Translation channels of nodes.
    pub translation: bool,
    /// Rotation channels of nodes.
    pub rotation: bool,
    /// Scale channels of nodes.
    pub scale: bool,
    /// One track per morph ([`Property::Weight`](crate::model::Property::Weight)).
    pub morph_tracks: bool,
    /// One track for all morphs of a node ([`Property::Weights`](crate::model::Property::Weights)).
    pub weight_vectors: bool,
    /// Camera motion.
    pub cameras: bool,
    /// Camera motion as an orbit around a point ([`Composition::Orbit`](crate::model::Composition::Orbit)).
    pub orbits: bool,
    /// Light motion.
    pub lights: bool,
    /// Markers and events.
    pub markers: bool,
    /// Switches of hands, and properties of nodes that have no word.
    pub custom_tracks: bool,
    /// Numbers that belong to no node ([`TargetKind::Custom`](crate::model::TargetKind::Custom)).
    pub numbers: bool,
    /// True if what no player of the format knows is kept beside the motion as data: markers, numbers of no node, switches of
    /// hands, and properties without a word.
    pub data: bool,
    /// Muscles of a human figure ([`Property::Muscle`](crate::model::Property::Muscle)).
    pub muscles: bool,
    /// Tracks of visibility ([`Property::Visible`](crate::model::Property::Visible)) or switched, as such; in formats
    /// without that but with scale, what is switched off is scaled to 0.
    pub switches: bool,
    /// Meshes, skins and materials.
    pub meshes: bool,
    /// The name of the model that a motion is for.
    pub model_name: bool,
}

impl Parts {
    /// Nothing at all.
    pub const NONE: Self = Self {
        hierarchy: false,
        translation: false,
        rotation: false,
        scale: false,
        morph_tracks: false,
        weight_vectors: false,
        cameras: false,
        orbits: false,
        lights: false,
        markers: false,
        custom_tracks: false,
        numbers: false,
        data: false,
        muscles: false,
        switches: false,
        meshes: false,
        model_name: false,
    };

    /// True if players of the format show what a channel does that the format has room for.
    #[must_use]
    pub const fn shows(&self, kind: TargetKind, property: &Property) -> bool {
        !self.data
            || match kind {
                TargetKind::Joint | TargetKind::Morph => matches!(
                    property,
                    Property::Translation
                        | Property::Rotation
                        | Property::Placement
                        | Property::Scale
                        | Property::Weight
                        | Property::Weights
                ),
                TargetKind::Camera | TargetKind::Light => !matches!(property, Property::Orthographic),
                TargetKind::Hand | TargetKind::Custom => false,
            }
    }
}

/// Compositions of values from curves that a format can write, besides one curve for a whole value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compositions {
    /// A curve per component, with keys and laws (those of vectors) of its own. Rotations so composed are normalised after
    /// their components were evaluated
    /// ([`Composition::ComponentsNormalised`](crate::model::Composition::ComponentsNormalised)).
    pub components: bool,
    /// Angles that become a rotation after they were evaluated
    /// ([`Composition::Euler`](crate::model::Composition::Euler)), with the laws of vectors.
    pub angles: bool,
    /// The angles of a rotation on every frame, whatever law is between them: formats that state poses on frames hold the
    /// numbers as they are.
    pub angles_on_frames: bool,
    /// Directions into which the front of a node is turned ([`Composition::Swing`](crate::model::Composition::Swing)), with the
    /// laws of vectors.
    pub directions: bool,
    /// Curves that start again, or run back and forth, outside of their keys.
    pub repeats: bool,
}

impl Compositions {
    /// One curve that ends with its keys.
    pub const WHOLE: Self =
        Self { components: false, angles: false, angles_on_frames: false, directions: false, repeats: false };
    /// All of them.
    pub const ANY: Self =
        Self { components: true, angles: true, angles_on_frames: true, directions: true, repeats: true };
}

/// Which laws a format can express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LawSet {
    /// Holding a key until the next, as a law of its own.
    pub step: bool,
    /// Component by component (vectors) or the shorter great arc (rotations).
    pub linear: bool,
    /// Cubic with tangents.
    pub hermite: bool,
    /// Cubic in time and value, with tangents and their weights. Bezier timing of a number is that, unless it starts or ends
    /// upright.
    pub weighted: bool,
    /// Bezier timing on top of `linear`.
    pub bezier_timing: bool,
    /// True if one curve may have segments of different laws.
    pub mixed: bool,
}

impl LawSet {
    /// None.
    pub const NONE: Self = Self {
        step: false,
        linear: false,
        hermite: false,
        weighted: false,
        bezier_timing: false,
        mixed: false,
    };
    /// Straight segments only; a step is a jump between two keys.
    pub const LINEAR: Self = Self { linear: true, ..Self::NONE };

    /// True if one segment of this law can be written as it is.
    #[must_use]
    pub fn holds(&self, law: Law) -> bool {
        let straight_time = law.timing.is_linear();
        let bezier_time = match law.timing {
            Timing::Bezier { x1, y1, x2, y2 } => {
                self.bezier_timing || (self.weighted && has_slope(x1, y1) && has_slope(1.0 - x2, 1.0 - y2))
            }
            Timing::Linear | Timing::Ease { .. } => false,
        };
        match law.blend {
            Blend::Step => self.step,
            Blend::Lerp => self.linear && (straight_time || bezier_time),
            Blend::Slerp => self.linear && (straight_time || (bezier_time && self.bezier_timing)),
            Blend::Hermite => self.hermite && straight_time,
            Blend::WeightedBezier => self.weighted && straight_time,
            Blend::Nlerp | Blend::Squad | Blend::Turn => false,
        }
    }
}

/// True if a handle of a timing curve has a slope: it may lie on its key, but not right above or below it.
fn has_slope(x: f32, y: f32) -> bool {
    x > 0.0 || y == 0.0
}
