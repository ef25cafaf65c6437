//! The names of pictures, and which of them a model needs.

use super::document::{Document, Index};
use dopesheet_core::format::ResourceName;
use dopesheet_core::order;
use dopesheet_core::order::distinct;
use std::collections::BTreeMap;

/// The name of a picture as a resource: the path with forward slashes and without `.` parts. `None` if it is empty,
/// absolute, names a drive or leads out of the model's folder.
pub(super) fn resource_name(path: &str) -> Option<ResourceName> {
    let path = path.trim_end_matches('\0').replace('\\', "/");
    let leads_out = |part: &str| part == ".." || part.contains([':', '\0']);
    if path.starts_with('/') || path.split('/').any(leads_out) {
        return None;
    }
    let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    (!parts.is_empty()).then(|| parts.join("/"))
}

impl Document {
    /// The name of a texture as a resource; `None` without a texture, and for paths out of the model's folder.
    pub(super) fn picture_name(&self, texture: Index) -> Option<ResourceName> {
        resource_name(&self.text(self.textures.get(texture.get()?)?))
    }

    /// The colour pictures of the materials, sorted, each once.
    pub(crate) fn wanted_pictures(&self) -> Vec<ResourceName> {
        let mut names: Vec<_> = self.materials.iter().filter_map(|m| self.picture_name(m.texture)).collect();
        distinct(&mut names);
        names
    }

    /// Takes those of the loaded files that it needs.
    pub(crate) fn keep_pictures(&mut self, loaded: &BTreeMap<ResourceName, Vec<u8>>) {
        let wanted = self.wanted_pictures().into_iter();
        let pictures = wanted.filter_map(|name| Some((name.clone(), loaded.get(&name)?.as_slice().into())));
        self.pictures = order::map(pictures);
    }
}

#[cfg(test)]
mod tests {
    use super::resource_name;

    #[test]
    fn paths_become_names_with_forward_slashes() {
        for (path, name) in
            [("tex\\face.bmp", "tex/face.bmp"), ("./a//b.png", "a/b.png"), ("顔.tga", "顔.tga")]
        {
            assert_eq!(resource_name(path).as_deref(), Some(name));
        }
    }

    #[test]
    fn paths_out_of_the_folder_are_never_asked_for() {
        for path in [
            "",
            "/etc/passwd",
            "\\\\host\\a.bmp",
            "C:\\a.bmp",
            "c:a.bmp",
            "../a.bmp",
            "a/..\\..\\b",
            ".",
            "a\0b",
        ] {
            assert_eq!(resource_name(path), None, "{path:?}");
        }
    }
}
