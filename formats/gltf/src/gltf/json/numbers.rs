//! Places in the text with the numbers of accessors and buffer views.

use super::place::JSON_CODES;
use super::splice::whole;
use dopesheet_core::bytes::Read;
use dopesheet_core::bytes::json::{JsonCursor, JsonKind, Span};

/// Extensions that name no accessor and no view beyond the paths in [`NumberedList::named_by`] (their
/// specifications in KhronosGroup/glTF, folder `extensions`, and in vrm-c/vrm-specification).
const KNOWN_EXTENSIONS: [&str; 20] = [
    "EXT_lights_image_based",
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_avif",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_node_visibility",
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "MSFT_lod",
    "MSFT_packing_normalRoughnessMetallic",
    "MSFT_packing_occlusionRoughnessMetallic",
    "MSFT_texture_dds",
    "VRM",
];
const KNOWN_PREFIXES: [&str; 3] = ["KHR_materials_", "KHR_texture_", "VRMC_"];

/// A list of a document with items referred to by number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NumberedList {
    Accessors,
    Views,
}

impl NumberedList {
    /// The list to which a number at a path of member names refers; positions in arrays are no part of the
    /// path.
    fn named_by(path: &str) -> Option<Self> {
        match path {
            "/animations/samplers/input"
            | "/animations/samplers/output"
            | "/meshes/primitives/indices"
            | "/skins/inverseBindMatrices" => Some(Self::Accessors),
            "/accessors/bufferView"
            | "/accessors/sparse/indices/bufferView"
            | "/accessors/sparse/values/bufferView"
            | "/images/bufferView"
            | "/meshes/primitives/extensions/KHR_draco_mesh_compression/bufferView" => Some(Self::Views),
            _ => match path.rsplit_once('/')?.0 {
                "/meshes/primitives/attributes"
                | "/meshes/primitives/targets"
                | "/nodes/extensions/EXT_mesh_gpu_instancing/attributes" => Some(Self::Accessors),
                _ => None,
            },
        }
    }
}

/// A number and its place in the text.
pub(crate) type Numbered = (usize, Span);

/// All numbers of accessors and views in a text, in its order.
#[derive(Default)]
pub(crate) struct ItemNumbers {
    pub(crate) accessors: Vec<Numbered>,
    pub(crate) views: Vec<Numbered>,
    /// True if an unknown extension, or an `extras`, may name further items.
    pub(crate) may_be_more: bool,
}

impl ItemNumbers {
    pub(crate) fn of(json: &str) -> Self {
        let mut numbers = Self::default();
        // The text has been read before, so it cannot fail.
        let _ = numbers.visit(&mut JsonCursor::from_text(json, JSON_CODES), &mut String::new());
        numbers
    }

    fn visit(&mut self, c: &mut JsonCursor<'_>, path: &mut String) -> Read<()> {
        match c.peek()? {
            JsonKind::Object => c.object(|c, name| {
                let above = path.len();
                path.extend(["/", name]);
                let visited = self.member(c, path, above, name);
                path.truncate(above);
                visited
            }),
            JsonKind::Array => c.array(|c, _| self.visit(c, path)),
            JsonKind::Number => {
                let list = match NumberedList::named_by(path) {
                    Some(NumberedList::Accessors) => &mut self.accessors,
                    Some(NumberedList::Views) => &mut self.views,
                    None => return c.skip().map(drop),
                };
                list.push(whole(c)?);
                Ok(())
            }
            JsonKind::String if path == "/extensionsUsed" => {
                self.may_be_more |= !is_known(&c.string()?);
                Ok(())
            }
            _ => c.skip().map(drop),
        }
    }

    fn member(&mut self, c: &mut JsonCursor<'_>, path: &mut String, above: usize, name: &str) -> Read<()> {
        if name == "extras" {
            return find_names_of_items(c, &mut self.may_be_more);
        }
        if path.get(..above).is_some_and(|path| path.ends_with("/extensions")) && !is_known(name) {
            self.may_be_more = true;
            return c.skip().map(drop);
        }
        match name.contains('/') {
            true => c.skip().map(drop),
            false => self.visit(c, path),
        }
    }
}

/// Sets a flag if a member of a value has the name of an accessor or a view, and so may refer to an item.
fn find_names_of_items(c: &mut JsonCursor<'_>, has_any: &mut bool) -> Read<()> {
    match c.peek()? {
        JsonKind::Object => c.object(|c, name| {
            // Figures often have accessories.
            let name = name.to_lowercase().replace("accessory", "").replace("accessories", "");
            *has_any |= name.contains("accessor") || name.contains("bufferview");
            find_names_of_items(c, has_any)
        }),
        JsonKind::Array => c.array(|c, _| find_names_of_items(c, has_any)),
        _ => c.skip().map(drop),
    }
}

fn is_known(extension: &str) -> bool {
    KNOWN_EXTENSIONS.contains(&extension) || KNOWN_PREFIXES.iter().any(|prefix| extension.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(json: &str) -> (Vec<usize>, Vec<usize>, bool) {
        let numbers = ItemNumbers::of(json);
        let plain = |list: &[Numbered]| list.iter().map(|(number, _)| *number).collect();
        (plain(&numbers.accessors), plain(&numbers.views), numbers.may_be_more)
    }

    #[test]
    fn numbers_of_accessors_and_views_are_found_wherever_they_may_stand() {
        let json = r#"{"meshes":[{"primitives":[{"attributes":{"POSITION":1,"_X":2},"indices":3,"targets":[{"NORMAL":4}],
            "extensions":{"KHR_draco_mesh_compression":{"bufferView":5,"attributes":{"POSITION":0}}}}]}],
            "skins":[{"inverseBindMatrices":6,"joints":[7]}],"animations":[{"samplers":[{"input":8,"output":9}]}],
            "nodes":[{"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":10}}},"mesh":0}],
            "accessors":[{"bufferView":11,"count":3,"sparse":{"count":1,"indices":{"bufferView":12},"values":{"bufferView":13}}}],
            "images":[{"bufferView":14},{"uri":"a.png"}],"bufferViews":[{"buffer":0,"byteLength":4}]}"#;
        assert_eq!(found(json), (vec![1, 2, 3, 4, 6, 8, 9, 10], vec![5, 11, 12, 13, 14], false));
    }

    #[test]
    fn extensions_and_extras_that_may_name_accessors_are_told() {
        for (json, may) in [
            (r#"{"extensionsUsed":["KHR_texture_transform","EXT_instances"]}"#, true),
            (r#"{"nodes":[{"extras":{"hp":3}}]}"#, false),
            (r#"{"nodes":[{"extras":{"pathAccessor":3}}]}"#, true),
            (r#"{"nodes":[{"extras":{"more":[{"\u0061ccessors":[3]}]}}]}"#, true),
            (r#"{"nodes":[{"extras":{"bufferViews":[3]}}]}"#, true),
            (r#"{"nodes":[{"extras":{"bone":"waist accessory","about":["Accessor"]}}]}"#, false),
            (r#"{"nodes":[{"extras":{"waist accessory":3,"Accessories":{"hat":1}}}]}"#, false),
            (r#"{"extensions":{"VRMC_vrm":{"meta":{}}}}"#, false),
            (r#"{"materials":[{"extensions":{"KHR_materials_unlit":{}}}]}"#, false),
            (
                r#"{"meshes":[{"primitives":[{"extensions":{"CESIUM_primitive_outline":{"indices":2}}}]}]}"#,
                true,
            ),
        ] {
            assert_eq!(found(json).2, may, "{json}");
        }
    }
}
