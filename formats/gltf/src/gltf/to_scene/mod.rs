//! Document → scene: follows the meaning of the file, and reports every repair.

mod clips;
mod curves;
mod extras;
mod geometry;
mod humanoid;
mod losses;
mod materials;
mod nodes;
mod pointer;
mod repairs;

use super::binary::accessor;
use super::binary::views::Views;
use super::document::Document;
use crate::checks::code;
use dopesheet_core::diag::{Code, ConvertError, ConvertErrorKind, Fault, Report};
use dopesheet_core::format::ToScene;
use dopesheet_core::model::{Basis, Camera, Lens, Light, LightKind, Scene};

use std::fmt::{self, Display};

pub(super) use nodes::{UNIT_TOLERANCE, has_shear, rest_pose};
pub(super) use pointer::{Pointed, parse as parse_pointer};

/// Extensions that do not affect the meaning of a file's keys; a file may require them.
const HARMLESS_EXTENSIONS: [&str; 12] = [
    "EXT_meshopt_compression",
    "EXT_mesh_gpu_instancing",
    "EXT_texture_avif",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_visibility",
    "MSFT_texture_dds",
    "VRM",
];
const HARMLESS_PREFIXES: [&str; 3] = ["KHR_materials_", "KHR_texture_", "VRMC_"];

/// The vertical field of view, in radians, for a camera that states none; glTF requires it, so any will do.
const FALLBACK_YFOV_RAD: f64 = std::f64::consts::FRAC_PI_4;
/// The near plane for a camera that states none, in metres.
const FALLBACK_NEAR_M: f64 = 0.01;

/// A kind of fault, and its repair.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Repair {
    code: Code,
    expected: &'static str,
    /// The fault, and its repair.
    found: &'static str,
}

/// A channel of an animation; its text form is a JSON pointer.
#[derive(Clone, Copy)]
struct ChannelPlace {
    animation: usize,
    channel: usize,
}

impl Display for ChannelPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/animations/{}/channels/{}", self.animation, self.channel)
    }
}

/// Repairs, each with its first place and its number.
#[derive(Default)]
struct Repairs(Vec<(Repair, String, usize)>);

impl Repairs {
    /// The place is only put into words the first time.
    fn note(&mut self, repair: Repair, pointer: impl Display) {
        match self.0.iter_mut().find(|(noted, ..)| *noted == repair) {
            Some((.., count)) => *count += 1,
            None => self.0.push((repair, pointer.to_string(), 1)),
        }
    }

    fn report(self, document: &Document, report: &mut Report) {
        for (repair, pointer, count) in self.0 {
            let often = if count == 1 { String::new() } else { format!(" ({count} times)") };
            let actual = format!("{}{often}", repair.found);
            report.warn(document.fault(&pointer, repair.code, repair.expected, actual));
        }
    }
}

/// Refuses a document with a required extension that might change everything.
pub(super) fn refuse_unknown_extensions(document: &Document) -> Result<(), Box<Fault>> {
    match unknown_required_extension(document) {
        Some((n, name)) => {
            let pointer = format!("/extensionsRequired/{n}");
            let expected = "an extension that is known here";
            Err(Box::new(document.fault(&pointer, code::EXT_REQUIRED, expected, format!("{name:?}"))))
        }
        None => Ok(()),
    }
}

fn unknown_required_extension(document: &Document) -> Option<(usize, &String)> {
    document.parts.extensions_required.iter().enumerate().find(|(_, name)| {
        !HARMLESS_EXTENSIONS.contains(&name.as_str())
            && !HARMLESS_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    })
}

/// Document → scene.
pub(crate) fn to_scene(
    format: &'static str,
    document: &Document,
    options: &ToScene,
    report: &mut Report,
) -> Result<Scene, ConvertError> {
    let failed = |fault| ConvertError::new(format, ConvertErrorKind::Fault(fault));
    refuse_unknown_extensions(document).map_err(failed)?;
    let mut scene = Scene::new(Basis::GLTF);
    let (views, mut repairs) = (Views::of(document), Repairs::default());
    let places = nodes::nodes(document, options, &mut scene, &mut repairs);
    scene.cameras = document.parts.cameras.iter().map(camera).collect();
    scene.lights = document.parts.lights.iter().map(light).collect();
    clips::clips(&views, options, &places, &mut scene, &mut repairs, report).map_err(failed)?;
    geometry::geometry(&views, &places, &mut scene, report);
    scene.humanoid = humanoid::humanoid(document, &places, &scene);
    repairs.report(document, report);
    Ok(scene)
}

fn camera(camera: &super::json::parts::Camera) -> Camera {
    let lens = if camera.orthographic {
        Lens::Orthographic { half_width: camera.xmag.unwrap_or(1.0), half_height: camera.ymag.unwrap_or(1.0) }
    } else {
        Lens::Perspective { yfov_rad: camera.yfov.unwrap_or(FALLBACK_YFOV_RAD), aspect: camera.aspect_ratio }
    };
    Camera {
        name: camera.name.as_deref().unwrap_or_default().to_owned(),
        lens,
        near: camera.znear.unwrap_or(FALLBACK_NEAR_M),
        far: camera.zfar,
    }
}

/// Defaults as in KHR_lights_punctual.
fn light(light: &super::json::parts::Light) -> Light {
    let range = light.range;
    let kind = match &*light.kind {
        "point" => LightKind::Point { range },
        "spot" => LightKind::Spot {
            range,
            inner_rad: light.inner_cone_angle.unwrap_or(0.0),
            outer_rad: light.outer_cone_angle.unwrap_or(std::f64::consts::FRAC_PI_4),
        },
        _ => LightKind::Directional,
    };
    Light {
        name: light.name.as_deref().unwrap_or_default().to_owned(),
        color: light.color.unwrap_or([1.0; 3]),
        intensity: light.intensity.unwrap_or(1.0),
        kind,
    }
}
