//! Target of a JSON pointer of `KHR_animation_pointer` points at (glTF 2.0 Asset Object Model).

use crate::gltf::json::parts::{Index, Path};
use dopesheet_core::model::Property;
use std::borrow::Cow;

/// Target of a pointer.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::gltf) enum Pointed {
    /// A property of a node that channels can also target by a path.
    Node(Index, Path),
    /// A number of a camera.
    Camera(Index, Property),
    /// A number or the colour of a light.
    Light(Index, Property),
    /// A colour of a material.
    Material(Index, Property),
    /// Anything else.
    Unknown,
}

/// Reads a pointer.
pub(in crate::gltf) fn parse(pointer: &str) -> Pointed {
    let tokens: Vec<&str> = pointer.split('/').collect();
    let pointed = match *tokens.as_slice() {
        ["", "nodes", index, path] => node(index, path),
        ["", "cameras", index, "perspective" | "orthographic", name] => camera(index, name),
        ["", "materials", index, "pbrMetallicRoughness", "baseColorFactor"] => {
            index.parse().ok().map(|index| Pointed::Material(index, Property::BASE_COLOR))
        }
        ["", "materials", index, "emissiveFactor"] => {
            index.parse().ok().map(|index| Pointed::Material(index, Property::EMISSIVE))
        }
        ["", "extensions", "KHR_lights_punctual", "lights", index, name] => light(index, name),
        ["", "extensions", "KHR_lights_punctual", "lights", index, "spot", name] => spot(index, name),
        _ => None,
    };
    pointed.unwrap_or(Pointed::Unknown)
}

fn node(index: &str, path: &str) -> Option<Pointed> {
    let path = Path::from_word(path);
    let is_of_node = matches!(path, Path::Translation | Path::Rotation | Path::Scale | Path::Weights);
    is_of_node.then_some(())?;
    Some(Pointed::Node(index.parse().ok()?, path))
}

fn camera(index: &str, name: &str) -> Option<Pointed> {
    let property = match name {
        "yfov" => Property::YFov,
        _ => named(name, &["znear", "zfar", "aspectRatio", "xmag", "ymag"])?,
    };
    Some(Pointed::Camera(index.parse().ok()?, property))
}

fn light(index: &str, name: &str) -> Option<Pointed> {
    let property = match name {
        "color" => Property::Color,
        "intensity" => Property::Intensity,
        _ => named(name, &["range"])?,
    };
    Some(Pointed::Light(index.parse().ok()?, property))
}

fn spot(index: &str, name: &str) -> Option<Pointed> {
    Some(Pointed::Light(index.parse().ok()?, named(name, &["innerConeAngle", "outerConeAngle"])?))
}

/// The property called by one of these names.
fn named(name: &str, names: &[&'static str]) -> Option<Property> {
    names.iter().find(|known| **known == name).map(|known| Property::Named(Cow::Borrowed(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_to_motion_are_understood_and_others_left_alone() {
        assert_eq!(parse("/nodes/3/rotation"), Pointed::Node(3, Path::Rotation));
        assert_eq!(parse("/cameras/0/perspective/yfov"), Pointed::Camera(0, Property::YFov));
        assert_eq!(
            parse("/extensions/KHR_lights_punctual/lights/2/color"),
            Pointed::Light(2, Property::Color)
        );
        assert_eq!(parse("/materials/1/emissiveFactor"), Pointed::Material(1, Property::EMISSIVE));
        for other in ["", "/", "/nodes/3/weights/0", "/nodes/-1/scale", "/materials/0/alphaCutoff", "x"] {
            assert_eq!(parse(other), Pointed::Unknown, "{other}");
        }
    }
}
