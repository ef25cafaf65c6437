//! Stands of feet and hands of a figure that took a motion.

use dopesheet::core::diag::Slide;
use serde_json::{Value, json};

/// A stand of a foot or a hand, with the length of its slide.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stand {
    /// The bone that stands.
    pub(crate) bone: String,
    /// First and last time of the stand, in seconds.
    pub(crate) span: [f64; 2],
    /// Largest slide in millimetres, without held contacts and as written.
    pub(crate) slide_mm: [f64; 2],
}

impl From<&Slide> for Stand {
    fn from(slide: &Slide) -> Self {
        Self {
            bone: slide.bone.clone(),
            span: slide.stand.map(|time| time.0),
            slide_mm: [slide.before_m, slide.after_m].map(|metres| metres * 1e3),
        }
    }
}

/// The standing bones, each once, in the order of their first stands.
pub(crate) fn bones(stands: &[Stand]) -> Vec<&str> {
    let mut bones = Vec::new();
    for Stand { bone, .. } in stands {
        if !bones.contains(&bone.as_str()) {
            bones.push(bone.as_str());
        }
    }
    bones
}

#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "a window is handed it as it is"))]
impl Stand {
    pub(crate) fn to_json(&self) -> Value {
        json!([self.bone, self.span, self.slide_mm])
    }

    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let pair = |value: &Value| Some([value[0].as_f64()?, value[1].as_f64()?]);
        Some(Self { bone: value[0].as_str()?.to_owned(), span: pair(&value[1])?, slide_mm: pair(&value[2])? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bone_that_stands_again_after_another_one_has_one_row() {
        let stand = |bone: &str| Stand { bone: bone.to_owned(), span: [0.0, 1.0], slide_mm: [0.0; 2] };
        assert_eq!(bones(&["leftFoot", "rightFoot", "leftFoot"].map(stand)), ["leftFoot", "rightFoot"]);
    }
}
