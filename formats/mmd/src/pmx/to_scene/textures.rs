//! Pictures of textures.

use crate::pmx::document::{Document, Index};
use dopesheet_core::diag::Report;
use dopesheet_core::format::ResourceName;
use dopesheet_core::format::pictures::picture;
use dopesheet_core::model::{AlphaMode, ImageIndex, Scene};
use std::collections::BTreeMap;

/// A picture of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Picture {
    pub(super) image: ImageIndex,
    pub(super) alpha: AlphaMode,
}

/// The pictures of a scene by their names.
#[derive(Default)]
pub(super) struct Pictures(BTreeMap<ResourceName, Picture>);

impl Pictures {
    /// The picture of a texture, if available.
    pub(super) fn of(&self, document: &Document, texture: Index) -> Option<Picture> {
        self.0.get(&document.picture_name(texture)?).copied()
    }
}

/// The colour pictures of all materials. Missing and undecodable pictures are reported, and conversion goes
/// on without them.
pub(super) fn load(document: &Document, scene: &mut Scene, report: &mut Report) -> Pictures {
    let mut pictures = Pictures::default();
    for name in document.wanted_pictures() {
        let Some(bytes) = document.pictures.get(&name) else {
            report.dropped(format!("the picture {name}"), "it was not found beside the model");
            continue;
        };
        match picture(&name, bytes) {
            Ok((image, alpha)) => {
                scene.images.push(image);
                pictures.0.insert(name, Picture { image: ImageIndex(scene.images.len() - 1), alpha });
            }
            Err(why) => report.dropped(format!("the picture {name}"), why),
        }
    }
    pictures
}
