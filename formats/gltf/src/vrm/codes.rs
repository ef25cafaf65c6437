//! Every code that reading or checking avatars may report in addition to the codes of GLB, once.

use crate::checks::{GLB_CHECKS, joined};
use dopesheet_core::codes;
use dopesheet_core::format::Check;

codes! {
    EXTENSION_MISSING "vrm-extension-missing" Error
        "The file is no avatar: its extension is not there."
    CLIPS "vrm-clips" Info
        "The avatar has animations of its own, which players of VRM do not play: they take motions from VRMA."
}

/// The checks of avatars: the checks of VRM, then the checks of GLB files.
pub(super) const CHECKS: &[Check] = &joined::<{ ALL.len() + GLB_CHECKS.len() }>(ALL, GLB_CHECKS);
