//! Names of bones as programs write them; a motion is renamed from a naming to another.

use super::names::{Name, Names, Vocabulary, folded};
use dopesheet_core::model::HumanBone;
use std::fmt;
use std::str::FromStr;

/// Names of bones as a program or a collection of motions writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// Unity's `HumanBodyBones`.
    Unity,
    /// The names of a vocabulary. Mixamo's have the name space `mixamorig:`; MotionBuilder's are the same
    /// without a name space, and are read too.
    Of(Vocabulary),
}

impl Naming {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Unity].into_iter().chain(Vocabulary::ALL.into_iter().map(Self::Of))
    }

    /// The word for the naming in options.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unity => "unity",
            Self::Of(vocabulary) => vocabulary.id(),
        }
    }

    const fn vocabulary(self) -> Vocabulary {
        match self {
            Self::Unity => Vocabulary::Vrm,
            Self::Of(vocabulary) => vocabulary,
        }
    }

    /// Every bone with its possible names; the first name is written.
    fn names(self) -> Vec<(HumanBone, Vec<String>)> {
        let written = |bone, names: Names| match self {
            Self::Unity => vec![unity(bone)],
            Self::Of(Vocabulary::Mixamo) => {
                names.each().map(|name| format!("mixamorig:{}", name.exact())).collect()
            }
            Self::Of(_) => names.each().map(Name::exact).collect(),
        };
        self.vocabulary().bones().into_iter().map(|(bone, names)| (bone, written(bone, names))).collect()
    }

    /// The names of bones in this naming among `names`, each with the name of the same bone in `to`. Case,
    /// separators and name spaces do not matter in `names`. The node that carries the whole figure is renamed
    /// too.
    #[must_use]
    pub fn pairs(self, to: Self, names: &[&str]) -> Vec<(String, String)> {
        // Another bone may have the same name but for the name space.
        let present = |spellings: &[String]| {
            let exact = |spelling: &String| names.iter().find(|name| *name == spelling);
            let alike = |spelling: &String| names.iter().find(|name| folded(name) == folded(spelling));
            spellings.iter().find_map(exact).or_else(|| spellings.iter().find_map(alike))
        };
        let theirs = to.names();
        let mut pairs = Vec::new();
        for (bone, ours) in self.names() {
            let their = theirs.iter().find(|(their, _)| *their == bone).and_then(|(_, names)| names.first());
            if let (Some(name), Some(their)) = (present(&ours), their) {
                pairs.push(((*name).to_owned(), their.clone()));
            }
        }
        let roots: Vec<String> = self.vocabulary().roots().each().map(Name::exact).collect();
        if let (Some(name), Some(root)) = (present(&roots), to.vocabulary().roots().first()) {
            pairs.push(((*name).to_owned(), root));
        }
        pairs
    }
}

/// The name of a bone in Unity's `HumanBodyBones`, whose thumbs begin with VRM's metacarpal bone.
fn unity(bone: HumanBone) -> String {
    use HumanBone as B;
    let word = match bone {
        B::LeftThumbMetacarpal => B::LeftThumbProximal.word(),
        B::RightThumbMetacarpal => B::RightThumbProximal.word(),
        B::LeftThumbProximal => "leftThumbIntermediate",
        B::RightThumbProximal => "rightThumbIntermediate",
        other => other.word(),
    };
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

impl FromStr for Naming {
    type Err = UnknownNaming;

    fn from_str(text: &str) -> Result<Self, UnknownNaming> {
        let naming = Self::all().find(|naming| naming.word() == text);
        naming.ok_or_else(|| UnknownNaming(text.to_owned()))
    }
}

/// A word that names no [`Naming`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownNaming(pub String);

impl fmt::Display for UnknownNaming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = Naming::all().map(Naming::word).collect();
        write!(f, "expected one of {}, found {}", words.join(", "), self.0)
    }
}

impl std::error::Error for UnknownNaming {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thumbs_of_unity_begin_where_those_of_vrm_do() {
        let names = ["leftThumbMetacarpal", "leftThumbProximal", "leftThumbDistal", "hair"];
        let pairs = Naming::Of(Vocabulary::Vrm).pairs(Naming::Unity, &names);
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(
            pairs,
            [
                ("leftThumbMetacarpal", "LeftThumbProximal"),
                ("leftThumbProximal", "LeftThumbIntermediate"),
                ("leftThumbDistal", "LeftThumbDistal"),
            ]
        );
    }

    #[test]
    fn every_bone_comes_back_by_its_own_name() {
        for naming in Naming::all() {
            let table = naming.names();
            let names: Vec<&str> =
                table.iter().filter_map(|(_, names)| names.first()).map(String::as_str).collect();
            assert!(names.len() >= 18, "{naming:?}");
            let there = naming.pairs(Naming::Of(Vocabulary::Vrm), &names);
            let theirs: Vec<&str> = there.iter().map(|(_, name)| name.as_str()).collect();
            let back = Naming::Of(Vocabulary::Vrm).pairs(naming, &theirs);
            for (name, their) in &there {
                assert!(back.contains(&(their.clone(), name.clone())), "{naming:?}: {name}");
            }
        }
    }

    /// The names after a renaming; `None` if two bones would have the same one.
    fn renamed(names: &[String], from: Naming, to: Naming) -> Option<Vec<String>> {
        let pairs = from.pairs(to, &names.iter().map(String::as_str).collect::<Vec<_>>());
        let other =
            |name: &String| pairs.iter().find(|(from, _)| from == name).map_or(name, |(_, to)| to).clone();
        let renamed: Vec<String> = names.iter().map(other).collect();
        let apart: std::collections::HashSet<&String> = renamed.iter().collect();
        (apart.len() == renamed.len()).then_some(renamed)
    }

    #[test]
    fn every_naming_leads_to_every_other_and_back() {
        let mut refused = Vec::new();
        let mut count = 0;
        for (from, to) in Naming::all().flat_map(|from| Naming::all().map(move |to| (from, to))) {
            let first = |(_, names): (HumanBone, Vec<String>)| names.into_iter().next();
            let mut names: Vec<String> = from.names().into_iter().filter_map(first).collect();
            names.extend(from.vocabulary().roots().first());
            // A bone that none of them knows, and one of SOMA that others have for another bone.
            names.extend(["Tail".to_owned()]);
            if from == Naming::Of(Vocabulary::Soma) {
                names.insert(0, "LeftHandIndex1".to_owned());
            }
            let Some(there) = renamed(&names, from, to) else {
                refused.push(format!("{} {}", from.word(), to.word()));
                continue;
            };
            assert_eq!(renamed(&there, to, from).as_ref(), Some(&names), "{from:?} to {to:?}");
            count += 1;
        }
        assert!(count >= 300, "{count}: {refused:?}");
    }

    #[test]
    fn a_name_space_does_not_matter() {
        let pairs = Naming::Of(Vocabulary::Mixamo)
            .pairs(Naming::Of(Vocabulary::Mmd), &["LeftArm", "mixamorig:Head", "Root"]);
        let wanted = [("mixamorig:Head", "頭"), ("LeftArm", "左腕"), ("Root", "全ての親")];
        assert_eq!(pairs, wanted.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }
}
