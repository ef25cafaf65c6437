//! Adding clips to a document by splicing its text.

use super::document::Document;
use dopesheet_core::diag::{ConvertError, ConvertErrorKind, Report};
use dopesheet_core::format::Attach;
use dopesheet_core::model::Scene;

pub(crate) fn attach(
    format: &'static str,
    _document: &mut Document,
    _scene: &Scene,
    _options: &Attach,
    _report: &mut Report,
) -> Result<(), ConvertError> {
    Err(ConvertError::new(format, ConvertErrorKind::Unsupported("attach".into())))
}
