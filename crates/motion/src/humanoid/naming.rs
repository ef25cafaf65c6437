//! Names of bones as programs write them, from one of which a motion is renamed to another.

use super::names::{Vocabulary, folded};
use dopesheet_core::model::HumanBone;
use std::fmt;
use std::str::FromStr;

/// Names of bones as a program or a collection of motions writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// Mixamo's, with the name space `mixamorig:`; MotionBuilder's are the same without it, and are read too.
    Mixamo,
    /// Unity's `HumanBodyBones`.
    Unity,
    /// VRM 1.0.
    Vrm,
    /// MikuMikuDance's standard and semi-standard bones.
    Mmd,
    /// CMU's motions, as Acclaim files have them.
    Cmu,
    /// SMPL, SMPL-H and SMPL-X.
    Smpl,
    /// Unreal Engine's mannequin.
    Unreal,
    /// VRoid Studio's avatars.
    VRoid,
    /// Biovision's motion capture.
    Biovision,
    /// Poser and DAZ Studio.
    Poser,
}

impl Naming {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Mixamo,
        Self::Unity,
        Self::Vrm,
        Self::Mmd,
        Self::Cmu,
        Self::Smpl,
        Self::Unreal,
        Self::VRoid,
        Self::Biovision,
        Self::Poser,
    ];

    /// The word by which it is asked for.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mixamo => "mixamo",
            Self::Unity => "unity",
            Self::Vrm => "vrm",
            Self::Mmd => "mmd",
            Self::Cmu => "cmu",
            Self::Smpl => "smpl",
            Self::Unreal => "unreal",
            Self::VRoid => "vroid",
            Self::Biovision => "biovision",
            Self::Poser => "poser",
        }
    }

    const fn vocabulary(self) -> Vocabulary {
        match self {
            Self::Mixamo => Vocabulary::Mixamo,
            Self::Unity | Self::Vrm => Vocabulary::Vrm,
            Self::Mmd => Vocabulary::Mmd,
            Self::Cmu => Vocabulary::Acclaim,
            Self::Smpl => Vocabulary::Smpl,
            Self::Unreal => Vocabulary::Unreal,
            Self::VRoid => Vocabulary::VRoid,
            Self::Biovision => Vocabulary::Biovision,
            Self::Poser => Vocabulary::Poser,
        }
    }

    /// Every bone with the names it may have, the one that is written first.
    fn names(self) -> Vec<(HumanBone, Vec<String>)> {
        let own = self.vocabulary().names().into_iter();
        match self {
            Self::Unity => own.map(|(bone, _)| (bone, vec![unity(bone)])).collect(),
            Self::Mixamo => own
                .map(|(bone, names)| (bone, names.iter().map(|name| format!("mixamorig:{name}")).collect()))
                .collect(),
            _ => own.collect(),
        }
    }

    /// Those of some names that this naming has for bones, each with the name that another one has for the same bone. Case, separators
    /// and name spaces do not matter in them. What carries the whole figure is renamed too.
    #[must_use]
    pub fn pairs(self, to: Self, names: &[&str]) -> Vec<(String, String)> {
        let found =
            |own: &[String]| own.iter().find_map(|own| names.iter().find(|name| folded(name) == folded(own)));
        let theirs = to.names();
        let mut pairs = Vec::new();
        for (bone, own) in self.names() {
            let their = theirs.iter().find(|(their, _)| *their == bone).and_then(|(_, names)| names.first());
            if let (Some(name), Some(their)) = (found(&own), their) {
                pairs.push(((*name).to_owned(), their.clone()));
            }
        }
        let roots: Vec<String> = self.vocabulary().roots().iter().map(|root| (*root).to_owned()).collect();
        if let (Some(name), Some(root)) = (found(&roots), to.vocabulary().roots().first()) {
            pairs.push(((*name).to_owned(), (*root).to_owned()));
        }
        pairs
    }
}

/// The name of a bone in Unity's `HumanBodyBones`, whose thumbs begin with the bone that VRM calls the metacarpal one.
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
        let known = Self::ALL.into_iter().find(|naming| naming.word() == text);
        known.ok_or_else(|| UnknownNaming(text.to_owned()))
    }
}

/// A word that is that of no [`Naming`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownNaming(pub String);

impl fmt::Display for UnknownNaming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = Naming::ALL.iter().map(|naming| naming.word()).collect();
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
        let pairs = Naming::Vrm.pairs(Naming::Unity, &names);
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
        for naming in Naming::ALL {
            let own = naming.names();
            let names: Vec<&str> =
                own.iter().filter_map(|(_, names)| names.first()).map(String::as_str).collect();
            assert!(names.len() >= 18, "{naming:?}");
            let there = naming.pairs(Naming::Vrm, &names);
            let theirs: Vec<&str> = there.iter().map(|(_, name)| name.as_str()).collect();
            let back = Naming::Vrm.pairs(naming, &theirs);
            for (name, their) in &there {
                assert!(back.contains(&(their.clone(), name.clone())), "{naming:?}: {name}");
            }
        }
    }

    #[test]
    fn a_name_space_does_not_matter() {
        let pairs = Naming::Mixamo.pairs(Naming::Mmd, &["LeftArm", "mixamorig:Head", "Root"]);
        let wanted = [("mixamorig:Head", "頭"), ("LeftArm", "左腕"), ("Root", "全ての親")];
        assert_eq!(pairs, wanted.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }
}
