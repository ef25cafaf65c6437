//! A file of animation clips as stored: its text, and the meaning of the text.

use dopesheet_core::bytes::text::TextDocument;

/// A file of animation clips.
///
/// The document keeps the text from which it was read. Unedited, the same text is written back, byte for
/// byte; after an edit through [`Document::file_mut`] only the text of edited values changes, down to the
/// single number. Contents of the text beyond [`File`] (other objects, members without a meaning for playing)
/// stay unchanged.
#[derive(Clone, Debug, PartialEq)]
pub struct Document(pub(super) TextDocument<File>);

impl Document {
    /// A document without a text from a file. Its whole text is written in the form of Unity 2018 to 2021.
    #[must_use]
    pub const fn new(file: File) -> Self {
        Self(TextDocument::new(file))
    }

    /// The clips of the file.
    #[must_use]
    pub const fn file(&self) -> &File {
        self.0.content()
    }

    /// The same, for editing.
    pub const fn file_mut(&mut self) -> &mut File {
        self.0.content_mut()
    }

    /// The text from which the document was read; `None` if it was not read.
    #[must_use]
    pub fn source(&self) -> Option<&[u8]> {
        self.0.source()
    }

    /// Forgets the text, so that the whole file is written anew.
    pub fn rewrite(&mut self) {
        self.0.rewrite();
    }
}

/// Motion in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct File {
    /// The objects of class 74, in the order of the file.
    pub clips: Vec<Clip>,
    /// Number of objects of other classes.
    pub other_objects: usize,
}

/// An object `AnimationClip`.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// The number of the object in its file, used by other objects to refer to the clip.
    pub file_id: i64,
    /// `m_Name`; may be empty.
    pub name: String,
    /// `serializedVersion` of the object: 6 up to Unity 2021, 7 later; `None` if the member is absent.
    pub serialized_version: Option<i64>,
    /// `m_Legacy`: whether the old component `Animation` plays the clip.
    pub legacy: bool,
    /// `m_RotationCurves`: quaternions x y z w, by component.
    pub rotation_curves: Vec<TransformCurve<4>>,
    /// `m_CompressedRotationCurves`: the number of packed curves. Their contents are not read.
    pub compressed_rotation_curves: usize,
    /// `m_EulerCurves`: degrees about x y z.
    pub euler_curves: Vec<TransformCurve<3>>,
    /// `m_PositionCurves`: metres.
    pub position_curves: Vec<TransformCurve<3>>,
    /// `m_ScaleCurves`: factors.
    pub scale_curves: Vec<TransformCurve<3>>,
    /// `m_FloatCurves`: all other properties with a number as value.
    pub float_curves: Vec<FloatCurve>,
    /// `m_PPtrCurves`: properties with a reference to an object as value.
    pub object_curves: Vec<ObjectCurve>,
    /// `m_SampleRate`: frames per second shown in the editor. Keys may lie anywhere.
    pub sample_rate: f32,
    /// `m_WrapMode`: behaviour of the component `Animation` at the end: 0 default, 1 once, 2 loop, 4
    /// ping-pong, 8 clamp forever.
    pub wrap_mode: i64,
    /// `m_AnimationClipSettings`.
    pub settings: Settings,
    /// `m_EditorCurves`: copies by component, shown in the editor.
    pub editor_curves: Vec<FloatCurve>,
    /// `m_EulerEditorCurves`: as [`Clip::editor_curves`], of angles.
    pub euler_editor_curves: Vec<FloatCurve>,
    /// `m_Events`.
    pub events: Vec<Event>,
}

impl Clip {
    /// The number given by Unity to the only clip of a file.
    pub const USUAL_FILE_ID: i64 = 7_400_000;
}

impl Default for Clip {
    /// A clip without curves, at 60 frames per second.
    fn default() -> Self {
        Self {
            file_id: Self::USUAL_FILE_ID,
            name: String::new(),
            serialized_version: Some(6),
            legacy: false,
            rotation_curves: Vec::new(),
            compressed_rotation_curves: 0,
            euler_curves: Vec::new(),
            position_curves: Vec::new(),
            scale_curves: Vec::new(),
            float_curves: Vec::new(),
            object_curves: Vec::new(),
            sample_rate: 60.0,
            wrap_mode: 0,
            settings: Settings::default(),
            editor_curves: Vec::new(),
            euler_editor_curves: Vec::new(),
            events: Vec::new(),
        }
    }
}

/// Playback settings of a clip, as far as they concern time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settings {
    /// `m_StartTime` in seconds.
    pub start_time: f32,
    /// `m_StopTime` in seconds; 0 in clips not saved by the editor.
    pub stop_time: f32,
    /// `m_LoopTime`: whether the clip starts again at the end.
    pub loop_time: bool,
    /// `m_CycleOffset`: start of a loop, as a share of the loop.
    pub cycle_offset: f32,
}

