//! Options of a conversion.

pub(super) mod described;
pub(super) mod settings;

use crate::choice::clip_choice::ClipChoice;
use crate::choice::times::RangeSpec;
use crate::error::Error;
use crate::files::read::Opened;
use crate::models::bound::wants_rig;
use crate::models::english::Language;
use crate::models::persons::{Persons, person};
use crate::models::vocabularies::Vocabularies;
use dopesheet_core::format::{AnyFormat, Capabilities, Limits, MostFrames, NameMap, RestFrom};
use dopesheet_core::model::{Basis, Scene};
use dopesheet_core::units::FrameRate;
use dopesheet_human::{CarryOptions, Floor, Followers, Planted, Proposal};
use dopesheet_motion::Tolerance;
use dopesheet_motion::sample::rig::Behaviour;
use std::borrow::Cow;

/// A requested rate, in frames per second.
///
/// # Errors
/// [`Error::Usage`] outside 0.001..=1,000,000.
pub fn rate(fps: f64) -> Result<FrameRate, Error> {
    FrameRate::from_fps(fps)
        .ok_or_else(|| Error::Usage(format!("expected a rate from 0.001 to 1,000,000, found {fps}")))
}

/// A requested length of a unit, in metres.
///
/// # Errors
/// [`Error::Usage`] unless the length is finite and above 0.
pub fn metres(metres: f64) -> Result<f64, Error> {
    if metres.is_finite() && metres > 0.0 {
        return Ok(metres);
    }
    Err(Error::Usage(format!("expected a length above 0 metres, found {metres}")))
}

/// Upper bound of the frames that are made of a motion, from a requested number.
///
/// # Errors
/// [`Error::Usage`] outside 1..=10,000,000.
pub fn most_frames(frames: f64) -> Result<MostFrames, Error> {
    let frame_limit =
        (frames.fract() == 0.0 && frames >= 0.0).then(|| MostFrames::new(frames as u64)).flatten();
    frame_limit.ok_or_else(|| {
        Error::Usage(format!("expected a whole number of frames from 1 to 10,000,000, found {frames}"))
    })
}

/// Options of a conversion.
#[derive(Clone, Debug)]
pub struct ConvertOptions<'a> {
    /// The format to write.
    pub to: &'static dyn AnyFormat,
    /// A dialect of the format.
    pub variant: Option<String>,
    /// The name of the output file, without folders; resources are named after it.
    pub file_name: Option<String>,
    /// The model that the motions play on.
    pub model: Option<&'a Opened>,
    /// A file to whose nodes the clips are added.
    pub into: Option<&'a Opened>,
    /// A human figure that the motions of another are put onto. The output is this figure with the clips.
    pub onto: Option<&'a Opened>,
    /// With `onto`: the skeleton with the clips, without meshes and everything else of the figure.
    pub motion_only: bool,
    /// Vocabularies of the bones of the motion and of the figure in `onto`.
    pub vocabularies: Vocabularies,
    /// The human figures that count, in files with several; `None` takes the first, unless all names are there twice.
    pub persons: Option<Persons>,
    /// With `onto`: the contacts that are kept.
    pub planted: Planted,
    /// With `onto`: bend fingers that the motion lacks like the fingers of an idle hand; else they stay at
    /// rest.
    pub relaxed_hands: bool,
    /// With `onto`: distance in metres that hands keep from the body, for which arms are turned aside; `None`
    /// turns no arms.
    pub arm_space_m: Option<f64>,
    /// The ground of a motion that a human figure takes.
    pub floor: Floor,
    /// With `onto`: height in metres by which the whole figure is raised; below 0 it is lowered.
    pub raised_m: f64,
    /// With `into`: remove the animations that the file already has.
    pub replace: bool,
    /// Leave out the first moving node of each clip.
    pub skip_first: bool,
    /// The clips to write; `None` writes all that the target can hold.
    pub clip: Option<ClipChoice>,
    /// Names of the inputs → names of the model or target.
    pub names: NameMap,
    /// The language of the names of nodes, morphs and materials.
    pub language: Language,
    /// One key per frame at this rate instead of authored keys.
    pub bake: Option<FrameRate>,
    /// Tolerance of the result if keys have to be chosen; `None` is [`Tolerance::DEFAULT`].
    pub tolerance: Option<Tolerance>,
    /// Give up exactness within the tolerance, as [`Conform::lossy`](dopesheet_motion::Conform::lossy) says.
    pub lossy: bool,
    /// Cubic segments with tangents instead of straight segments, if the format has them and they need less
    /// room.
    pub cubic: bool,
    /// The program whose result counts if programs solve rigs differently.
    pub ik: Behaviour,
    /// Keep keys as authored, with no rig solved.
    pub raw: bool,
    /// Keep the course of stored curves between the frames of recordings, which else run straight from frame to frame; see
    /// [`ToScene::literal_angles`](dopesheet_core::format::ToScene::literal_angles).
    pub stored_between_frames: bool,
    /// Only this stretch; its start becomes 0.
    pub range: Option<RangeSpec>,
    /// Move clips that start before 0 to 0 instead of cutting them there.
    pub shift: bool,
    /// Rest pose of motions without a model in formats that state no rest pose.
    pub rest: RestFrom,
    /// Group keys by target, then sort by time, in formats that store all keys in one list.
    pub sort: bool,
    /// Metres per unit of the inputs, replacing the unit of their format.
    pub metres_per_unit: Option<f64>,
    /// Let light change no material, in formats that hold materials.
    pub unlit: bool,
    /// Give a skeleton without any mesh, of which viewers show nothing, a mesh of its bones with a skin, in
    /// formats that hold meshes.
    pub show_bones: bool,
    /// As `show_bones`, but only if the hierarchy is known; elsewhere as if the option were not set.
    pub show_known_bones: bool,
    /// Keep channels that equal the rest pose throughout.
    pub keep_constant: bool,
    /// Write `?` for characters that the target's encoding lacks.
    pub replace_unencodable: bool,
    /// Name of the model that the motion is for, in formats that state it; `None` takes the name of `model`,
    /// else the name in the motion.
    pub model_name: Option<String>,
    /// Write although fewer than half of the moving tracks reach the model or the target.
    pub partial: bool,
    /// Upper bounds of the output: of the frames that get keys in formats with a key on every frame, or on
    /// which new keys are looked for. More frames are refused.
    pub limits: Limits,
}

