//! Names of the left and the right side.

use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Clip, HumanBone, Scene};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// Names that the words for sides do not tell: MikuMikuDance's morphs of the left eye, and those of the right one.
const PAIRS: [[&str; 2]; 2] = [["ウィンク", "ウィンク右"], ["ウィンク２", "ｳｨﾝｸ２右"]];

/// Words for left and right within names.
const WORDS: [[&str; 2]; 4] = [["左", "右"], ["Left", "Right"], ["left", "right"], ["LEFT", "RIGHT"]];

/// Letters for left and right that stand alone between separators.
const LETTERS: [[char; 2]; 2] = [['L', 'R'], ['l', 'r']];

/// Names of a scene and of one of its clips, and the partner of each on the other side.
pub(crate) struct Sides {
    /// Partners that somebody said, or a humanoid.
    said: HashMap<String, String>,
    /// Names that there are.
    known: HashSet<String>,
}

impl Sides {
    pub(crate) fn new(scene: &Scene, clip: &Clip, map: &NameMap) -> Self {
        let nodes = scene.nodes.iter().map(|node| &node.name);
        let known: HashSet<String> =
            nodes.chain(clip.tracks.iter().map(|track| &track.target.name)).cloned().collect();
        let mut said = humanoid_pairs(scene);
        let mut pair = |a: &str, b: &str| {
            said.insert(a.to_owned(), b.to_owned());
            said.insert(b.to_owned(), a.to_owned());
        };
        for [left, right] in PAIRS {
            if !known.contains(&format!("{left}左")) {
                pair(left, right);
            }
        }
        for name in names_of(map) {
            pair(&name, map.get(&name));
        }
        let mut sides = Self { said, known };
        sides.find_cut();
        sides
    }

    /// Says the partners of names that a format has cut within the word for their side: `browOuterUpRigh` beside `browOuterUpLeft`.
    fn find_cut(&mut self) {
        let mut pairs = Vec::new();
        for name in &self.known {
            let Some(whole) = self.partner(name).filter(|whole| !self.known.contains(whole)) else {
                continue;
            };
            let cuts = WORDS
                .into_iter()
                .filter(|[_, right]| whole.ends_with(right))
                .flat_map(|[_, right]| (1..right.len()).filter_map(|lost| whole.get(..whole.len() - lost)));
            let mut cuts = cuts.filter(|cut| self.known.contains(*cut) && self.partner(cut).is_none());
            pairs.extend(cuts.next().map(|cut| [name.clone(), cut.to_owned()]));
        }
        for [name, cut] in pairs {
            self.said.insert(cut.clone(), name.clone());
            self.said.insert(name, cut);
        }
    }

    /// The name of the same thing on the other side, if the name says a side.
    pub(crate) fn partner(&self, name: &str) -> Option<String> {
        if let Some(said) = self.said.get(name) {
            return Some(said.clone());
        }
        let told =
            |name: &str| by_words(name).or_else(|| by_letters(name)).or_else(|| self.by_first_letter(name));
        let other = told(name)?;
        // Whatever is no pair both ways is none.
        (told(&other).as_deref() == Some(name) && !self.said.contains_key(&other)).then_some(other)
    }

    /// Acclaim's and Poser's names begin with the side; of other words only those that are both there are meant so.
    fn by_first_letter(&self, name: &str) -> Option<String> {
        let other = match name.split_at_checked(1)? {
            ("l", rest) if !rest.is_empty() => format!("r{rest}"),
            ("r", rest) if !rest.is_empty() => format!("l{rest}"),
            _ => return None,
        };
        (self.known.contains(name) && self.known.contains(&other)).then_some(other)
    }
}

/// All names that a map has another name for.
fn names_of(map: &NameMap) -> Vec<String> {
    let names = RefCell::new(Vec::new());
    let _ = map.maps(|name| {
        names.borrow_mut().push(name.to_owned());
        false
    });
    names.into_inner()
}

/// Names of the bones of a humanoid, left to right and right to left.
fn humanoid_pairs(scene: &Scene) -> HashMap<String, String> {
    let Some(humanoid) = &scene.humanoid else { return HashMap::new() };
    let name = |bone: HumanBone| {
        let node = humanoid.bones.get(&bone)?;
        Some(scene.node(*node)?.name.clone())
    };
    let pairs = HumanBone::ALL.into_iter().filter_map(|bone| {
        let other = HumanBone::from_word(&by_words(bone.word())?)?;
        Some((name(bone)?, name(other)?))
    });
    pairs.collect()
}

