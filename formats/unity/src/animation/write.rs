//! Clips as a new text.

use super::document::{AnimationCurve, Clip, Event, File, FloatCurve, Keyframe, ObjectCurve, TransformCurve};
use super::spelling::{spelled, written_reference};
use crate::yaml::quoted_if_needed;
use std::fmt::Write as _;

/// The whole file in the form of Unity 2018 to 2021, or of 2022 and later for clips of that version.
pub(super) fn anew(file: &File) -> Vec<u8> {
    let mut out = Text::default();
    out.line(0, "%YAML 1.1");
    out.line(0, "%TAG !u! tag:unity3d.com,2011:");
    file.clips.iter().for_each(|clip| out.clip(clip));
    out.text.into_bytes()
}

/// Lowest version of a clip whose float curves have a version and flags.
const WITH_FLAGS: i64 = 7;

/// True if float curves of a clip have a version number.
pub(super) fn has_flags(clip: &Clip) -> bool {
    clip.serialized_version.is_some_and(|version| version >= WITH_FLAGS)
}

/// A text in the making.
#[derive(Default)]
pub(super) struct Text {
    pub(super) text: String,
    /// True if float curves have a version number.
    pub(super) with_flags: bool,
}

/// An item of a list of a clip.
pub(super) trait Entry {
    /// Its lines, each with its line end, the first line with its dash.
    fn write(&self, out: &mut Text);
}

impl Text {
    pub(super) fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.text, "{:indent$}{text}", "");
    }

    fn member(&mut self, indent: usize, name: &str, value: &str) {
        // Unity has a blank behind the colon also where nothing follows.
        let _ = writeln!(self.text, "{:indent$}{name}: {value}", "");
    }

    fn named(&mut self, indent: usize, name: &str, text: &str) {
        self.member(indent, name, &quoted_if_needed(text));
    }

    pub(super) fn list<T: Entry>(&mut self, name: &str, entries: &[T]) {
        if entries.is_empty() {
            return self.member(2, name, "[]");
        }
        self.line(2, &format!("{name}:"));
        entries.iter().for_each(|entry| entry.write(self));
    }

    fn clip(&mut self, clip: &Clip) {
        self.with_flags = has_flags(clip);
        self.line(0, &format!("--- !u!74 &{}", clip.file_id));
        self.line(0, "AnimationClip:");
        self.member(2, "m_ObjectHideFlags", "0");
        for name in ["m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset"] {
            self.member(2, name, "{fileID: 0}");
        }
        self.named(2, "m_Name", &clip.name);
        if let Some(version) = clip.serialized_version {
            self.member(2, "serializedVersion", &version.to_string());
        }
        self.member(2, "m_Legacy", flag(clip.legacy));
        self.member(2, "m_Compressed", "0");
        self.member(2, "m_UseHighQualityCurve", "1");
        self.list("m_RotationCurves", &clip.rotation_curves);
        self.member(2, "m_CompressedRotationCurves", "[]");
        self.list("m_EulerCurves", &clip.euler_curves);
        self.list("m_PositionCurves", &clip.position_curves);
        self.list("m_ScaleCurves", &clip.scale_curves);
        self.list("m_FloatCurves", &clip.float_curves);
        self.list("m_PPtrCurves", &clip.object_curves);
        self.member(2, "m_SampleRate", &spelled(clip.sample_rate));
        self.member(2, "m_WrapMode", &clip.wrap_mode.to_string());
        self.line(2, "m_Bounds:");
        self.member(4, "m_Center", "{x: 0, y: 0, z: 0}");
        self.member(4, "m_Extent", "{x: 0, y: 0, z: 0}");
        self.line(2, "m_ClipBindingConstant:");
        self.member(4, "genericBindings", "[]");
        self.member(4, "pptrCurveMapping", "[]");
        self.settings(clip);
        self.list("m_EditorCurves", &clip.editor_curves);
        self.list("m_EulerEditorCurves", &clip.euler_editor_curves);
        self.member(2, "m_HasGenericRootTransform", "0");
        self.member(2, "m_HasMotionFloatCurves", "0");
        self.list("m_Events", &clip.events);
    }

    fn settings(&mut self, clip: &Clip) {
        let settings = &clip.settings;
        self.line(2, "m_AnimationClipSettings:");
        self.member(4, "serializedVersion", "2");
        self.member(4, "m_AdditiveReferencePoseClip", "{fileID: 0}");
        self.member(4, "m_AdditiveReferencePoseTime", "0");
        self.member(4, "m_StartTime", &spelled(settings.start_time));
        self.member(4, "m_StopTime", &spelled(settings.stop_time));
        self.member(4, "m_OrientationOffsetY", "0");
        self.member(4, "m_Level", "0");
        self.member(4, "m_CycleOffset", &spelled(settings.cycle_offset));
        self.member(4, "m_HasAdditiveReferencePose", "0");
        self.member(4, "m_LoopTime", flag(settings.loop_time));
        for name in ["m_LoopBlend", "m_LoopBlendOrientation", "m_LoopBlendPositionY", "m_LoopBlendPositionXZ"]
        {
            self.member(4, name, "0");
        }
        self.member(4, "m_KeepOriginalOrientation", "0");
        self.member(4, "m_KeepOriginalPositionY", "1");
        for name in ["m_KeepOriginalPositionXZ", "m_HeightFromFeet", "m_Mirror"] {
            self.member(4, name, "0");
        }
    }

    /// A curve behind the two columns of its entry, without the name `curve`.
    fn curve<const N: usize>(&mut self, curve: &AnimationCurve<N>) {
        self.member(6, "serializedVersion", "2");
        if curve.keys.is_empty() {
            self.member(6, "m_Curve", "[]");
        } else {
            self.line(6, "m_Curve:");
            curve.keys.iter().for_each(|key| self.key(key));
        }
        self.member(6, "m_PreInfinity", &curve.pre_infinity.to_string());
        self.member(6, "m_PostInfinity", &curve.post_infinity.to_string());
        self.member(6, "m_RotationOrder", &curve.rotation_order.to_string());
    }

    pub(super) fn key<const N: usize>(&mut self, key: &Keyframe<N>) {
        self.line(6, "- serializedVersion: 3");
        self.member(8, "time", &spelled(key.time));
        self.member(8, "value", &vector(&key.value));
        self.member(8, "inSlope", &vector(&key.in_slope));
        self.member(8, "outSlope", &vector(&key.out_slope));
        self.member(8, "tangentMode", &key.tangent_mode.to_string());
        self.member(8, "weightedMode", &key.weighted_mode.to_string());
        self.member(8, "inWeight", &vector(&key.in_weight));
        self.member(8, "outWeight", &vector(&key.out_weight));
    }

    fn binding(&mut self, attribute: &str, path: &str, class_id: i64, script: &super::ObjectReference) {
        self.named(4, "attribute", attribute);
        self.named(4, "path", path);
        self.member(4, "classID", &class_id.to_string());
        self.member(4, "script", &written_reference(script));
    }
}

