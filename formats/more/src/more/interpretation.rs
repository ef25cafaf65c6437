//! Choices about details that only the game could confirm.

use super::codes::ID;
use super::packed::{EulerCode, Rounding};
use dopesheet_core::diag::{ConvertError, ConvertErrorKind};
use dopesheet_core::format::{Assumable, Assumptions};

/// Unit of the derivatives of Bezier keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TangentUnit {
    /// Change of the value over the whole segment, as in the definition by Kochanek and Bartels, and as
    /// required for fitting the value's own compressed range.
    #[default]
    PerSegment,
    /// Change of the value per second.
    PerSecond,
}

/// Reading of a document for the inferred parts of the format. The defaults follow the evidence; no game file
/// has settled them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interpretation {
    /// Unit of the derivatives of Bezier keys.
    pub tangent_unit: TangentUnit,
    /// Decoding of 16-bit angles.
    pub euler_code: EulerCode,
    /// True if every rotation is inverted, as needed for files with the handedness of rotations in keys of
    /// 3ds Max.
    pub conjugate_rotations: bool,
    /// Rounding of values that become codes, for writing a document as another version.
    pub rounding: Rounding,
}

const TANGENTS: &str = "tangents";
const ANGLES: &str = "angles";
const ROTATIONS: &str = "rotations";
const ROUNDING: &str = "rounding";

/// The choices in words; the first value of each is the default.
pub(super) const ASSUMABLE: &[Assumable] = &[
    Assumable { word: TANGENTS, about: "unit of the derivatives of Bezier keys: segment or second" },
    Assumable { word: ROTATIONS, about: "handedness of rotations: direct, or inverse as in keys of 3ds Max" },
    Assumable { word: ANGLES, about: "codes of 16-bit angles: affine, or printed as in the wiki" },
    Assumable { word: ROUNDING, about: "codes of new values: nearest, or game, which rounds down" },
];

impl Interpretation {
    /// The default.
    pub(super) const PLAIN: Self = Self {
        tangent_unit: TangentUnit::PerSegment,
        euler_code: EulerCode::Affine,
        conjugate_rotations: false,
        rounding: Rounding::Nearest,
    };

    /// The choices stated by a caller.
    ///
    /// # Errors
    /// If a stated choice does not exist.
    pub(super) fn of(facts: &Assumptions) -> Result<Self, ConvertError> {
        let mut how = Self::default();
        for word in facts.words() {
            let value = facts.get(word).unwrap_or_default();
            match (word, value) {
                (TANGENTS, "segment") => how.tangent_unit = TangentUnit::PerSegment,
                (TANGENTS, "second") => how.tangent_unit = TangentUnit::PerSecond,
                (ROTATIONS, "direct") => how.conjugate_rotations = false,
                (ROTATIONS, "inverse") => how.conjugate_rotations = true,
                (ANGLES, "affine") => how.euler_code = EulerCode::Affine,
                (ANGLES, "printed") => how.euler_code = EulerCode::AsPrinted,
                (ROUNDING, "nearest") => how.rounding = Rounding::Nearest,
                (ROUNDING, "game") => how.rounding = Rounding::Game,
                _ => return Err(refusal(word, value)),
            }
        }
        Ok(how)
    }
}

fn refusal(word: &str, value: &str) -> ConvertError {
    let what = match ASSUMABLE.iter().find(|choice| choice.word == word) {
        Some(choice) => format!("{value:?} is no value of {word} ({})", choice.about),
        None => {
            let words: Vec<&str> = ASSUMABLE.iter().map(|choice| choice.word).collect();
            format!("nothing can be assumed about {word:?}, only about {}", words.join(", "))
        }
    };
    ConvertError::new(ID, ConvertErrorKind::Unsupported(what))
}
