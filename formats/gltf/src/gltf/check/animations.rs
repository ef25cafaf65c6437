//! Animations: the contents of their samplers and the targets of their channels.

use super::super::to_scene::{Pointed, UNIT_TOLERANCE};
use super::{Findings, accessor, code, to_scene};
use crate::gltf::json::parts::{
    Accessor, Animation, AnimationSampler, Channel, Component, Index, Interpolation, Path, Shape,
};
use crate::gltf::json::place;
use dopesheet_core::words::counted;
use std::collections::{HashMap, HashSet};

pub(super) fn check(findings: &mut Findings<'_>) {
    let document = findings.document;
    let mut inputs = HashSet::new();
    let (mut rotations, mut sought) = (HashSet::new(), Sought::default());
    for (a, animation) in document.parts.animations.iter().enumerate() {
        for (s, sampler) in animation.samplers.iter().enumerate() {
            let pointer = format!("/animations/{a}/samplers/{s}");
            self::sampler(findings, sampler, &pointer);
            if inputs.insert(sampler.input) {
                times(findings, sampler.input, &pointer);
            }
        }
        let mut targets = HashMap::new();
        for (c, channel) in animation.channels.iter().enumerate() {
            let pointer = format!("/animations/{a}/channels/{c}");
            duplicate(findings, channel, c, &pointer, &mut targets);
            target(findings, channel, &pointer, &mut sought);
            output(findings, animation, channel, a, &mut rotations);
        }
    }
}

fn accessor<'a>(findings: &Findings<'a>, index: Index) -> Option<&'a Accessor> {
    findings.document.parts.accessors.get(index as usize)
}

fn sampler(findings: &mut Findings<'_>, sampler: &AnimationSampler, pointer: &str) {
    let text =
        |end: &str, expected: &str, actual: String| (format!("{pointer}/{end}"), expected.to_owned(), actual);
    if let Interpolation::Other(word) = &sampler.interpolation {
        let expected = "STEP, LINEAR or CUBICSPLINE";
        findings.add(code::VALUE_NOT_IN_LIST, || text("interpolation", expected, format!("{word:?}")));
    }
    for (index, end) in [(sampler.input, "input"), (sampler.output, "output")] {
        let view = accessor(findings, index).and_then(|accessor| accessor.view);
        let view = view.and_then(|view| findings.document.parts.buffer_views.get(view as usize));
        if let Some(stride) = view.and_then(|view| view.byte_stride) {
            let actual = format!("one of {}", counted(stride, "byte"));
            findings.add(code::SAMPLER_WITH_BYTESTRIDE, || text(end, "a view without a stride", actual));
        }
    }
    let Some(input) = accessor(findings, sampler.input) else { return };
    if (input.component, input.shape, input.normalized) != (Component::F32, Shape::Scalar, false) {
        let actual = described(input);
        findings.add(code::SAMPLER_INPUT_INVALID_FORMAT, || text("input", "SCALAR of FLOAT", actual));
    }
    if input.min.is_empty() || input.max.is_empty() {
        findings.add(code::SAMPLER_INPUT_WITHOUT_BOUNDS, || {
            text("input", "an accessor with min and max", "none".into())
        });
    }
    if sampler.interpolation == Interpolation::CubicSpline && input.count < 2 {
        let actual = input.count.to_string();
        findings.add(code::SAMPLER_INPUT_TOO_FEW_ELEMENTS, || text("input", "at least 2 keys", actual));
    }
}

fn described(accessor: &Accessor) -> String {
    let normalised = if accessor.normalized { "normalised " } else { "" };
    format!("{} of {normalised}{}", accessor.shape.name(), accessor.component.name())
}

