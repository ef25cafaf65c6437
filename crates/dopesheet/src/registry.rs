//! The formats, a line each. Help, probing, documentation and tests all derive from this list.

pub use crate::files::requested::{by_file_name, split_variant, wanted, wanted_for_writing};

use dopesheet_core::format::{AnyFormat, Container, Hint};

/// All formats of this build, in the order of listings and, between equal claims, of probing.
static FORMATS: &[&dyn AnyFormat] = &[
    #[cfg(feature = "mmd")]
    &dopesheet_mmd::vmd::Vmd,
    #[cfg(feature = "mmd")]
    &dopesheet_mmd::vpd::Vpd,
    #[cfg(feature = "mmd")]
    &dopesheet_mmd::pmd::Pmd,
    #[cfg(feature = "mmd")]
    &dopesheet_mmd::pmx::Pmx,
    #[cfg(feature = "mrtk2")]
    &dopesheet_mrtk2::Mrtk2,
    #[cfg(feature = "more")]
    &dopesheet_more::More,
    #[cfg(feature = "more")]
    &dopesheet_more::M4b,
    #[cfg(feature = "playcanvas")]
    &dopesheet_playcanvas::animation::PlayCanvas,
    #[cfg(feature = "playcanvas")]
    &dopesheet_playcanvas::model::PlayCanvasModel,
    #[cfg(feature = "research")]
    &dopesheet_webxr::Iwer,
    #[cfg(feature = "gltf")]
    &dopesheet_gltf::Gltf,
    // Before GLB, whose files it is a kind of.
    #[cfg(feature = "gltf")]
    &dopesheet_gltf::Vrma,
    // A page that puts motions onto nothing shows avatars as the GLB that they are.
    #[cfg(feature = "gltf")]
    &dopesheet_gltf::Vrm,
    #[cfg(feature = "gltf")]
    &dopesheet_gltf::Glb,
    #[cfg(feature = "bvh")]
    &dopesheet_bvh::Bvh,
    #[cfg(all(feature = "fbx", any(feature = "fbx-wasm", not(target_family = "wasm"))))]
    &dopesheet_fbx::Fbx,
    #[cfg(feature = "unity")]
    &dopesheet_unity::UnityAnim,
    #[cfg(feature = "numpy")]
    &dopesheet_numpy::Npz,
];

/// A format that some builds of the library lack: builds without its feature, and, without `fbx-wasm`, builds
/// for wasm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Optional {
    /// The word on the command line. All fields repeat the format's
    /// [`FormatInfo`](dopesheet_core::format::FormatInfo).
    pub id: &'static str,
    /// The name people use.
    pub name: &'static str,
    /// File name extensions without the dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// First bytes of the format's files.
    pub starts: &'static [&'static [u8]],
    /// The feature of the crate `dopesheet`; the command has the feature unless built without its default
    /// features.
    pub feature: &'static str,
}

impl Optional {
    /// True if this build has the format.
    #[must_use]
    pub fn is_built(&self) -> bool {
        by_id(self.id).is_some()
    }
}

/// Shell command that installs a `dopesheet` with all formats.
pub const HOW_TO_GET_ALL: &str = "cargo install --path apps/cli";

/// All optional formats, in this build or not, so that a build without a format can name it in messages.
static OPTIONAL: &[Optional] = &[
    Optional {
        id: "fbx",
        name: "Autodesk FBX",
        extensions: &["fbx"],
        starts: &[b"Kaydara FBX Binary  \0", b"; FBX"],
        feature: "fbx",
    },
    Optional {
        id: "iwer",
        name: "WebXR recording of IWER (JSON)",
        // Not `.json`, which files of several formats have.
        extensions: &[],
        starts: &[b"{\"schema\":["],
        feature: "research",
    },
];

/// The formats that some builds of the library lack.
#[must_use]
pub fn optional() -> &'static [Optional] {
    OPTIONAL
}

/// The format of a file by its first bytes, if this build lacks the format.
pub(crate) fn lacking(head: &[u8]) -> Option<&'static Optional> {
    absent().find(|format| format.starts.iter().any(|start| head.starts_with(start)))
}

/// The format of a file by its name, if this build lacks the format.
pub(crate) fn lacking_by_name(hint: &Hint) -> Option<&'static Optional> {
    absent().find(|format| hint.is_one_of(format.extensions))
}

fn absent() -> impl Iterator<Item = &'static Optional> {
    OPTIONAL.iter().filter(|format| !format.is_built())
}

/// The formats of archives, which hold other files.
static CONTAINERS: &[&dyn Container] = &[
    #[cfg(feature = "more")]
    &dopesheet_more::M4b,
];

/// The formats of archives in this build.
#[must_use]
pub fn containers() -> &'static [&'static dyn Container] {
    CONTAINERS
}

/// All formats of this build.
#[must_use]
pub fn formats() -> &'static [&'static dyn AnyFormat] {
    FORMATS
}

/// The format with an id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static dyn AnyFormat> {
    FORMATS.iter().copied().find(|f| f.info().id == id)
}

/// The first format that uses a file name extension (without the dot, any case).
#[must_use]
pub fn by_extension(extension: &str) -> Option<&'static dyn AnyFormat> {
    let extension = extension.to_lowercase();
    FORMATS.iter().copied().find(|f| f.info().extensions.contains(&extension.as_str()))
}