impl<'a> ConvertOptions<'a> {
    /// A conversion with all defaults.
    #[must_use]
    pub fn to(format: &'static dyn AnyFormat) -> Self {
        Self {
            to: format,
            variant: None,
            file_name: None,
            model: None,
            into: None,
            onto: None,
            motion_only: false,
            vocabularies: Vocabularies::default(),
            persons: None,
            planted: Planted::default(),
            relaxed_hands: false,
            arm_space_m: None,
            floor: Floor::default(),
            raised_m: 0.0,
            replace: false,
            skip_first: false,
            clip: None,
            names: NameMap::default(),
            language: Language::Original,
            bake: None,
            tolerance: None,
            lossy: false,
            ik: Behaviour::default(),
            raw: false,
            stored_between_frames: false,
            cubic: false,
            range: None,
            shift: false,
            rest: RestFrom::default(),
            sort: false,
            metres_per_unit: None,
            unlit: false,
            show_bones: false,
            show_known_bones: false,
            keep_constant: false,
            replace_unencodable: false,
            model_name: None,
            partial: false,
            limits: Limits::default(),
        }
    }

    /// The format to write, or the format of the file that clips are added to.
    pub(crate) fn target(&self) -> &'static dyn AnyFormat {
        self.into.map_or(self.to, Opened::format)
    }

    /// The features of a scene that the format to write can hold in the requested variant.
    pub(crate) fn capabilities(&self) -> Capabilities {
        // What the scene itself adds to that are laws, which are looked up when it is there.
        self.target().capabilities(&Scene::new(Basis::GLTF), self.variant.as_deref())
    }

    /// True if the document of `input` can be written unchanged or after an edit without a model: the target
    /// takes the document, which is not read only, and no option changes values, times or names.
    pub(crate) fn stays_in_format(&self, input: &Opened) -> bool {
        let changes_variant = self.variant.as_ref().is_some_and(|variant| !self.to.edits_variants(variant));
        let is_kept = self.to.takes(&input.document) && input.format().read_only(&input.document).is_none();
        is_kept && !self.changes_motion() && !changes_variant
    }

    /// Names of tracks → names in the file that clips are added to; empty for tracks made for its figure,
    /// because they already have the file's names.
    pub(crate) fn names_into(&self) -> Cow<'_, NameMap> {
        match self.goes_onto_a_figure() {
            true => Cow::Owned(NameMap::default()),
            false => Cow::Borrowed(&self.names),
        }
    }

    /// The human figure of a motion.
    pub(crate) fn figure_of(&self, scene: &Scene) -> Proposal {
        person(scene, &self.names, self.vocabularies.motion, self.persons.unwrap_or_default().motion)
    }

    /// The options of a motion that is carried to another figure.
    pub(super) fn carrying<'b>(&'b self, followers: &'b Followers) -> CarryOptions<'b> {
        CarryOptions {
            tolerance: self.tolerance.unwrap_or_default(),
            planted: self.planted,
            floor: self.floor,
            raised_m: self.raised_m,
            followers,
            ..CarryOptions::new(&self.names)
        }
    }

    /// True if the motion is put onto another figure.
    pub(crate) fn goes_onto_a_figure(&self) -> bool {
        self.onto.is_some() && self.lengths_of().is_none()
    }

    /// True if names join a motion and its model whatever the vocabularies of their bones are, because keys are
    /// meant for the names of the model or the caller accepts a partial motion.
    pub(super) fn joins_by_name(&self) -> bool {
        let capabilities = self.capabilities();
        let has_another_figure = self.into.is_some() || self.goes_onto_a_figure();
        self.raw || self.partial || has_another_figure || capabilities.humanoid || wants_rig(&capabilities)
    }

    /// The figure that lends its lengths to the written bones.
    pub(crate) fn lengths_of(&self) -> Option<&'a Opened> {
        #[cfg(feature = "research")]
        return self.onto.filter(|_| self.to.takes_figure(self.variant.as_deref()));
        #[cfg(not(feature = "research"))]
        None
    }

    /// True if nothing is asked of a file but its format.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let edits = self.variant.is_some() || self.sort || self.model_name.is_some() || self.keep_constant;
        let puts = self.model.is_some() || self.into.is_some() || self.goes_onto_a_figure() || self.raw;
        !(self.changes_motion() || edits || puts)
    }

    /// True if something asks for other values, times or names.
    fn changes_motion(&self) -> bool {
        self.skip_first
            || self.clip.is_some()
            || !self.names.is_empty()
            || self.language != Language::Original
            || self.floor != Floor::default()
            || self.unlit
            || self.show_bones
            || self.bake.is_some()
            || self.tolerance.is_some()
            || self.lossy
            || self.cubic
            || self.range.is_some()
            || self.shift
            || self.metres_per_unit.is_some()
    }
}
