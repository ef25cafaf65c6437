//! `dopesheet info`

use crate::args::InfoArgs;
use crate::outcome::Outcome;
use crate::{batch, console, files};
use dopesheet::core::model::{Hierarchy, HumanBone};
use dopesheet::core::units::Seconds;
use dopesheet::core::words::{counted, time};
use dopesheet::vocabularies::Vocabularies;
use dopesheet::{
    Error, Info, binding::Binding, binding::Chain, binding::Unbound, info::ClipInfo, info::HumanoidInfo,
    info::OntoInfo,
};
use std::fmt::Write;

pub(crate) fn run(args: &InfoArgs) -> Result<Outcome, Error> {
    let inputs = files::expand(&args.files)?;
    let (model, names) = (args.model.open()?, args.model.names()?);
    let onto = args.onto.as_deref().map(dopesheet::puppet::open_figure).transpose()?;
    let vocabularies = args.vocabulary.as_deref().map(Vocabularies::parse).transpose()?.unwrap_or_default();
    let onto = onto.map(|target| OntoInfo::of(&target, &names, vocabularies.figure)).transpose()?;
    let work = |input: &files::Input| {
        let opened = input.open(&args.read)?;
        let info = dopesheet::info::info_by(&opened, model.as_ref(), &names, vocabularies.motion)?;
        Ok(Info { onto: onto.clone(), ..info })
    };
    batch::run(&inputs, &args.batch, work, |input, result| match result {
        Ok(info) => {
            console::line(&if args.json { info.to_json().to_string() } else { text(&info) })?;
            Ok(Outcome::Done)
        }
        Err(error) => {
            console::complain_of(&input.name(), &error);
            Ok(Outcome::of(&error))
        }
    })
}

fn text(info: &Info) -> String {
    let mut out = format!("{}\n  {} ({})", info.file, info.format_name, info.format);
    let (version, variant) = (info.summary.version.as_deref(), info.summary.variant.as_deref());
    // Some versions end in the name of their variant.
    let variant = variant.filter(|variant| !version.is_some_and(|version| version.ends_with(variant)));
    for part in [version, variant].into_iter().flatten() {
        let _ = write!(out, ", {part}");
    }
    for (name, value) in &info.summary.facts {
        // Comments have several lines.
        let lines: Vec<&str> = value.trim_end().lines().collect();
        let _ = write!(out, "\n  {name}: {}", lines.join("\n    "));
    }
    if let Some(why) = &info.unknown {
        let _ =
            write!(out, "\n  what it shows is unknown: {why}\n  findings: {}", findings_text(info.findings));
        return out;
    }
    let mut parts = vec![format!("nodes: {}", info.nodes)];
    parts.extend(info.parts.iter().map(|(name, n)| format!("{name}: {n}")));
    let _ = write!(out, "\n  {}", parts.join(", "));
    for (index, clip) in info.clips.iter().enumerate() {
        let _ = write!(out, "\n  clip #{index} {}", clip_text(clip));
    }
    if let Some(humanoid) = &info.humanoid {
        let _ = write!(out, "\n  {}", humanoid_text(humanoid, info.hierarchy));
    }
    if let Some(onto) = &info.onto {
        let _ = write!(out, "\n  {}", onto_text(info.humanoid.as_ref(), onto));
    }
    if let Some(binding) = &info.binding {
        let _ = write!(out, "\n  {}", binding_text(binding));
    }
    let _ = write!(out, "\n  findings: {}", findings_text(info.findings));
    out
}

/// The number of findings of each severity that there are any of.
fn findings_text(counts: [usize; 3]) -> String {
    let nouns = ["error", "warning", "remark"];
    let some = counts.iter().zip(nouns).filter(|(count, _)| **count > 0);
    let some: Vec<String> = some.map(|(count, noun)| counted(*count, noun)).collect();
    match some.is_empty() {
        true => "none".to_owned(),
        false => format!("{} (see `dopesheet check`)", some.join(", ")),
    }
}

/// Most names of bones that no figure needs; of more, such as all fingers, only the number tells anything.
const MOST_OPTIONAL: usize = 8;

