//! The JSON text of a whole file, members in a fixed order, nothing that is a default.

use super::super::rotation::near_unit;
use super::animations::{POINTER_EXTENSION, clip_without_channels};
use super::geometry::Geometry;
use super::graph::Graph;
use super::keys::narrow;
use super::materials::UNLIT_EXTENSION;
use super::plan::{Goal, PlannedClip};
use super::store::Packed;
use dopesheet_core::bytes::json::{JsonWriter, NumberStyle};
use dopesheet_core::model::{Camera, Lens, Light, LightKind, Node, Scene, Transform};

/// Names us and our version.
const GENERATOR: &str = concat!("Dopesheet ", env!("CARGO_PKG_VERSION"));
/// The extension for lights.
const LIGHTS_EXTENSION: &str = "KHR_lights_punctual";
/// Largest f32 below π: fields of view must be less.
const LARGEST_YFOV: f64 = 3.141_592_5;

/// All parts of a file.
pub(super) struct File<'a> {
    pub(super) scene: &'a Scene,
    pub(super) graph: &'a Graph,
    pub(super) geometry: &'a Geometry,
    pub(super) clips: &'a [PlannedClip<'a>],
    pub(super) animations: Vec<String>,
    pub(super) packed: &'a Packed,
}

/// The text of the file.
pub(super) fn json(file: &File<'_>) -> String {
    let mut json = JsonWriter::new(NumberStyle::ShortestF32);
    json.object(|w| {
        w.name("asset").object(|w| {
            w.name("version").string("2.0").name("generator").string(GENERATOR);
        });
        extensions(w, file);
        scenes(w, file);
        nodes(w, file);
        items(w, "cameras", &cameras(file));
        items(w, "meshes", &file.geometry.meshes);
        items(w, "skins", &file.geometry.skins);
        items(w, "materials", &file.geometry.materials.items);
        items(w, "textures", &file.geometry.materials.textures());
        items(w, "images", &file.geometry.materials.images());
        items(w, "animations", &file.animations);
        items(w, "accessors", &file.packed.accessors);
        items(w, "bufferViews", &file.packed.views);
        if file.packed.length > 0 {
            w.name("buffers").array(|w| {
                w.object(|w| {
                    w.name("byteLength").integer(file.packed.length);
                });
                if let Some(fallback) = file.packed.fallback_buffer() {
                    w.raw(&fallback);
                }
            });
        }
        lights(w, file);
    });
    json.finish()
}

fn items(w: &mut JsonWriter, name: &str, items: &[String]) {
    if !items.is_empty() {
        w.name(name).array(|w| {
            for item in items {
                w.raw(item);
            }
        });
    }
}

fn extensions(w: &mut JsonWriter, file: &File<'_>) {
    let mut channels = file.clips.iter().flat_map(|clip| &clip.channels);
    let pointers = channels.any(|channel| matches!(channel.goal, Goal::Pointer(_)));
    let lights = !file.graph.lights.kept.is_empty();
    let unlit = file.geometry.materials.uses_unlit;
    let known = [(POINTER_EXTENSION, pointers), (LIGHTS_EXTENSION, lights), (UNLIT_EXTENSION, unlit)];
    let plain = known.into_iter().filter(|(_, used)| *used).map(|(name, _)| name);
    let used: Vec<&str> = plain.chain(file.packed.extension).collect();
    let required: Vec<&str> = file.packed.extension.into_iter().collect();
    for (member, names) in [("extensionsUsed", used), ("extensionsRequired", required)] {
        if !names.is_empty() {
            w.name(member).array(|w| {
                for name in names {
                    w.string(name);
                }
            });
        }
    }
}

fn scenes(w: &mut JsonWriter, file: &File<'_>) {
    let spare: Vec<String> =
        file.clips.iter().filter(|clip| clip.channels.is_empty()).map(clip_without_channels).collect();
    w.name("scene").integer(0).name("scenes").array(|w| {
        w.object(|w| {
            indices(w, "nodes", &file.graph.roots);
            if !spare.is_empty() {
                w.name("extras").object(|w| items(w, "clips", &spare));
            }
        });
    });
}

fn nodes(w: &mut JsonWriter, file: &File<'_>) {
    if file.scene.nodes.is_empty() {
        return;
    }
    w.name("nodes").array(|w| {
        for (index, node) in file.scene.nodes.iter().enumerate() {
            w.object(|w| self::node(w, file, index, node));
        }
        if let Some((name, roots)) = &file.graph.added_root {
            w.object(|w| {
                w.name("name").string(name);
                indices(w, "children", roots);
            });
        }
    });
}

fn node(w: &mut JsonWriter, file: &File<'_>, index: usize, node: &Node) {
    let name = &file.graph.names[index];
    w.name("name").string(name);
    indices(w, "children", &file.graph.children[index]);
    if !file.geometry.stands_alone(index) {
        transform(w, &node.rest);
    }
    for (member, place) in [
        ("mesh", file.geometry.mesh(index)),
        ("skin", file.geometry.skin(index)),
        ("camera", node.camera.and_then(|camera| file.graph.cameras.place(camera.0))),
    ] {
        if let Some(place) = place {
            w.name(member).integer(place);
        }
    }
    if let Some(light) = node.light.and_then(|light| file.graph.lights.place(light.0)) {
        w.name("extensions").object(|w| {
            w.name(LIGHTS_EXTENSION).object(|w| {
                w.name("light").integer(light);
            });
        });
    }
    extras(w, node, name);
}

