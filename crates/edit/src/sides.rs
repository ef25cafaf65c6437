//! Names of the left and the right side.

use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Clip, HumanBone, Scene};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// Pairs of names without words for sides: MikuMikuDance's morphs of the left eye, and their counterparts of
/// the right eye.
const PAIRS: [[&str; 2]; 2] = [["ウィンク", "ウィンク右"], ["ウィンク２", "ｳｨﾝｸ２右"]];

/// Words for left and right within names.
const WORDS: [[&str; 2]; 4] = [["左", "右"], ["Left", "Right"], ["left", "right"], ["LEFT", "RIGHT"]];

/// Letters for left and right that count only between separators.
const LETTERS: [[char; 2]; 2] = [['L', 'R'], ['l', 'r']];

/// Names of a scene and a clip of the scene, and the partner of each on the other side.
pub(crate) struct Sides {
    /// Partners given by the caller, or by a humanoid.
    said: HashMap<String, String>,
    /// All names in the scene and the clip.
    known: HashSet<String>,
}

impl Sides {
    pub(crate) fn new(scene: &Scene, clip: &Clip, map: &NameMap) -> Self {
        let nodes = scene.nodes.iter().map(|node| &node.name);
        let names_here: HashSet<String> =
            nodes.chain(clip.tracks.iter().map(|track| &track.target.name)).cloned().collect();
        let mut given_pairs = humanoid_pairs(scene);
        let mut pair = |a: &str, b: &str| {
            given_pairs.insert(a.to_owned(), b.to_owned());
            given_pairs.insert(b.to_owned(), a.to_owned());
        };
        for [left, right] in PAIRS {
            if !names_here.contains(&format!("{left}左")) {
                pair(left, right);
            }
        }
        for name in names_of(map) {
            pair(&name, map.get(&name));
        }
        let mut sides = Self { said: given_pairs, known: names_here };
        sides.find_cut();
        sides
    }

    /// Records the partners of names that a format has cut off within the word for their side:
    /// `browOuterUpRigh` beside `browOuterUpLeft`.
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
        if let Some(given) = self.said.get(name) {
            return Some(given.clone());
        }
        let by_name =
            |name: &str| by_words(name).or_else(|| by_letters(name)).or_else(|| self.by_first_letter(name));
        let other = by_name(name)?;
        // Whatever is no pair both ways is none.
        (by_name(&other).as_deref() == Some(name) && !self.said.contains_key(&other)).then_some(other)
    }

    /// The partner of a name that begins with the side, as in Acclaim's and Poser's names; counts only if
    /// both names exist, because other words begin with these letters too.
    fn by_first_letter(&self, name: &str) -> Option<String> {
        let other = match name.split_at_checked(1)? {
            ("l", rest) if !rest.is_empty() => format!("r{rest}"),
            ("r", rest) if !rest.is_empty() => format!("l{rest}"),
            _ => return None,
        };
        (self.known.contains(name) && self.known.contains(&other)).then_some(other)
    }
}

/// All names that a map renames.
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

/// A name with the words for its side exchanged; `None` without such a word, or with words for both sides.
fn by_words(name: &str) -> Option<String> {
    let mut side_found: Option<(usize, [&str; 2])> = None;
    let mut exchanged = String::with_capacity(name.len());
    let mut rest = name;
    let mut before = None;
    'next: while let Some(letter) = rest.chars().next() {
        for words in WORDS {
            for (side, word) in words.into_iter().enumerate() {
                let Some(behind) = rest.strip_prefix(word) else { continue };
                if !is_word(word, before, behind.chars().next()) {
                    continue;
                }
                if side_found.is_some_and(|(earlier_side, _)| earlier_side != side) {
                    return None;
                }
                side_found = Some((side, words));
                exchanged.push_str(words[1 - side]);
                (before, rest) = (word.chars().last(), behind);
                continue 'next;
            }
        }
        exchanged.push(letter);
        before = Some(letter);
        rest = rest.strip_prefix(letter).unwrap_or_default();
    }
    side_found.map(|_| exchanged)
}

/// True if the letters form a word at their position: `right` is no word in `Bright`, and `Left` no word in
/// `Leftover`.
fn is_word(word: &str, before: Option<char>, behind: Option<char>) -> bool {
    let letter = |test: fn(char) -> bool, at: Option<char>| at.is_some_and(test);
    match word {
        "左" | "右" => true,
        "Left" | "Right" => !letter(|next| next.is_ascii_lowercase(), behind),
        "left" | "right" => {
            !letter(|previous| previous.is_ascii_alphabetic(), before)
                && !letter(|next| next.is_ascii_lowercase(), behind)
        }
        _ => ![before, behind].into_iter().any(|at| letter(|neighbour| neighbour.is_ascii_alphabetic(), at)),
    }
}

/// A name with the letters for its side exchanged, between separators; `None` without such a letter, or with
/// letters of both sides.
fn by_letters(name: &str) -> Option<String> {
    let is_separator = |letter: &char| matches!(letter, '_' | '.' | '-' | ' ' | ':' | '|');
    let letters: Vec<char> = name.chars().collect();
    let stands_alone = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        before.is_none_or(is_separator) && letters.get(at + 1).is_none_or(is_separator)
    };
    let mut side_found = None;
    let mut exchanged = String::with_capacity(name.len());
    for (at, letter) in letters.iter().enumerate() {
        let sides = LETTERS
            .into_iter()
            .find_map(|sides| Some((sides, sides.iter().position(|side_letter| side_letter == letter)?)));
        match sides.filter(|_| letters.len() > 1 && stands_alone(at)) {
            Some((_, side)) if side_found.is_some_and(|earlier_side| earlier_side != side) => return None,
            Some((sides, side)) => {
                side_found = Some(side);
                exchanged.push(sides[1 - side]);
            }
            None => exchanged.push(*letter),
        }
    }
    side_found.map(|_| exchanged)
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