/// A curve of `N` components for a transform property of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct TransformCurve<const N: usize> {
    /// The object, as names from the animated root, joined by `/`; empty for the root itself.
    pub path: String,
    /// Its keys.
    pub curve: AnimationCurve<N>,
}

/// A curve for one number of a component of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatCurve {
    /// The property: `m_IsActive`, `blendShape.Smile`, `m_LocalPosition.x` …
    pub attribute: String,
    /// The object, as in [`TransformCurve::path`].
    pub path: String,
    /// The class of the component: 1 for the object itself, 4 for its place, 137 for a skinned mesh, 114 for a script …
    pub class_id: i64,
    /// The script of a component of class 114.
    pub script: ObjectReference,
    /// `flags` as written by Unity 2022 and later; `None` if absent.
    pub flags: Option<i64>,
    /// Its keys.
    pub curve: AnimationCurve<1>,
}

/// A curve of references.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectCurve {
    /// As in [`FloatCurve::attribute`].
    pub attribute: String,
    /// As in [`TransformCurve::path`].
    pub path: String,
    /// As in [`FloatCurve::class_id`].
    pub class_id: i64,
    /// As in [`FloatCurve::script`].
    pub script: ObjectReference,
    /// Times in seconds, and the object referred to from each time on.
    pub keys: Vec<(f32, ObjectReference)>,
}

/// A reference to an object of this or another file of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectReference {
    /// The object in its file; 0 means none.
    pub file_id: i64,
    /// The file, 32 hexadecimal digits; `None` for the present file.
    pub guid: Option<String>,
    /// Unity's number for the kind of the other file; `None` without another file.
    pub kind: Option<i64>,
}

/// A Unity `AnimationCurve` of `N` components with common key times.
#[derive(Clone, Debug, PartialEq)]
pub struct AnimationCurve<const N: usize> {
    /// In the order of the file.
    pub keys: Vec<Keyframe<N>>,
    /// `m_PreInfinity`: behaviour before the first key: 0 ping-pong, 1 loop, 2 clamp.
    pub pre_infinity: i64,
    /// `m_PostInfinity`: as [`AnimationCurve::pre_infinity`], after the last key.
    pub post_infinity: i64,
    /// `m_RotationOrder`: order of applying angles, the first letter first: 0 XYZ, 1 XZY, 2 YZX, 3 YXZ, 4
    /// ZXY, 5 ZYX. Effective for Euler curves only.
    pub rotation_order: i64,
}

impl<const N: usize> Default for AnimationCurve<N> {
    /// No keys; holds its ends.
    fn default() -> Self {
        Self { keys: Vec::new(), pre_infinity: 2, post_infinity: 2, rotation_order: 4 }
    }
}

/// A key of `N` components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyframe<const N: usize> {
    /// Seconds.
    pub time: f32,
    /// The value.
    pub value: [f32; N],
    /// Slopes of the segment that ends here, per second; infinite holds the key before.
    pub in_slope: [f32; N],
    /// Slopes of the segment that starts here, per second; infinite holds this key.
    pub out_slope: [f32; N],
    /// Mode of the editor for changing slopes, without an effect on playback.
    pub tangent_mode: i64,
    /// Effective weights: 0 none, 1 in, 2 out, 3 both.
    pub weighted_mode: i64,
    /// Weights of the segment that ends here, as shares of its length; a third for ineffective weights.
    pub in_weight: [f32; N],
    /// Weights of the segment that starts here.
    pub out_weight: [f32; N],
}

/// A third, written by Unity for an ineffective weight.
pub(super) const THIRD: f32 = 1.0 / 3.0;

impl<const N: usize> Default for Keyframe<N> {
    /// At 0, flat, without weights.
    fn default() -> Self {
        Self {
            time: 0.0,
            value: [0.0; N],
            in_slope: [0.0; N],
            out_slope: [0.0; N],
            tangent_mode: 0,
            weighted_mode: 0,
            in_weight: [THIRD; N],
            out_weight: [THIRD; N],
        }
    }
}

impl<const N: usize> Keyframe<N> {
    /// The bit of [`Keyframe::weighted_mode`] for the weights of the segment that ends here.
    pub const IN: i64 = 1;
    /// As [`Keyframe::IN`], for the segment that starts here.
    pub const OUT: i64 = 2;
}

/// A moment for calling a method of a script.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    /// Seconds.
    pub time: f32,
    /// The method to be called.
    pub function_name: String,
    /// A text as argument of the call.
    pub data: String,
    /// An object as argument of the call.
    pub object_reference: ObjectReference,
    /// A number as argument of the call.
    pub float_parameter: f32,
    /// A whole number as argument of the call.
    pub int_parameter: i64,
    /// 1 if nobody needs to listen.
    pub message_options: i64,
}
