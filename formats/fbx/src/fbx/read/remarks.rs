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
            Some(Remark {
                check: check(warning.type_)?,
                path: named(warning.element_id).unwrap_or_default(),
                text: warning.description.to_string(),
                count: warning.count.max(1),
            })
        };
        Self(scene.metadata.warnings.iter().filter_map(remark).collect())
    }

    /// Adds a remark, or counts an equal remark.
    pub(super) fn push(&mut self, check: Check, path: impl Into<String>, text: impl Into<String>) {
        let (path, text) = (path.into(), text.into());
        match self.0.iter_mut().find(|r| r.check == check && r.path == path && r.text == text) {
            Some(known) => known.count += 1,
            None => self.0.push(Remark { check, path, text, count: 1 }),
        }
    }

    /// Adds a remark if any of an object's numbers is not finite.
    pub(super) fn finite(&mut self, path: impl Fn() -> String, numbers: impl IntoIterator<Item = f64>) {
        let odd = numbers.into_iter().filter(|number| !number.is_finite()).count();
        if odd > 0 {
            self.push(codes::NONFINITE, path(), counted(odd, "other number") + ", read as 0");
        }
    }

    pub(super) fn finish(self) -> Vec<Remark> {
        self.0
    }
}

/// Code of a warning of the library in files of this format; `None` for warnings about OBJ, about files
/// beside this file and about lists without use here.
const fn check(warning: WarningType) -> Option<Check> {
    let check = match warning {
        WarningType::TruncatedArray => codes::ARRAY,
        WarningType::MissingGeometryData => codes::GEOMETRY,
        WarningType::DuplicateConnection => codes::CONNECTION,
        WarningType::MissingPolygonMapping => codes::MAPPING,
        WarningType::UnsupportedVersion => codes::OLD_VERSION,
        WarningType::IndexClamped => codes::INDEX,
        WarningType::BadUnicode => codes::UNICODE,
        WarningType::BadBase64Content => codes::BASE64,
        WarningType::BadElementConnectedToRoot => codes::ROOT,
        WarningType::DuplicateObjectId => codes::DUPLICATE_ID,
        WarningType::MissingExternalFile
        | WarningType::ImplicitMtl
        | WarningType::BadVertexWAttribute
        | WarningType::EmptyFaceRemoved
        | WarningType::UnknownObjDirective => return None,
    };
    Some(check)
}