fn humanoid_text(humanoid: &HumanoidInfo, hierarchy: Hierarchy) -> String {
    if humanoid.is_hands() {
        let whose =
            humanoid.vocabulary.map_or("as the file says".into(), |whose| format!("by names of {whose}"));
        return format!("hands: {}, {whose}; no human figure", counted(humanoid.bones.len(), "joint"));
    }
    let (found, all) = (humanoid.bones.len(), HumanBone::ALL.len());
    let whose = humanoid.vocabulary.map_or("as the file says".into(), |whose| format!("by names of {whose}"));
    let mut out = format!(
        "humanoid: {found} of {}, {whose}, {:.0} % sure",
        counted(all, "bone"),
        100.0 * humanoid.certainty
    );
    let list = |bones: &[HumanBone]| bones.iter().map(|bone| bone.word()).collect::<Vec<_>>().join(", ");
    if !humanoid.required.is_empty() {
        let all = list(&humanoid.required);
        // A motion without its model says nothing of the bones that it leaves to the model's rig.
        let _ = match hierarchy {
            Hierarchy::Known => write!(out, "; required but missing: {all}"),
            Hierarchy::Unknown => write!(out, "; not named here, but required of the model: {all}"),
        };
    }
    if !humanoid.doubts.is_empty() {
        let _ = write!(out, "; doubtful: {}", humanoid.doubts.join(", "));
    }
    match humanoid.optional.len() {
        0 => {}
        1..=MOST_OPTIONAL => {
            let _ = write!(out, "; missing: {}", list(&humanoid.optional));
        }
        count => {
            let _ = write!(out, "; missing: {count} optional bones");
        }
    }
    out
}

/// A table of bones: what each is called in the motion and in the figure that it may be put onto.
fn onto_text(motion: Option<&HumanoidInfo>, onto: &OntoInfo) -> String {
    let Some(motion) = motion else { return format!("onto {}: the file has no human figure", onto.file) };
    let pairs = onto.pairs(motion);
    let shared = pairs.iter().filter(|(_, from, to)| from.is_some() && to.is_some()).count();
    let whose =
        onto.humanoid.vocabulary.map_or("as its file says".into(), |whose| format!("by names of {whose}"));
    let mut out = format!(
        "onto {}: {} of both, {whose}, {:.0} % sure",
        onto.file,
        counted(shared, "bone"),
        100.0 * onto.humanoid.certainty
    );
    if !onto.humanoid.doubts.is_empty() {
        let _ = write!(out, "; doubtful: {}", onto.humanoid.doubts.join(", "));
    }
    let width = |text: &str| text.chars().count();
    let bones = pairs.iter().map(|(bone, ..)| width(bone.word())).max().unwrap_or(0);
    let from = pairs.iter().map(|(_, from, _)| width(from.unwrap_or("–"))).max().unwrap_or(0);
    for (bone, own, target) in pairs {
        let (own, target) = (own.unwrap_or("–"), target.unwrap_or("–"));
        let _ = write!(out, "\n    {:bones$}  {own:from$}  {target}", bone.word());
    }
    out
}

fn binding_text(binding: &Binding) -> String {
    let mut out = binding.counts();
    if let Some((made_for, own)) = &binding.made_for_another {
        let _ = write!(out, "\n    made for \"{made_for}\", not \"{own}\"; targets with the same names move");
    }
    for (name, full) in &binding.completed {
        let _ = write!(out, "\n    \"{name}\" is \"{full}\", cut short in the motion");
    }
    for Unbound { kind, name, nearest } in &binding.unbound {
        let _ = write!(out, "\n    missing: {} \"{name}\"", kind.word());
        if !nearest.is_empty() {
            let _ = write!(out, " (closest: {})", nearest.join(", "));
        }
    }
    for Chain { goal, is_switched } in &binding.chains {
        let state = if *is_switched { "switched by the motion" } else { "on" };
        let _ = write!(out, "\n    IK \"{goal}\": {state}");
    }
    out
}

fn clip_text(clip: &ClipInfo) -> String {
    let name = clip.name.as_ref().map_or_else(|| "(no name)".to_owned(), |n| format!("\"{n}\""));
    let (tracks, keys) = (counted(clip.tracks, "track"), counted(clip.keys, "key"));
    let mut out = format!("{name}: {}, {tracks}, {keys}", time(Seconds(clip.duration_s)));
    if let Some(rate) = clip.rate_fps {
        let _ = write!(out, ", {rate} fps");
    }
    if clip.markers > 0 {
        let _ = write!(out, ", {}", counted(clip.markers, "marker"));
    }
    out
}