/// A node's own extras, and its name if it had to be changed.
fn extras(w: &mut JsonWriter, node: &Node, name: &str) {
    let renamed = *name != node.name;
    if !renamed && node.extras.is_none() {
        return;
    }
    w.name("extras").object(|w| {
        match &node.extras {
            Some(serde_json::Value::Object(members)) => {
                for (name, value) in members.iter().filter(|(name, _)| *name != "originalName") {
                    w.name(name).raw(&value.to_string());
                }
            }
            Some(value) => {
                w.name("value").raw(&value.to_string());
            }
            None => {}
        }
        if renamed {
            w.name("originalName").string(&node.name);
        }
    });
}

fn indices(w: &mut JsonWriter, name: &str, indices: &[usize]) {
    if !indices.is_empty() {
        w.name(name).array(|w| {
            for index in indices {
                w.integer(*index);
            }
        });
    }
}

/// The members that stand for a transform; at least one.
pub(in crate::gltf) fn transform_members(rest: &Transform) -> String {
    let mut json = JsonWriter::new(NumberStyle::ShortestF32);
    json.object(|w| transform(w, rest));
    let text = json.finish();
    match text.get(1..text.len() - 1) {
        Some(members) if !members.is_empty() => members.to_owned(),
        _ => "\"translation\":[0,0,0]".to_owned(),
    }
}

/// Translation, rotation and scale, unless they are the identity. What is not finite is left out.
fn transform(w: &mut JsonWriter, rest: &Transform) {
    let identity = Transform::IDENTITY;
    let rotation = near_unit(rest.rotation);
    let differs = |value: &[f64], identity: &[f64]| {
        value.iter().all(|v| narrow(*v).is_finite())
            && value.iter().zip(identity).any(|(v, identity)| narrow(*v) != narrow(*identity))
    };
    for (name, value, identity) in [
        ("translation", &rest.translation[..], &identity.translation[..]),
        ("rotation", &rotation[..], &identity.rotation[..]),
        ("scale", &rest.scale[..], &identity.scale[..]),
    ] {
        if differs(value, identity) {
            w.name(name).numbers(value.iter().copied());
        }
    }
}

fn cameras(file: &File<'_>) -> Vec<String> {
    let cameras = file.graph.cameras.kept.iter().enumerate();
    cameras
        .map(|(place, index)| {
            let pointer = format!("/cameras/{place}/perspective/yfov");
            camera(&file.scene.cameras[*index], first_value(file.clips, &pointer))
        })
        .collect()
}

/// The first value that any clip gives a property, for readers that do not animate it.
fn first_value(clips: &[PlannedClip<'_>], pointer: &str) -> Option<f64> {
    let mut channels = clips.iter().flat_map(|clip| &clip.channels);
    let channel = channels.find(|c| matches!(&c.goal, Goal::Pointer(own) if own == pointer))?;
    channel.keys.key_values().next()?.first().map(|value| f64::from(*value))
}

fn camera(camera: &Camera, first_yfov: Option<f64>) -> String {
    let mut json = JsonWriter::new(NumberStyle::ShortestF32);
    json.object(|w| {
        if !camera.name.is_empty() {
            w.name("name").string(&camera.name);
        }
        let planes = |w: &mut JsonWriter| {
            w.name("znear").number(camera.near);
            if let Some(far) = camera.far {
                w.name("zfar").number(far);
            }
        };
        match camera.lens {
            Lens::Perspective { yfov_rad, aspect } => {
                w.name("type").string("perspective").name("perspective").object(|w| {
                    if let Some(aspect) = aspect {
                        w.name("aspectRatio").number(aspect);
                    }
                    w.name("yfov").number(first_yfov.unwrap_or(yfov_rad).min(LARGEST_YFOV));
                    planes(w);
                });
            }
            Lens::Orthographic { half_width, half_height } => {
                w.name("type").string("orthographic").name("orthographic").object(|w| {
                    w.name("xmag").number(half_width).name("ymag").number(half_height);
                    planes(w);
                });
            }
        }
    });
    json.finish()
}

fn lights(w: &mut JsonWriter, file: &File<'_>) {
    let lights = &file.graph.lights.kept;
    if lights.is_empty() {
        return;
    }
    w.name("extensions").object(|w| {
        w.name(LIGHTS_EXTENSION).object(|w| {
            w.name("lights").array(|w| {
                for index in lights {
                    w.object(|w| light(w, &file.scene.lights[*index]));
                }
            });
        });
    });
}

/// Defaults as in KHR_lights_punctual.
fn light(w: &mut JsonWriter, light: &Light) {
    if !light.name.is_empty() {
        w.name("name").string(&light.name);
    }
    let (kind, range) = match light.kind {
        LightKind::Directional => ("directional", None),
        LightKind::Point { range } => ("point", range),
        LightKind::Spot { range, .. } => ("spot", range),
    };
    w.name("type").string(kind);
    if light.color != [1.0; 3] {
        w.name("color").numbers(light.color);
    }
    if light.intensity != 1.0 {
        w.name("intensity").number(light.intensity);
    }
    if let Some(range) = range {
        w.name("range").number(range);
    }
    if let LightKind::Spot { inner_rad, outer_rad, .. } = light.kind {
        w.name("spot").object(|w| {
            if inner_rad != 0.0 {
                w.name("innerConeAngle").number(inner_rad);
            }
            if narrow(outer_rad) != std::f32::consts::FRAC_PI_4 {
                w.name("outerConeAngle").number(outer_rad);
            }
        });
    }
}
