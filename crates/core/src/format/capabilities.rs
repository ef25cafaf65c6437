//! The features of a scene that a format can hold.

use crate::model::{Basis, Blend, Law, PoseRelation, Property, TargetKind, Timing};
use crate::units::FrameRate;

/// The features of a scene that a format can hold. Conversion brings scenes within these bounds before
/// [`Format::from_scene`](super::Format::from_scene) sees them, and reports the losses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capabilities {
    /// True if files of other formats can be converted to this format.
    pub writes: bool,
    /// True if clips can be added to an existing file.
    pub attaches: bool,
    /// Number of clips in a file.
    pub clips: Clips,
    /// Axes and unit that the format requires; `None` takes any.
    pub basis: Option<Basis>,
    /// Frame of reference of the values of joint channels. On top of rest means here: as if every rest rotation
    /// were the identity.
    pub relation: PoseRelation,
    /// Parts of a scene with room in the format.
    pub parts: Parts,
    /// Compositions of curves that the format can write.
    pub compositions: Compositions,
    /// The laws that the format can express for numbers and vectors.
    pub vector_laws: LawSet,
    /// The laws that the format can express for rotations.
    pub rotation_laws: LawSet,
    /// The only times a key may have; `None` takes any.
    pub grid: Option<FrameRate>,
    /// True if keys may lie before time 0.
    pub negative_times: bool,
    /// Grouping of keys.
    pub layout: KeyLayout,
    /// Rule for names.
    pub names: NameRule,
    /// True if the format takes only the motion of a humanoid that rests in VRM's T-pose.
    pub humanoid: bool,
    /// True if the humanoid's eyes are bones like all others; else a gaze moves them.
    pub eyes: bool,
}

impl Capabilities {
    /// Capabilities of read-only formats.
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

    /// For formats written with a single clip from time 0 on; the common base of most such formats.
    pub const ONE_CLIP: Self =
        Self { writes: true, clips: Clips::One, negative_times: false, ..Self::READ_ONLY };
}

/// Number of clips in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clips {
    /// Exactly one clip in each file.
    One,
    /// Any number of clips in a file.
    Many,
}

/// Grouping of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyLayout {
    /// Each channel has key times independent of all others.
    PerChannel,
    /// All channels of a target share their key times.
    PerTarget,
    /// All channels have a key on every frame of the same grid: [`Capabilities::grid`], else the requested
    /// grid, else the grid of the clip.
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
        /// Greatest length of a name in bytes, to which longer names are cut; `None` for no such bound.
        max_bytes: Option<usize>,
    },
}

/// Parts of a scene with room in a format.
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
    /// A track per morph ([`Property::Weight`](crate::model::Property::Weight)).
    pub morph_tracks: bool,
    /// A track for all morphs of a node ([`Property::Weights`](crate::model::Property::Weights)).
    pub weight_vectors: bool,
    /// Cameras and their motion.
    pub cameras: bool,
    /// Camera motion as an orbit around a point ([`Composition::Orbit`](crate::model::Composition::Orbit)).
    pub orbits: bool,
    /// Lights and their motion.
    pub lights: bool,
    /// Markers and events at times of a clip.
    pub markers: bool,
    /// Switches of hands, and properties of nodes without a word.
    pub custom_tracks: bool,
    /// Numbers without a node ([`TargetKind::Custom`](crate::model::TargetKind::Custom)).
    pub numbers: bool,
    /// True if properties unknown to the format's players are kept beside the motion as data: markers,
    /// numbers without a node, switches of hands, and properties without a word.
    pub data: bool,
    /// Muscles of a human figure ([`Property::Muscle`](crate::model::Property::Muscle)).
    pub muscles: bool,
    /// Tracks of visibility ([`Property::Visible`](crate::model::Property::Visible)) or of a switch, in their
    /// own form; in formats without such tracks but with scale, switched-off targets are scaled to 0.
    pub switches: bool,
    /// Meshes, skins and materials.
    pub meshes: bool,
    /// The name of the model for which a motion was made.
    pub model_name: bool,
}

impl Parts {
    /// No parts at all, for formats that are read only.
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

    /// True if players of the format show the effect of a channel that the format has room for.
    #[must_use]
    pub fn shows(&self, kind: TargetKind, property: &Property) -> bool {
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
                TargetKind::Hand => false,
                TargetKind::Custom => {
                    self.meshes && [Property::BASE_COLOR, Property::EMISSIVE].contains(property)
                }
            }
    }
}

/// Compositions of values from curves that a format can write, besides a single curve for a whole value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compositions {
    /// A curve per component, each with its keys and laws (the laws of vectors). Rotations composed this way
    /// are normalised after the evaluation of their components
    /// ([`Composition::ComponentsNormalised`](crate::model::Composition::ComponentsNormalised)).
    pub components: bool,
    /// Angles that become a rotation after their evaluation
    /// ([`Composition::Euler`](crate::model::Composition::Euler)), with the laws of vectors.
    pub angles: bool,
    /// The angles of a rotation on every frame, whatever the law between frames: formats that state poses on
    /// frames hold the numbers unchanged.
    pub angles_on_frames: bool,
    /// Directions into which the front of a node is turned
    /// ([`Composition::Swing`](crate::model::Composition::Swing)), with the laws of vectors.
    pub directions: bool,
    /// Curves that start again, or run back and forth, outside of their keys.
    pub repeats: bool,
}

impl Compositions {
    /// A single curve that ends with its keys.
    pub const WHOLE: Self =
        Self { components: false, angles: false, angles_on_frames: false, directions: false, repeats: false };
    /// All of these compositions.
    pub const ANY: Self =
        Self { components: true, angles: true, angles_on_frames: true, directions: true, repeats: true };
}

/// Laws that a format can express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LawSet {
    /// Holding a key until the next, as a law in its own right.
    pub step: bool,
    /// Component by component (vectors) or the shorter great arc (rotations).
    pub linear: bool,
    /// Cubic segments with tangents at both keys.
    pub hermite: bool,
    /// Cubic in time and value, with tangents and their weights. The Bezier timing of a number is such a law,
    /// unless it starts or ends upright.
    pub weighted: bool,
    /// Bezier timing on top of `linear`.
    pub bezier_timing: bool,
    /// True if a curve may have segments of different laws.
    pub mixed: bool,
}

impl LawSet {
    /// No laws, for formats that are read only.
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

    /// True if a segment of this law can be written unchanged.
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