const fn flag(value: bool) -> &'static str {
    if value { "1" } else { "0" }
}

/// A single number by itself, several numbers by the names of axes.
fn vector<const N: usize>(numbers: &[f32; N]) -> String {
    if let [number] = numbers[..] {
        return spelled(number);
    }
    let members: Vec<String> = ["x", "y", "z", "w"]
        .iter()
        .zip(numbers)
        .map(|(axis, n)| format!("{axis}: {}", spelled(*n)))
        .collect();
    format!("{{{}}}", members.join(", "))
}

impl<const N: usize> Entry for TransformCurve<N> {
    fn write(&self, out: &mut Text) {
        out.line(2, "- curve:");
        out.curve(&self.curve);
        out.named(4, "path", &self.path);
    }
}

impl Entry for FloatCurve {
    fn write(&self, out: &mut Text) {
        if out.with_flags {
            out.line(2, "- serializedVersion: 2");
            out.line(4, "curve:");
        } else {
            out.line(2, "- curve:");
        }
        out.curve(&self.curve);
        out.binding(&self.attribute, &self.path, self.class_id, &self.script);
        if let Some(flags) = self.flags.or(out.with_flags.then_some(0)) {
            out.member(4, "flags", &flags.to_string());
        }
    }
}

impl Entry for ObjectCurve {
    fn write(&self, out: &mut Text) {
        if self.keys.is_empty() {
            out.line(2, "- curve: []");
        } else {
            out.line(2, "- curve:");
        }
        for (time, value) in &self.keys {
            out.line(4, &format!("- time: {}", spelled(*time)));
            out.member(6, "value", &written_reference(value));
        }
        out.binding(&self.attribute, &self.path, self.class_id, &self.script);
    }
}

impl Entry for Event {
    fn write(&self, out: &mut Text) {
        out.line(2, &format!("- time: {}", spelled(self.time)));
        out.named(4, "functionName", &self.function_name);
        out.named(4, "data", &self.data);
        out.member(4, "objectReferenceParameter", &written_reference(&self.object_reference));
        out.member(4, "floatParameter", &spelled(self.float_parameter));
        out.member(4, "intParameter", &self.int_parameter.to_string());
        out.member(4, "messageOptions", &self.message_options.to_string());
    }
}