/// A name with the words for its side exchanged; `None` if it has none, or such of both sides.
fn by_words(name: &str) -> Option<String> {
    let mut found: Option<(usize, [&str; 2])> = None;
    let mut made = String::with_capacity(name.len());
    let mut rest = name;
    let mut before = None;
    'next: while let Some(letter) = rest.chars().next() {
        for words in WORDS {
            for (side, word) in words.into_iter().enumerate() {
                let Some(behind) = rest.strip_prefix(word) else { continue };
                if !is_word(word, before, behind.chars().next()) {
                    continue;
                }
                if found.is_some_and(|(known, _)| known != side) {
                    return None;
                }
                found = Some((side, words));
                made.push_str(words[1 - side]);
                (before, rest) = (word.chars().last(), behind);
                continue 'next;
            }
        }
        made.push(letter);
        before = Some(letter);
        rest = rest.strip_prefix(letter).unwrap_or_default();
    }
    found.map(|_| made)
}

/// True if letters are a word where they stand: `right` is none in `Bright`, and `Left` none in `Leftover`.
fn is_word(word: &str, before: Option<char>, behind: Option<char>) -> bool {
    let letter = |test: fn(char) -> bool, at: Option<char>| at.is_some_and(test);
    match word {
        "左" | "右" => true,
        "Left" | "Right" => !letter(|own| own.is_ascii_lowercase(), behind),
        "left" | "right" => {
            !letter(|own| own.is_ascii_alphabetic(), before)
                && !letter(|own| own.is_ascii_lowercase(), behind)
        }
        _ => ![before, behind].into_iter().any(|at| letter(|own| own.is_ascii_alphabetic(), at)),
    }
}

/// A name with the letters for its side exchanged that stand between separators; `None` if it has none, or such of both sides.
fn by_letters(name: &str) -> Option<String> {
    let is_separator = |letter: &char| matches!(letter, '_' | '.' | '-' | ' ' | ':' | '|');
    let letters: Vec<char> = name.chars().collect();
    let stands_alone = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        before.is_none_or(is_separator) && letters.get(at + 1).is_none_or(is_separator)
    };
    let mut found = None;
    let mut made = String::with_capacity(name.len());
    for (at, letter) in letters.iter().enumerate() {
        let sides =
            LETTERS.into_iter().find_map(|sides| Some((sides, sides.iter().position(|own| own == letter)?)));
        match sides.filter(|_| letters.len() > 1 && stands_alone(at)) {
            Some((_, side)) if found.is_some_and(|known| known != side) => return None,
            Some((sides, side)) => {
                found = Some(side);
                made.push(sides[1 - side]);
            }
            None => made.push(*letter),
        }
    }
    found.map(|_| made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_told_by_the_words_of_all_vocabularies_and_of_names_cut_in_a_word() {
        let sides = |names: &[&str]| Sides {
            said: HashMap::new(),
            known: names.iter().map(|name| (*name).to_owned()).collect(),
        };
        let none = sides(&[]);
        for (left, right) in [
            ("左足ＩＫ", "右足ＩＫ"),
            ("まばたき左", "まばたき右"),
            ("mixamorig:LeftArm", "mixamorig:RightArm"),
            ("eyeBlinkLeft", "eyeBlinkRight"),
            ("leftUpperLeg", "rightUpperLeg"),
            ("left_hip", "right_hip"),
            ("left-wrist", "right-wrist"),
            ("LEFT_XR_HAND_JOINT_WRIST_EXT", "RIGHT_XR_HAND_JOINT_WRIST_EXT"),
            ("upper_arm.L", "upper_arm.R"),
            ("thigh_l", "thigh_r"),
            ("index_01_l", "index_01_r"),
            ("J_Bip_L_Hand", "J_Bip_R_Hand"),
            ("L_Wrist", "R_Wrist"),
        ] {
            assert_eq!(none.partner(left).as_deref(), Some(right));
            assert_eq!(none.partner(right).as_deref(), Some(left));
        }
        for name in
            ["Bright", "Leftover", "cleft", "L", "左右", "頭", "Left_Right", "a_l_r", "leg", "lip", ""]
        {
            assert_eq!(none.partner(name), None, "{name}");
        }
        assert_eq!(sides(&["lfemur", "rfemur"]).partner("lfemur").as_deref(), Some("rfemur"));
        assert_eq!(sides(&["root", "lfemur"]).partner("root"), None);
    }
}
