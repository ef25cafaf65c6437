//! Every code that reading or checking avatars may report beyond those of GLB, once.

use crate::gltf::GLB_CHECKS;
use dopesheet_core::diag::{Code, Severity};
use dopesheet_core::format::Check;

pub(super) const EXTENSION_MISSING: Code = "vrm-extension-missing";
pub(super) const CLIPS: Code = "vrm-clips";

const OWN: [Check; 2] = [
    Check {
        code: EXTENSION_MISSING,
        severity: Severity::Error,
        about: "The file is no avatar: its extension is not there.",
    },
    Check {
        code: CLIPS,
        severity: Severity::Info,
        about: "The avatar has animations of its own, which players of VRM do not play: they take motions from VRMA.",
    },
];

/// The checks of avatars: their own, then those of the GLB they are.
pub(super) const CHECKS: &[Check] = &joined();

const fn joined() -> [Check; OWN.len() + GLB_CHECKS.len()] {
    let mut all = [OWN[0]; OWN.len() + GLB_CHECKS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < OWN.len() { OWN[at] } else { GLB_CHECKS[at - OWN.len()] };
        at += 1;
    }
    all
}
