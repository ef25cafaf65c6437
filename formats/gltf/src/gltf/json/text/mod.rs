//! Typed parts → JSON text, for newly made documents: the inverse of `parse`. Members come in a fixed order,
//! without default values.

mod geometry;
mod members;
mod storage;

pub(crate) use storage::{accessor, buffer, view};

use super::parts::{
    Animation, AnimationSampler, Camera, Channel, Interpolation, Light, Node, NodeTransform, Parts,
    SceneEntry, Skin,
};
use dopesheet_core::bytes::json::{JsonWriter, NumberStyle, Span};
use members::{extension, index, indices, list, number, numbers, text, texts};

/// The extension for lights.
pub(crate) const LIGHTS: &str = "KHR_lights_punctual";
/// The extension that animates properties of objects other than nodes.
pub(crate) const POINTER: &str = "KHR_animation_pointer";

/// The style of all numbers except in `extras`.
pub(crate) const STYLE: NumberStyle = NumberStyle::ShortestF32;

/// The owner of `extras`, by its position in its list; a file has one scene.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Owner {
    Scene,
    Node(usize),
    Mesh(usize),
    Material(usize),
    Animation(usize),
}

/// Writer of [`extras`] for owners that have any: parts only store the span of their extras in the text.
pub(crate) type Extras<'a> = &'a dyn Fn(&mut JsonWriter, Owner) -> Option<Span>;

/// The text of a whole file. Stores the spans of all `extras` in the parts.
pub(crate) fn file(parts: &mut Parts, extras: Extras<'_>) -> String {
    let mut json = JsonWriter::new(STYLE);
    json.object(|w| {
        w.name("asset").object(|w| {
            w.name("version").string(&parts.asset.version);
            text(w, "generator", parts.asset.generator.as_deref());
        });
        texts(w, "extensionsUsed", &parts.extensions_used);
        texts(w, "extensionsRequired", &parts.extensions_required);
        index(w, "scene", parts.scene);
        list(w, "scenes", &mut parts.scenes, |w, _, part| scene(w, part, extras));
        list(w, "nodes", &mut parts.nodes, |w, n, part| node(w, n, part, extras));
        list(w, "cameras", &mut parts.cameras, |w, _, part| camera(w, part));
        list(w, "meshes", &mut parts.meshes, |w, m, part| geometry::mesh(w, m, part, extras));
        list(w, "skins", &mut parts.skins, |w, _, part| skin(w, part));
        list(w, "materials", &mut parts.materials, |w, m, part| geometry::material(w, m, part, extras));
        list(w, "textures", &mut parts.textures, |w, _, part| index(w, "source", part.source));
        list(w, "images", &mut parts.images, |w, _, part| geometry::image(w, part));
        list(w, "animations", &mut parts.animations, |w, a, part| animation(w, a, part, extras));
        list(w, "accessors", &mut parts.accessors, |w, _, part| accessor(w, part));
        list(w, "bufferViews", &mut parts.buffer_views, |w, _, part| view(w, part));
        let views = &parts.buffer_views;
        list(w, "buffers", &mut parts.buffers, |w, b, part| buffer(w, part, storage::filled_by(b, views)));
        if !parts.lights.is_empty() {
            extension(w, LIGHTS, |w| list(w, "lights", &mut parts.lights, |w, _, part| light(w, part)));
        }
    });
    json.finish()
}

/// The text of an object by itself.
pub(crate) fn item(members: impl FnOnce(&mut JsonWriter)) -> String {
    let mut json = JsonWriter::new(STYLE);
    json.object(members);
    json.finish()
}

fn scene(w: &mut JsonWriter, scene: &mut SceneEntry, extras: Extras<'_>) {
    indices(w, "nodes", &scene.nodes);
    scene.extras = extras(w, Owner::Scene);
}

fn node(w: &mut JsonWriter, n: usize, node: &mut Node, extras: Extras<'_>) {
    text(w, "name", node.name.as_deref());
    indices(w, "children", &node.children);
    if let Some(stored) = &node.transform {
        transform(w, stored);
    }
    let content = node.content();
    index(w, "mesh", content.mesh);
    index(w, "skin", content.skin);
    index(w, "camera", content.camera);
    if content.light.is_some() {
        extension(w, LIGHTS, |w| index(w, "light", content.light));
    }
    if let Some(span) = extras(w, Owner::Node(n)) {
        node.content.get_or_insert_default().extras = Some(span);
    }
}

/// The members of a transform without a matrix.
pub(crate) fn transform(w: &mut JsonWriter, transform: &NodeTransform) {
    numbers(w, "translation", transform.translation.as_ref());
    numbers(w, "rotation", transform.rotation.as_ref());
    numbers(w, "scale", transform.scale.as_ref());
}

fn camera(w: &mut JsonWriter, camera: &Camera) {
    let kind = if camera.orthographic { "orthographic" } else { "perspective" };
    text(w, "name", camera.name.as_deref());
    w.name("type").string(kind).name(kind).object(|w| {
        number(w, "aspectRatio", camera.aspect_ratio);
        number(w, "yfov", camera.yfov);
        number(w, "xmag", camera.xmag);
        number(w, "ymag", camera.ymag);
        number(w, "znear", camera.znear);
        number(w, "zfar", camera.zfar);
    });
}

fn skin(w: &mut JsonWriter, skin: &Skin) {
    text(w, "name", skin.name.as_deref());
    index(w, "inverseBindMatrices", skin.inverse_bind_matrices);
    indices(w, "joints", &skin.joints);
}

fn light(w: &mut JsonWriter, light: &Light) {
    text(w, "name", light.name.as_deref());
    w.name("type").string(&light.kind);
    numbers(w, "color", light.color.as_ref());
    number(w, "intensity", light.intensity);
    number(w, "range", light.range);
    if &*light.kind == "spot" {
        w.name("spot").object(|w| {
            number(w, "innerConeAngle", light.inner_cone_angle);
            number(w, "outerConeAngle", light.outer_cone_angle);
        });
    }
}

/// The members of an item of `animations`.
pub(crate) fn animation(w: &mut JsonWriter, a: usize, animation: &mut Animation, extras: Extras<'_>) {
    text(w, "name", animation.name.as_deref());
    list(w, "channels", &mut animation.channels, |w, _, part| channel(w, part));
    list(w, "samplers", &mut animation.samplers, |w, _, part| sampler(w, part));
    animation.extras = extras(w, Owner::Animation(a));
}

fn channel(w: &mut JsonWriter, channel: &Channel) {
    index(w, "sampler", Some(channel.sampler));
    w.name("target").object(|w| {
        index(w, "node", channel.node);
        w.name("path").string(channel.path.word());
        if channel.pointer.is_some() {
            extension(w, POINTER, |w| text(w, "pointer", channel.pointer.as_deref()));
        }
    });
}

fn sampler(w: &mut JsonWriter, sampler: &AnimationSampler) {
    index(w, "input", Some(sampler.input));
    if sampler.interpolation != Interpolation::Linear {
        w.name("interpolation").string(sampler.interpolation.word());
    }
    index(w, "output", Some(sampler.output));
}

/// Writes the member `extras`. Yields the span of its value.
pub(crate) fn extras(
    w: &mut JsonWriter,
    value: impl FnOnce(&mut JsonWriter) -> &mut JsonWriter,
) -> Option<Span> {
    w.name("extras");
    let start = w.position();
    value(w);
    Some(start..w.position())
}
