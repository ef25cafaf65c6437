//! Names of the morphs that make a face.
//!
//! Sources: the morphs that models for MikuMikuDance share; the names of VRM 1.0 and 0.x; avatars of VRoid Studio.

/// A preset expression of VRM 1.0 and the morphs that make it, best name first. MikuMikuDance's winks without a word
/// for the side are those of the left eye.
type Row = (&'static str, &'static [&'static str]);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("aa", &["あ", "A", "Fcl_MTH_A", "vrc.v_aa"]),
    ("ih", &["い", "I", "Fcl_MTH_I", "vrc.v_ih"]),
    ("ou", &["う", "U", "Fcl_MTH_U", "vrc.v_ou"]),
    ("ee", &["え", "えー", "E", "Fcl_MTH_E", "vrc.v_e"]),
    ("oh", &["お", "O", "Fcl_MTH_O", "vrc.v_oh"]),
    ("blink", &["まばたき", "Fcl_EYE_Close"]),
    ("blinkLeft", &["ウィンク２", "ウィンク", "ウインク２", "ウインク", "Blink_L", "Fcl_EYE_Close_L"]),
    ("blinkRight", &["ｳｨﾝｸ２右", "ウィンク２右", "ウィンク右", "ウインク右", "Blink_R", "Fcl_EYE_Close_R"]),
    ("happy", &["笑い", "Joy", "Fcl_ALL_Joy"]),
    ("angry", &["怒り", "Angry", "Fcl_ALL_Angry"]),
    ("sad", &["困る", "Sorrow", "Fcl_ALL_Sorrow"]),
    ("relaxed", &["なごみ", "Fun", "Fcl_ALL_Fun"]),
    ("surprised", &["びっくり", "Surprised", "Fcl_ALL_Surprised"]),
    ("neutral", &["Neutral", "Fcl_ALL_Neutral"]),
];

/// The preset expression that a morph makes, and how good its name is: 0 is the best.
pub(super) fn preset(morph: &str) -> Option<(&'static str, usize)> {
    ROWS.iter().find_map(|(expression, names)| {
        let place = match morph == *expression {
            true => Some(0),
            false => names.iter().position(|name| *name == morph).map(|place| place + 1),
        };
        Some((*expression, place?))
    })
}

/// Names of the morphs that make an expression, best first; empty for those that are no preset.
pub(super) fn morphs(expression: &str) -> &'static [&'static str] {
    ROWS.iter().find(|(preset, _)| *preset == expression).map_or(&[], |(_, names)| names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dopesheet_core::model::PRESET_EXPRESSIONS;
    use std::collections::HashSet;

    #[test]
    fn every_preset_has_a_row_and_every_morph_one_preset() {
        let presets: HashSet<_> = ROWS.iter().map(|(preset, _)| *preset).collect();
        assert_eq!(presets, PRESET_EXPRESSIONS.into_iter().collect());
        let names: Vec<_> = ROWS.iter().flat_map(|(_, names)| *names).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
    }

    #[test]
    fn winks_of_models_close_the_side_they_are_known_for() {
        assert_eq!(preset("ウィンク").map(|p| p.0), Some("blinkLeft"));
        assert_eq!(preset("ｳｨﾝｸ２右").map(|p| p.0), Some("blinkRight"));
        assert_eq!(preset("blinkLeft"), Some(("blinkLeft", 0)));
        assert_eq!(preset("にこり"), None);
    }
}