fn times(findings: &mut Findings<'_>, input: Index, pointer: &str) {
    let readable = accessor(findings, input)
        .is_some_and(|a| a.shape == Shape::Scalar && accessor::is_readable(&findings.views, a));
    let Some(times) = readable.then(|| accessor::stored(&findings.views, input)).and_then(Result::ok) else {
        return;
    };
    let text = |expected: &str, actual: String| (format!("{pointer}/input"), expected.to_owned(), actual);
    if let Some((key, time)) = times.iter().enumerate().find(|(_, time)| **time < 0.0) {
        let actual = format!("{time} at key {key}");
        findings.add(code::ACCESSOR_ANIMATION_INPUT_NEGATIVE, || text("times of 0 or more", actual));
    }
    if let Some((key, pair)) = times.windows(2).enumerate().find(|(_, pair)| pair[1] <= pair[0]) {
        let actual = format!("{} after {} at key {}", pair[1], pair[0], key + 1);
        findings.add(code::ACCESSOR_ANIMATION_INPUT_NON_INCREASING, || text("increasing times", actual));
    }
}

/// Target of a channel, as far as two channels must not share it.
#[derive(PartialEq, Eq, Hash)]
enum Aim<'a> {
    Node(Index, &'a str),
    Pointer(&'a str),
}

fn duplicate<'a>(
    findings: &mut Findings<'_>,
    channel: &'a Channel,
    c: usize,
    pointer: &str,
    targets: &mut HashMap<Aim<'a>, usize>,
) {
    let aim = match (&channel.path, channel.node, channel.pointer.as_deref()) {
        (Path::Pointer, _, Some(target)) => match to_scene::parse_pointer(target) {
            Pointed::Node(node, path) => Some(Aim::Node(node, known_word(&path))),
            _ => Some(Aim::Pointer(target)),
        },
        (path, Some(node), _) => Some(Aim::Node(node, path.word())),
        _ => None,
    };
    let Some(aim) = aim else { return };
    match targets.get(&aim) {
        Some(first) => {
            let text = || {
                (
                    format!("{pointer}/target"),
                    "a target of its own".into(),
                    format!("that of channel {first}"),
                )
            };
            findings.add(code::ANIMATION_DUPLICATE_TARGETS, text);
        }
        None => {
            targets.insert(aim, c);
        }
    }
}

const fn known_word(path: &Path) -> &'static str {
    match path {
        Path::Translation => "translation",
        Path::Rotation => "rotation",
        Path::Scale => "scale",
        _ => "weights",
    }
}

fn target(findings: &mut Findings<'_>, channel: &Channel, pointer: &str, searches: &mut Sought) {
    let text = |end: &str, expected: &str, actual: String| {
        (format!("{pointer}/target{end}"), expected.to_owned(), actual)
    };
    match (&channel.path, channel.pointer.as_deref()) {
        (Path::Other(word), _) => {
            let expected = "translation, rotation, scale or weights";
            findings.add(code::VALUE_NOT_IN_LIST, || text("/path", expected, format!("{word:?}")));
        }
        (Path::Pointer, Some(target)) => pointed(findings, target, pointer, searches),
        (Path::Pointer, None) => {
            findings.add(code::POINTER_MISSING, || text("", "a pointer to a property", "none".into()));
        }
        _ if channel.node.is_none() => {
            findings.add(code::W_DROPPED, || text("", "a node to move", "none".into()));
        }
        _ => {}
    }
    let node = channel.node.and_then(|node| findings.document.parts.nodes.get(node as usize));
    let Some(node) = node else { return };
    let has_matrix = node.transform.as_ref().is_some_and(|transform| transform.matrix.is_some());
    match channel.path {
        Path::Weights => {
            let mesh = node.content().mesh.and_then(|mesh| findings.document.parts.meshes.get(mesh as usize));
            if mesh.is_none_or(|mesh| mesh.targets() == 0) {
                let code = code::CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS;
                findings.add(code, || text("/path", "a node with morph targets", "one without".into()));
            }
        }
        Path::Translation | Path::Rotation | Path::Scale => {
            if has_matrix {
                let expected = "a node without a matrix";
                findings.add(code::CHANNEL_TARGET_NODE_MATRIX, || text("/path", expected, "one with".into()));
            }
            if node.content().skin.is_some() {
                let expected = "a node without a skinned mesh";
                findings.add(code::CHANNEL_TARGET_NODE_SKIN, || text("/path", expected, "one with".into()));
            }
        }
        Path::Pointer | Path::Other(_) => {}
    }
}

