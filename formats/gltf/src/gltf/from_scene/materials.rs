//! Materials and their pictures, as far as meshes that are drawn use them.

use super::graph::Used;
use super::store::{Base, Store};
use dopesheet_core::bytes::json::{JsonWriter, NumberStyle};
use dopesheet_core::model::{AlphaMode, Image, Material, Mesh, Primitive, Scene};

/// The extension for materials that light does not change.
pub(super) const UNLIT_EXTENSION: &str = "KHR_materials_unlit";

/// The items of `materials`, `textures` and `images`. There is one texture for each image.
#[derive(Debug, Default)]
pub(super) struct Materials {
    pub(super) items: Vec<String>,
    pub(super) uses_unlit: bool,
    used: Used,
    textured: Vec<bool>,
    /// Name, media type, blob.
    images: Vec<(String, &'static str, usize)>,
}

impl Materials {
    pub(super) fn of(scene: &Scene, drawn: &[Option<&Mesh>], store: &mut Store<'_>) -> Self {
        let primitives = drawn.iter().flatten().flat_map(|mesh| &mesh.primitives);
        let users = primitives.filter_map(|primitive| Some(primitive.material?.0));
        let used = Used::of(scene.materials.len(), users);
        let kept = || used.kept.iter().map(|index| &scene.materials[*index]);
        let sound = |index: usize| scene.images.get(index).is_some_and(|image| !image.bytes.is_empty());
        let named = kept().filter_map(|material| Some(material.base_color_image?.0));
        let images = Used::of(scene.images.len(), named.filter(|index| sound(*index)));
        let texture = |material: &Material| material.base_color_image.and_then(|image| images.place(image.0));
        let items = kept().map(|m| material(m, texture(m))).collect();
        let textured = kept().map(|m| texture(m).is_some()).collect();
        let uses_unlit = kept().any(|material| material.unlit);
        let mut add =
            |image: &Image| (image.name.clone(), image.media_type, store.blob(image.bytes.to_vec(), None));
        let images = images.kept.iter().map(|index| add(&scene.images[*index])).collect();
        Self { items, uses_unlit, used, textured, images }
    }

    /// The position of a primitive's material in the file.
    pub(super) fn place(&self, primitive: &Primitive) -> Option<usize> {
        self.used.place(primitive.material?.0)
    }

    /// Whether a primitive's material has a picture.
    pub(super) fn is_textured(&self, primitive: &Primitive) -> bool {
        self.place(primitive).and_then(|place| self.textured.get(place)).copied().unwrap_or(false)
    }

    /// The items of `textures`.
    pub(super) fn textures(&self) -> Vec<String> {
        (0..self.images.len()).map(|image| format!("{{\"source\":{image}}}")).collect()
    }

    /// The items of `images`.
    pub(super) fn images(&self) -> Vec<String> {
        let image = |(name, media_type, blob): &(String, &str, usize)| {
            let mut json = JsonWriter::new(NumberStyle::ShortestF32);
            json.object(|w| {
                if !name.is_empty() {
                    w.name("name").string(name);
                }
                w.name("bufferView").integer(Store::blob_view(*blob, &Base::default()));
                w.name("mimeType").string(media_type);
            });
            json.finish()
        };
        self.images.iter().map(image).collect()
    }
}

/// Within 0..=1, which is what glTF takes.
fn share(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}

fn material(material: &Material, texture: Option<usize>) -> String {
    let mut json = JsonWriter::new(NumberStyle::ShortestF32);
    json.object(|w| {
        if !material.name.is_empty() {
            w.name("name").string(&material.name);
        }
        surface(w, material, texture);
        let emissive = material.emissive.map(share);
        if emissive != [0.0; 3] {
            w.name("emissiveFactor").numbers(emissive);
        }
        match material.alpha {
            AlphaMode::Opaque => {}
            AlphaMode::Mask(cutoff) => {
                w.name("alphaMode").string("MASK");
                if cutoff != 0.5 {
                    w.name("alphaCutoff").number(cutoff.max(0.0));
                }
            }
            AlphaMode::Blend => {
                w.name("alphaMode").string("BLEND");
            }
        }
        if material.double_sided {
            w.name("doubleSided").bool(true);
        }
        if material.unlit {
            w.name("extensions").object(|w| {
                w.name(UNLIT_EXTENSION).object(|_| {});
            });
        }
        if let Some(serde_json::Value::Object(extras)) = &material.extras {
            w.name("extras").raw(&serde_json::Value::Object(extras.clone()).to_string());
        }
    });
    json.finish()
}

fn surface(w: &mut JsonWriter, material: &Material, texture: Option<usize>) {
    let color = material.base_color.map(share);
    let (metallic, roughness) = (share(material.metallic), share(material.roughness));
    if color == [1.0; 4] && texture.is_none() && metallic == 1.0 && roughness == 1.0 {
        return;
    }
    w.name("pbrMetallicRoughness").object(|w| {
        if color != [1.0; 4] {
            w.name("baseColorFactor").numbers(color);
        }
        if let Some(texture) = texture {
            w.name("baseColorTexture").object(|w| {
                w.name("index").integer(texture);
            });
        }
        if metallic != 1.0 {
            w.name("metallicFactor").number(metallic);
        }
        if roughness != 1.0 {
            w.name("roughnessFactor").number(roughness);
        }
    });
}
