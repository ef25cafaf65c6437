//! Scenes, nodes, and the cameras, lights and skins of nodes.

use super::super::parts::{Camera, Light, Node, NodeContent, NodeTransform, SceneEntry, Skin};
use super::reference::extension_index;
use super::value::{boxed, fixed, index, indices, members, missing, number, numbers, object, position};
use crate::checks::code;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::JsonCursor;

pub(super) fn scene(c: &mut JsonCursor<'_>) -> Read<SceneEntry> {
    let mut scene = SceneEntry::default();
    members! { c, name:
        "nodes" => scene.nodes = indices(c)?,
        "extras" => scene.extras = Some(c.skip()?),
    }
    Ok(scene)
}

pub(super) fn node(c: &mut JsonCursor<'_>) -> Read<Node> {
    let mut node = Node::default();
    members! { c, name:
        "name" => node.name = boxed(c)?,
        "children" => node.children = indices(c)?,
        "mesh" | "skin" | "camera" | "weights" | "extras" | "extensions" => {
            content(c, name, node.content.get_or_insert_default())?;
        }
        "matrix" | "translation" | "rotation" | "scale" => {
            transform(c, name, node.transform.get_or_insert_default())?;
        }
    }
    Ok(node)
}

fn content(c: &mut JsonCursor<'_>, name: &str, content: &mut NodeContent) -> Read<()> {
    match name {
        "mesh" => content.mesh = Some(index(c)?),
        "skin" => content.skin = Some(index(c)?),
        "camera" => content.camera = Some(index(c)?),
        "weights" => content.weights = Some(numbers(c)?),
        "extras" => content.extras = Some(c.skip()?),
        _ => {
            content.has_extensions = true;
            content.light = extension_index(c, &["KHR_lights_punctual"], "light")?;
        }
    }
    Ok(())
}

fn transform(c: &mut JsonCursor<'_>, name: &str, transform: &mut NodeTransform) -> Read<()> {
    match name {
        "matrix" => transform.matrix = Some(Box::new(fixed(c)?)),
        "translation" => transform.translation = Some(fixed(c)?),
        "rotation" => transform.rotation = Some(fixed(c)?),
        _ => transform.scale = Some(fixed(c)?),
    }
    Ok(())
}

pub(super) fn skin(c: &mut JsonCursor<'_>) -> Read<Skin> {
    let mut skin = Skin::default();
    members! { c, name:
        "name" => skin.name = boxed(c)?,
        "joints" => skin.joints = indices(c)?,
        "inverseBindMatrices" => skin.inverse_bind_matrices = Some(index(c)?),
        "skeleton" => skin.skeleton = Some(index(c)?),
    }
    Ok(skin)
}

pub(super) fn camera(c: &mut JsonCursor<'_>) -> Read<Camera> {
    let start = position(c)?;
    let (mut camera, mut kind) = (Camera::default(), None);
    members! { c, name:
        "name" => camera.name = boxed(c)?,
        "type" => {
            let mut before = c.clone();
            let word = boxed(c)?;
            kind = match word.as_deref() {
                Some("orthographic") => Some(true),
                Some("perspective") => Some(false),
                _ => {
                    let expected = "\"perspective\" or \"orthographic\"";
                    return Err(before.fault_here(code::VALUE_NOT_IN_LIST, expected));
                }
            };
        }
        "perspective" | "orthographic" => lens(c, &mut camera)?,
    }
    camera.orthographic = kind.ok_or_else(|| missing(c, start, "type"))?;
    Ok(camera)
}

fn lens(c: &mut JsonCursor<'_>, camera: &mut Camera) -> Read<()> {
    object(c, |c, name| {
        let slot = match name {
            "yfov" => &mut camera.yfov,
            "aspectRatio" => &mut camera.aspect_ratio,
            "xmag" => &mut camera.xmag,
            "ymag" => &mut camera.ymag,
            "znear" => &mut camera.znear,
            "zfar" => &mut camera.zfar,
            _ => return c.skip().map(drop),
        };
        *slot = Some(number(c)?);
        Ok(())
    })
}

pub(super) fn light(c: &mut JsonCursor<'_>) -> Read<Light> {
    let start = position(c)?;
    let (mut light, mut kind) = (Light::default(), None);
    members! { c, name:
        "name" => light.name = boxed(c)?,
        "type" => kind = boxed(c)?,
        "color" => light.color = Some(fixed(c)?),
        "intensity" => light.intensity = Some(number(c)?),
        "range" => light.range = Some(number(c)?),
        "spot" => object(c, |c, name| {
            let slot = match name {
                "innerConeAngle" => &mut light.inner_cone_angle,
                "outerConeAngle" => &mut light.outer_cone_angle,
                _ => return c.skip().map(drop),
            };
            *slot = Some(number(c)?);
            Ok(())
        })?,
    }
    light.kind = kind.ok_or_else(|| missing(c, start, "type"))?;
    Ok(light)
}
