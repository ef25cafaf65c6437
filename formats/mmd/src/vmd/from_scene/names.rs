//! Names that fit into the file, and stay distinct.

use crate::text::{ENCODING, Name};
use crate::vmd::info::ID;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::model::Track;
use dopesheet_core::words::{agreeing, counted};
use std::collections::BTreeMap;

/// The names of a section.
pub(super) struct Names {
    replace: bool,
    what: &'static str,
    taken: BTreeMap<Name<15>, String>,
}

impl Names {
    /// Names of `what` ("bone"). With `replace`, characters missing in CP932 become `?`.
    pub(super) fn new(what: &'static str, replace: bool) -> Self {
        Self { replace, what, taken: BTreeMap::new() }
    }

    /// The field for the name of a track. Names of tracks from a document may differ in their bytes only;
    /// these bytes come back from the document, see `update`.
    pub(super) fn of(
        &mut self,
        track: &Track,
        report: &mut Report,
    ) -> Result<Option<Name<15>>, ConvertError> {
        let mut curves = track.channels.iter().flat_map(|channel| channel.composition.curves());
        if curves.any(|curve| curve.sources.is_some()) {
            return encode(&track.target.name, true, self.what, &mut Report::default()).map(Some);
        }
        self.add(&track.target.name, report)
    }

    /// The field for a name; `None`, with a line in the report, if an earlier name has come to the same bytes.
    fn add(&mut self, name: &str, report: &mut Report) -> Result<Option<Name<15>>, ConvertError> {
        let field = encode(name, self.replace, self.what, report)?;
        if let Some(earlier) = self.taken.get(&field) {
            let why = format!("{earlier:?} is written with the same 15 bytes");
            report.dropped(format!("{} {name:?}", self.what), why);
            return Ok(None);
        }
        self.taken.insert(field, name.to_owned());
        Ok(Some(field))
    }
}

/// The field for a name, with a line in the report for its losses.
pub(in crate::vmd) fn encode<const N: usize>(
    name: &str,
    replace: bool,
    what: &str,
    report: &mut Report,
) -> Result<Name<N>, ConvertError> {
    let encoded = Name::encode(name, replace).map_err(|_| {
        ConvertError::new(ID, ConvertErrorKind::Unencodable { name: name.to_owned(), encoding: ENCODING })
    })?;
    if encoded.replaced > 0 {
        let lost = format!("{} of the {what} name {name:?}", counted(encoded.replaced, "character"));
        report.dropped(lost, {
            let (them, their) =
                (agreeing(encoded.replaced, "it", "them"), agreeing(encoded.replaced, "its", "their"));
            format!("{ENCODING} lacks {them}; ? stands in {their} place")
        });
    }
    if encoded.is_cut {
        let lost = format!("the end of the {what} name {name:?}");
        report.dropped(lost, format!("names have {N} bytes: {:?}", encoded.name.text()));
    }
    Ok(encoded.name)
}
