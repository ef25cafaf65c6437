//! Document to scene: archives have no scene.

use super::INFO;
use super::document::Document;
use dopesheet_core::diag::ConvertError;
use dopesheet_core::format::container::not_a_scene;
use dopesheet_core::model::Scene;

/// Archives hold files, not motions.
pub(super) fn to_scene(_: &Document) -> Result<Scene, ConvertError> {
    Err(not_a_scene(&INFO))
}