/// The property must exist, or have a default inside an existing object.
fn pointed(findings: &mut Findings<'_>, target: &str, pointer: &str, searches: &mut Sought) {
    let parts = &findings.document.parts;
    let exists = match to_scene::parse_pointer(target) {
        Pointed::Node(node, _) => (node as usize) < parts.nodes.len(),
        Pointed::Camera(camera, property) => {
            let word = property.word();
            let camera = parts.cameras.get(camera as usize);
            camera.is_some_and(|c| c.orthographic == matches!(word, "xmag" | "ymag") || word.starts_with('z'))
        }
        Pointed::Light(light, _) => (light as usize) < parts.lights.len(),
        Pointed::Material(material, _) => (material as usize) < parts.materials.len(),
        Pointed::Unknown => searches.exists(&findings.document.json, target),
    };
    if !exists {
        let text = || {
            let full_pointer = format!("{pointer}/target/extensions/KHR_animation_pointer/pointer");
            (full_pointer, "a property of this file".into(), format!("{target:?}"))
        };
        findings.add(code::POINTER_MISSING, text);
    }
}

/// Searching the text for the value of a pointer takes as long as reading the text, so the number of searches
/// is limited.
const MOST_SEARCHES: usize = 64;

/// Objects already searched for, by their pointers, and whether each exists.
#[derive(Default)]
struct Sought(HashMap<String, bool>);

impl Sought {
    /// True if a property or the object around the property exists; also true once the number of searches is
    /// used up.
    fn exists(&mut self, json: &str, target: &str) -> bool {
        let parent = target.rsplit_once('/').map_or("", |(parent, _)| parent);
        if let Some(exists) = self.0.get(parent) {
            return *exists;
        }
        if self.0.len() >= MOST_SEARCHES {
            return true;
        }
        let exists = place::span(json, parent).is_some();
        self.0.insert(parent.to_owned(), exists);
        exists
    }
}

fn output(
    findings: &mut Findings<'_>,
    animation: &Animation,
    channel: &Channel,
    a: usize,
    rotations: &mut HashSet<(Index, bool)>,
) {
    let Some(sampler) = animation.samplers.get(channel.sampler as usize) else { return };
    let Some(values) = accessor(findings, sampler.output) else { return };
    let pointer = format!("/animations/{a}/samplers/{}/output", channel.sampler);
    let float = values.component == Component::F32 && !values.normalized;
    let small = values.normalized && !matches!(values.component, Component::U32 | Component::F32);
    let (sound, expected) = match channel.path {
        Path::Translation | Path::Scale => (float && values.shape == Shape::Vec3, "VEC3 of FLOAT"),
        Path::Rotation => {
            ((float || small) && values.shape == Shape::Vec4, "VEC4 of FLOAT or normalised integers")
        }
        Path::Weights => {
            ((float || small) && values.shape == Shape::Scalar, "SCALAR of FLOAT or normalised integers")
        }
        Path::Pointer | Path::Other(_) => (true, ""),
    };
    if !sound {
        let text = || (pointer.clone(), expected.into(), described(values));
        findings.add(code::SAMPLER_OUTPUT_INVALID_FORMAT, text);
        return;
    }
    let cubic = sampler.interpolation == Interpolation::CubicSpline;
    if channel.path == Path::Rotation && rotations.insert((sampler.output, cubic)) {
        unit_quaternions(findings, sampler.output, cubic, &pointer);
    }
}

fn unit_quaternions(findings: &mut Findings<'_>, output: Index, cubic: bool, pointer: &str) {
    let readable = accessor(findings, output).is_some_and(|a| accessor::is_readable(&findings.views, a));
    let Some(values) = readable.then(|| accessor::floats(&findings.views, output)).and_then(Result::ok)
    else {
        return;
    };
    let (step, first) = if cubic { (3, 1) } else { (1, 0) };
    for (element, q) in values.chunks_exact(4).enumerate().skip(first).step_by(step) {
        let length = q.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        // Numbers that are not finite have a finding of their own.
        if (length - 1.0).abs() > UNIT_TOLERANCE {
            let text = || {
                let actual = format!("a length of {length:.6} at element {element}");
                (pointer.to_owned(), "quaternions of length 1".into(), actual)
            };
            findings.add(code::NON_NORMALIZED_QUATERNION, text);
        }
    }
}
