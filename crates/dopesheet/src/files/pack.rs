//! Files as an archive.

use super::archive::Archive;
use crate::error::Error;
use crate::registry;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind};
use dopesheet_core::format::AnyFormat;

/// True if archives of a format can be made of files.
#[must_use]
pub fn packs(format: &dyn AnyFormat) -> bool {
    registry::containers()
        .iter()
        .any(|container| container.info().id == format.info().id && container.pack(&[]).is_some())
}

/// An archive of files, each by its path with slashes between the names, with their bytes unchanged.
///
/// Every entry can be extracted again: names that [`Archive::entries`] would refuse are refused here.
///
/// # Errors
/// If archives of this format are not written, or an archive cannot hold the files: a name is not safe on
/// every system or is there twice (even if only on systems without case), a path has more than 255 folders or
/// archives are nested too deeply, or the archive would be too long.
pub fn pack(format: &dyn AnyFormat, name: &str, files: &[(String, Vec<u8>)]) -> Result<Vec<u8>, Error> {
    let info = format.info();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (&**path, &**bytes)).collect();
    let container = registry::containers().iter().find(|container| container.info().id == info.id);
    let Some(packed) = container.and_then(|container| container.pack(&files)) else {
        let what = format!("{} is read only; it cannot be written", info.name);
        return Err(ConvertError::new(info.id, ConvertErrorKind::Unsupported(what)).into());
    };
    let Some(archive) = Archive::read(name, packed?, false)? else {
        let what = format!("what was packed is no {}", info.name);
        return Err(ConvertError::new(info.id, ConvertErrorKind::Unsupported(what)).into());
    };
    for entry in archive.entries(false)? {
        if let Err(refused) = entry.names {
            let text =
                format!("{} cannot be packed [{}]: {}", entry.path.escape_debug(), refused.code, refused.why);
            return Err(Error::Usage(text));
        }
    }
    Ok(archive.into_bytes())
}
