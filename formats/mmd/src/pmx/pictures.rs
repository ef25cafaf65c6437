//! The names of pictures, and the pictures needed by a model.

use super::document::{Document, Index};
use dopesheet_core::format::{ResourceName, pictures};
use dopesheet_core::order;
use dopesheet_core::order::distinct;
use std::collections::BTreeMap;

impl Document {
    /// The name of a texture as a resource; `None` without a texture, and for paths out of the model's folder.
    pub(super) fn picture_name(&self, texture: Index) -> Option<ResourceName> {
        pictures::picture_name(&self.text(self.textures.get(texture.get()?)?))
    }

    /// The colour pictures of the materials, sorted, each once.
    pub(crate) fn wanted_pictures(&self) -> Vec<ResourceName> {
        let mut names: Vec<_> = self.materials.iter().filter_map(|m| self.picture_name(m.texture)).collect();
        distinct(&mut names);
        names
    }

    /// Takes over the loaded files needed by the model.
    pub(crate) fn keep_pictures(&mut self, loaded: &BTreeMap<ResourceName, Vec<u8>>) {
        let wanted = self.wanted_pictures().into_iter();
        let pictures = wanted.filter_map(|name| Some((name.clone(), loaded.get(&name)?.as_slice().into())));
        self.pictures = order::map(pictures);
    }
}
