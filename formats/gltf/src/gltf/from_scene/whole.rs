//! The parts of a whole file, and its `extras`.

use super::super::rotation::near_unit;
use super::geometry::Geometry;
use super::graph::Graph;
use super::keys::narrow;
use super::plan::{Goal, PlannedClip};
use super::store::Packed;
use super::values::{boxed, index, stored};
use crate::gltf::json::parse::UNLIT;
use crate::gltf::json::parts;
use crate::gltf::json::parts::{Asset, Buffer, NodeContent, NodeTransform, Parts, SceneEntry};
use crate::gltf::json::text;
use crate::gltf::json::text::Owner;
use dopesheet_core::bytes::json::{JsonWriter, Span};
use dopesheet_core::model::{Camera, Lens, Light, LightKind, Node, Scene, Transform};
use serde_json::Value;

/// Names us and our version.
const GENERATOR: &str = concat!("Dopesheet ", env!("CARGO_PKG_VERSION"));
/// Largest f32 below π: fields of view must be less.
const LARGEST_YFOV: f64 = 3.141_592_5;

/// A file in the making.
pub(super) struct Whole<'a> {
    pub(super) scene: &'a Scene,
    pub(super) graph: &'a Graph,
    pub(super) geometry: Geometry<'a>,
    pub(super) clips: &'a [PlannedClip<'a>],
}

impl Whole<'_> {
    /// The parts, given the parts of the animations.
    pub(super) fn parts(&mut self, animations: Vec<parts::Animation>, packed: &mut Packed) -> Parts {
        let (scene, graph) = (self.scene, self.graph);
        let mut nodes: Vec<parts::Node> = (0..scene.nodes.len()).map(|n| self.node(n)).collect();
        nodes.extend(graph.added_root.as_ref().map(|(name, roots)| parts::Node {
            name: Some(name.as_str().into()),
            children: indices(roots),
            ..parts::Node::default()
        }));
        let plain =
            (packed.length > 0).then(|| Buffer { byte_length: packed.length as u64, ..Buffer::default() });
        let geometry = &mut self.geometry;
        let mut parts = Parts {
            asset: Asset { version: "2.0".into(), generator: Some(GENERATOR.into()), ..Asset::default() },
            scene: Some(0),
            scenes: vec![SceneEntry { nodes: indices(&graph.roots), extras: None }],
            nodes,
            meshes: std::mem::take(&mut geometry.meshes),
            skins: std::mem::take(&mut geometry.skins),
            textures: geometry.materials.textures(),
            materials: std::mem::take(&mut geometry.materials.items),
            images: std::mem::take(&mut geometry.materials.images),
            lights: graph.lights.kept.iter().map(|light| self::light(&scene.lights[*light])).collect(),
            animations,
            accessors: std::mem::take(&mut packed.accessors),
            buffer_views: std::mem::take(&mut packed.views),
            buffers: plain.into_iter().chain(packed.fallback_buffer()).collect(),
            ..Parts::default()
        };
        parts.cameras = self.cameras();
        let pointers =
            parts.animations.iter().flat_map(|part| &part.channels).any(|part| part.pointer.is_some());
        let lights = !parts.lights.is_empty();
        let unlit = parts.materials.iter().any(|material| material.unlit);
        let extensions = [(text::POINTER, pointers), (text::LIGHTS, lights), (UNLIT, unlit)];
        let plain = extensions.into_iter().filter(|(_, used)| *used).map(|(name, _)| name);
        parts.extensions_used = plain.chain(packed.extension).map(str::to_owned).collect();
        parts.extensions_required = packed.extension.into_iter().map(str::to_owned).collect();
        parts
    }

    fn node(&self, n: usize) -> parts::Node {
        let node = &self.scene.nodes[n];
        let light = node.light.and_then(|light| self.graph.lights.file_index(light.0)).map(index);
        let content = NodeContent {
            mesh: self.geometry.mesh(n).map(index),
            skin: self.geometry.skin(n).map(index),
            camera: node.camera.and_then(|camera| self.graph.cameras.file_index(camera.0)).map(index),
            light,
            has_extensions: light.is_some(),
            ..NodeContent::default()
        };
        let stands_alone = self.geometry.stands_alone(n);
        parts::Node {
            name: Some(self.graph.names[n].as_str().into()),
            children: indices(&self.graph.children[n]),
            transform: if stands_alone { None } else { transform(&node.rest) }.map(Box::new),
            content: (content != NodeContent::default()).then(|| Box::new(content)),
        }
    }

    fn cameras(&self) -> Vec<parts::Camera> {
        let cameras = self.graph.cameras.kept.iter().enumerate();
        let written = cameras.map(|(number, index)| {
            let pointer = format!("/cameras/{number}/perspective/yfov");
            camera(&self.scene.cameras[*index], first_value(self.clips, &pointer))
        });
        written.collect()
    }

    /// Writes the extras of a part. Yields their span in the text.
    pub(super) fn extras(&self, w: &mut JsonWriter, owner: Owner) -> Option<Span> {
        let clips = self.clips.iter();
        match owner {
            Owner::Scene => {
                let spare: Vec<_> = clips.filter(|clip| clip.channels.is_empty()).collect();
                if spare.is_empty() { None } else { spares(w, &spare) }
            }
            Owner::Node(n) => node_extras(w, self.scene.nodes.get(n)?, &self.graph.names[n]),
            Owner::Mesh(m) => {
                let (set, is_placeholder) = (*self.geometry.morphs.get(m)?)?;
                text::extras(w, |w| {
                    w.object(|w| {
                        w.name("targetNames").array(|w| {
                            for morph in &set.morphs {
                                w.string(morph);
                            }
                        });
                        if is_placeholder {
                            w.name("placeholder").bool(true);
                        }
                    })
                })
            }
            Owner::Material(m) => {
                let material = self.scene.materials.get(*self.geometry.materials.used.kept.get(m)?)?;
                let extras = material.extras.as_ref().filter(|extras| extras.is_object())?;
                text::extras(w, |w| w.raw(&extras.to_string()))
            }
            Owner::Animation(a) => clips.filter(|clip| !clip.channels.is_empty()).nth(a)?.extras.write(w),
        }
    }
}

