//! Oddities of a file: warnings of the library, and oddities of its data.

use crate::fbx::codes;
use crate::fbx::document::Remark;
use dopesheet_core::format::Check;
use dopesheet_core::words::counted;
use ufbx::WarningType;

/// Remarks in the making.
pub(super) struct Remarks(Vec<Remark>);

impl Remarks {
    /// Starts with all warnings of the library.
    pub(super) fn new(scene: &ufbx::Scene) -> Self {
        let named = |id: u32| {
            let element = scene.elements.get(id as usize)?;
            Some(format!("{:?} {:?}", element.type_, element.name.as_ref()))
        };
        let remark = |warning: &ufbx::Warning| {
            let (check, expected) = check(warning.type_)?;
            Some(Remark {
                check,
                expected,
                path: named(warning.element_id).unwrap_or_default(),
                text: warning.description.to_string(),
                count: warning.count.max(1),
            })
        };
        Self(scene.metadata.warnings.iter().filter_map(remark).collect())
    }

    /// Adds a remark, or counts an equal remark.
    pub(super) fn push(
        &mut self,
        check: Check,
        expected: &'static str,
        path: impl Into<String>,
        text: impl Into<String>,
    ) {
        let (path, text) = (path.into(), text.into());
        match self.0.iter_mut().find(|r| r.check == check && r.path == path && r.text == text) {
            Some(known) => known.count += 1,
            None => self.0.push(Remark { check, expected, path, text, count: 1 }),
        }
    }

    /// Adds a remark if any of an object's numbers is not finite.
    pub(super) fn finite(&mut self, path: impl Fn() -> String, numbers: impl IntoIterator<Item = f64>) {
        let odd = numbers.into_iter().filter(|number| !number.is_finite()).count();
        if odd > 0 {
            self.push(
                codes::NONFINITE,
                "finite numbers",
                path(),
                counted(odd, "other number") + ", read as 0",
            );
        }
    }

    pub(super) fn finish(self) -> Vec<Remark> {
        self.0
    }
}

/// Code of a warning of the library in files of this format, and the state of a sound file; `None` for warnings about OBJ, about files
/// beside this file and about lists without use here.
const fn check(warning: WarningType) -> Option<(Check, &'static str)> {
    const SOUND: &str = "data that follows the format";
    Some(match warning {
        WarningType::TruncatedArray => (codes::ARRAY, "lists of full length"),
        WarningType::MissingGeometryData => (codes::GEOMETRY, "data in every list of a mesh"),
        WarningType::DuplicateConnection => (codes::CONNECTION, "one connection between two objects"),
        WarningType::MissingPolygonMapping => (codes::MAPPING, "a known mapping of a list to the mesh"),
        WarningType::UnsupportedVersion => (codes::OLD_VERSION, "a version from 3 to 7.7"),
        WarningType::IndexClamped => (codes::INDEX, "indices within their lists"),
        WarningType::BadUnicode => (codes::UNICODE, SOUND),
        WarningType::BadBase64Content => (codes::BASE64, "embedded content in base64"),
        WarningType::BadElementConnectedToRoot => (codes::ROOT, SOUND),
        WarningType::DuplicateObjectId => (codes::DUPLICATE_ID, SOUND),
        WarningType::MissingExternalFile
        | WarningType::ImplicitMtl
        | WarningType::BadVertexWAttribute
        | WarningType::EmptyFaceRemoved
        | WarningType::UnknownObjDirective => return None,
    })
}
