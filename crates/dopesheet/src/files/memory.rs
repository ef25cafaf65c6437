//! Scenes without a file, in the shape of a file that was read, so that all operations on files accept them.

use super::read::Opened;
use dopesheet_core::diag::{ConvertError, Fault, Place, ReadError, Report, WriteError};
use dopesheet_core::format::{
    AnyFormat, Capabilities, Confidence, Format, FormatInfo, FromScene, Hint, Output, ReadOptions, Role,
    Source, Summary, ToScene, WriteOptions,
};
use dopesheet_core::model::Scene;

/// The format of scenes in memory, with scenes as documents. No registry lists it, because it has no files.
struct Memory;

impl Format for Memory {
    type Document = Scene;

    const INFO: FormatInfo = FormatInfo {
        id: "memory",
        name: "Values in memory",
        extensions: &[],
        magics: &[],
        role: Role::Scene,
        specifications: &[],
        variants: &[],
        capabilities: Capabilities::READ_ONLY,
        checks: &[],
    };

    fn probe(_: &[u8], _: &Hint) -> Confidence {
        Confidence::No
    }

    fn read(_: &Source<'_>, _: &ReadOptions, _: &mut Report) -> Result<Scene, ReadError> {
        Err(ReadError::new(Self::INFO.id, no_file()))
    }

    fn write(_: &Scene, _: &WriteOptions) -> Result<Output, WriteError> {
        Err(WriteError::new(Self::INFO.id, no_file()))
    }

    /// Finds no faults: the creator of a scene is responsible for its validity.
    fn check(_: &Scene, _: &mut Report) {}

    fn summary(_: &Scene) -> Summary {
        Summary::default()
    }

    fn to_scene(scene: &Scene, options: &ToScene, _: &mut Report) -> Result<Scene, ConvertError> {
        let mut scene = scene.clone();
        for clip in &mut scene.clips {
            clip.name = clip.name.take().or_else(|| options.fallback_name.clone());
        }
        Ok(scene)
    }

    fn from_scene(scene: &Scene, _: &FromScene, _: &mut Report) -> Result<Scene, ConvertError> {
        Ok(scene.clone())
    }
}

fn no_file() -> Fault {
    Fault::new("memory", Place::File, "a format with files", "values in memory, which are converted to one")
}

impl Opened {
    /// A scene as if it had been read from a file named `name`.
    ///
    /// The scene's format is in no registry, and [`convert`](fn@crate::convert) writes the scene in any
    /// format of the registry.
    ///
    /// # Errors
    /// Never; the type is that of [`Format::from_scene`].
    pub fn from_scene(name: impl Into<String>, scene: &Scene) -> Result<Self, ConvertError> {
        let mut report = Report::default();
        let document = AnyFormat::from_scene(&Memory, scene, &FromScene::default(), &mut report)?;
        Ok(Self { name: name.into(), document, report })
    }

    /// True if this is a scene without a file, which no format restricts.
    pub(crate) fn is_in_memory(&self) -> bool {
        self.format().info().id == Memory::INFO.id
    }
}