/// The clips without channels, which therefore cannot be animations.
fn spares(w: &mut JsonWriter, clips: &[&PlannedClip<'_>]) -> Option<Span> {
    let clip = |w: &mut JsonWriter, clip: &PlannedClip<'_>| {
        if let Some(name) = &clip.name {
            w.name("name").string(name);
        }
        clip.extras.members(w);
    };
    text::extras(w, |w| {
        w.object(|w| {
            w.name("clips").array(|w| {
                for spare in clips {
                    w.object(|w| clip(w, spare));
                }
            });
        })
    })
}

/// A node's extras from the scene, and its original name if the name had to be changed.
fn node_extras(w: &mut JsonWriter, node: &Node, name: &str) -> Option<Span> {
    let renamed = *name != node.name;
    if !renamed && node.extras.is_none() {
        return None;
    }
    let members = |w: &mut JsonWriter| {
        match &node.extras {
            Some(Value::Object(members)) => {
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
    };
    text::extras(w, |w| w.object(members))
}

fn indices(places: &[usize]) -> Box<[parts::Index]> {
    places.iter().copied().map(index).collect()
}

/// Translation, rotation and scale, unless they are the identity. Properties that are not finite are left
/// out.
pub(in crate::gltf) fn transform(rest: &Transform) -> Option<NodeTransform> {
    fn differing<const N: usize>(value: [f64; N], identity: [f64; N]) -> Option<[f64; N]> {
        let differs = value.map(narrow) != identity.map(narrow);
        (differs && value.iter().all(|v| narrow(*v).is_finite())).then(|| value.map(stored))
    }
    let identity = Transform::IDENTITY;
    let stored_transform = NodeTransform {
        matrix: None,
        translation: differing(rest.translation, identity.translation),
        rotation: differing(near_unit(rest.rotation), identity.rotation),
        scale: differing(rest.scale, identity.scale),
    };
    (stored_transform != NodeTransform::default()).then_some(stored_transform)
}

/// The first value of a property in any clip, for readers that do not animate the property.
fn first_value(clips: &[PlannedClip<'_>], pointer: &str) -> Option<f64> {
    let mut channels = clips.iter().flat_map(|clip| &clip.channels);
    let channel = channels.find(|c| matches!(&c.goal, Goal::Pointer(own) if own == pointer))?;
    channel.keys.key_values().next()?.first().map(|value| f64::from(*value))
}

fn camera(camera: &Camera, first_yfov: Option<f64>) -> parts::Camera {
    let mut stored_camera = parts::Camera {
        name: boxed(&camera.name),
        znear: Some(stored(camera.near)),
        zfar: camera.far.map(stored),
        ..parts::Camera::default()
    };
    match camera.lens {
        Lens::Perspective { yfov_rad, aspect } => {
            stored_camera.aspect_ratio = aspect.map(stored);
            stored_camera.yfov = Some(stored(first_yfov.unwrap_or(yfov_rad).min(LARGEST_YFOV)));
        }
        Lens::Orthographic { half_width, half_height } => {
            stored_camera.orthographic = true;
            stored_camera.xmag = Some(stored(half_width));
            stored_camera.ymag = Some(stored(half_height));
        }
    }
    stored_camera
}

/// Defaults as in KHR_lights_punctual.
fn light(light: &Light) -> parts::Light {
    let (kind, range) = match light.kind {
        LightKind::Directional => ("directional", None),
        LightKind::Point { range } => ("point", range),
        LightKind::Spot { range, .. } => ("spot", range),
    };
    let mut stored_light = parts::Light {
        name: boxed(&light.name),
        kind: kind.into(),
        color: (light.color != [1.0; 3]).then(|| light.color.map(stored)),
        intensity: (light.intensity != 1.0).then(|| stored(light.intensity)),
        range: range.map(stored),
        ..parts::Light::default()
    };
    if let LightKind::Spot { inner_rad, outer_rad, .. } = light.kind {
        stored_light.inner_cone_angle = (inner_rad != 0.0).then(|| stored(inner_rad));
        let is_default = narrow(outer_rad) == std::f32::consts::FRAC_PI_4;
        stored_light.outer_cone_angle = (!is_default).then(|| stored(outer_rad));
    }
    stored_light
}
