//! `dopesheet info`

use crate::args::InfoArgs;
use crate::outcome::Outcome;
use crate::{batch, console, files};
use dopesheet::core::model::{Hierarchy, HumanBone};
use dopesheet::core::units::Seconds;
use dopesheet::core::words::{counted, time};
use dopesheet::persons::Persons;
use dopesheet::vocabularies::Vocabularies;
use dopesheet::{
    Error, Info, binding::Binding, binding::Chain, binding::Unbound, info::ClipInfo, info::HumanoidInfo,
    info::OntoInfo,
};
use std::fmt::Write;

/// Runs `info`: prints the contents of every file.
pub(crate) fn run(args: &InfoArgs) -> Result<Outcome, Error> {
    let inputs = files::expand(&args.files)?;
    let (model, names) = (args.model.open()?, args.model.names()?);
    let onto = args.onto.as_deref().map(dopesheet::puppet::open_figure).transpose()?;
    let vocabularies = args.vocabulary.as_deref().map(Vocabularies::parse).transpose()?.unwrap_or_default();
    let persons = args.person.as_deref().map(Persons::parse).transpose()?.unwrap_or_default();
    let onto =
        onto.map(|target| OntoInfo::of(&target, &names, vocabularies.figure, persons.figure)).transpose()?;
    let work = |input: &files::Input| {
        let opened = input.open(&args.read)?;
        let info =
            dopesheet::info::info_by(&opened, model.as_ref(), &names, vocabularies.motion, persons.motion)?;
        Ok(Info { onto: onto.clone(), ..info })
    };
    batch::run(&inputs, &args.batch, work, |input, result| match result {
        Ok(info) => {
            console::lines(&if args.json { vec![info.to_json().to_string()] } else { text(&info) })?;
            Ok(Outcome::Done)
        }
        Err(error) => {
            console::complain_of(&input.name(), &error);
            Ok(Outcome::of(&error))
        }
    })
}

/// The lines about a file.
fn text(info: &Info) -> Vec<String> {
    let mut head = format!("  {} ({})", info.format_name, info.format);
    let (version, variant) = (info.summary.version.as_deref(), info.summary.variant.as_deref());
    // Some versions end in the name of their variant.
    let variant = variant.filter(|variant| !version.is_some_and(|version| version.ends_with(variant)));
    for part in [version, variant].into_iter().flatten() {
        let _ = write!(head, ", {part}");
    }
    let mut out = vec![info.file.clone(), head];
    for (name, value) in &info.summary.facts {
        // Comments have several lines; in names nobody expects any.
        let (first, further_lines) = match value.trim_end().split_once('\n') {
            Some((first, further_lines)) if name.starts_with("comment") => (first, further_lines),
            _ => (value.trim_end(), ""),
        };
        out.push(format!("  {name}: {}", first.trim_end()));
        out.extend(further_lines.lines().map(|line| format!("    {line}")));
    }
    if let Some(why) = &info.unknown {
        out.push(format!("  what it shows is unknown: {why}"));
        out.push(format!("  findings: {}", findings_text(info.findings)));
        return out;
    }
    // What the format itself counts is not said twice.
    let is_new = |name: &str, count: usize| {
        !info.summary.facts.iter().any(|(fact, value)| *fact == name && *value == count.to_string())
    };
    let parts = std::iter::once(("nodes", info.nodes)).chain(info.parts.iter().map(|(name, n)| (*name, *n)));
    let parts = parts.filter(|(name, count)| is_new(name, *count));
    let parts: Vec<String> = parts.map(|(name, count)| format!("{name}: {count}")).collect();
    out.extend((!parts.is_empty()).then(|| format!("  {}", parts.join(", "))));
    out.extend(
        info.clips.iter().enumerate().map(|(index, clip)| format!("  clip #{index} {}", clip_text(clip))),
    );
    out.extend(info.humanoid.iter().map(|humanoid| format!("  {}", humanoid_text(humanoid, info.hierarchy))));
    out.extend(info.onto.iter().flat_map(|onto| onto_text(info.humanoid.as_ref(), onto)));
    out.extend(info.binding.iter().flat_map(binding_text));
    out.push(format!("  findings: {}", findings_text(info.findings)));
    out
}

/// The numbers of findings of each severity, without zeros.
fn findings_text(counts: [usize; 3]) -> String {
    let nouns = ["error", "warning", "remark"];
    let some = counts.iter().zip(nouns).filter(|(count, _)| **count > 0);
    let some: Vec<String> = some.map(|(count, noun)| counted(*count, noun)).collect();
    match some.is_empty() {
        true => "none".to_owned(),
        false => format!("{} (see `dopesheet check`)", some.join(", ")),
    }
}

/// Most names of optional bones that are listed; for more, such as all fingers, only their number is
/// informative.
const MOST_OPTIONAL: usize = 8;

/// Certainty of a human figure below which it is more likely something else, such as a robot.
const LEAST_CERTAIN: f64 = 0.25;

fn humanoid_text(humanoid: &HumanoidInfo, hierarchy: Hierarchy) -> String {
    if humanoid.is_hands() {
        let joints = counted(humanoid.bones.len(), "joint");
        return format!("hands: {joints}, {}; no human figure", humanoid.whose());
    }
    let (count, all) = (humanoid.bones.len(), HumanBone::ALL.len());
    if humanoid.certainty < LEAST_CERTAIN {
        let bones = counted(count, "bone");
        return format!("humanoid: none that is likely ({bones}, {:.0} % sure)", 100.0 * humanoid.certainty);
    }
    let whose = humanoid.whose();
    let mut out = format!(
        "humanoid: {count} of {}, {whose}, {:.0} % sure",
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

/// A table of bones: their names in the motion and in the figure that the motion may be put onto.
fn onto_text(motion: Option<&HumanoidInfo>, onto: &OntoInfo) -> Vec<String> {
    let Some(motion) = motion else {
        return vec![format!("  onto {}: the file has no human figure", onto.file)];
    };
    let pairs = onto.pairs(motion);
    let shared = pairs.iter().filter(|(_, from, to)| from.is_some() && to.is_some()).count();
    let whose = onto.humanoid.whose();
    let mut head = format!(
        "  onto {}: {} of both, {whose}, {:.0} % sure",
        onto.file,
        counted(shared, "bone"),
        100.0 * onto.humanoid.certainty
    );
    if !onto.humanoid.doubts.is_empty() {
        let _ = write!(head, "; doubtful: {}", onto.humanoid.doubts.join(", "));
    }
    let width = |text: &str| text.chars().count();
    let bones = pairs.iter().map(|(bone, ..)| width(bone.word())).max().unwrap_or(0);
    let from = pairs.iter().map(|(_, from, _)| width(from.unwrap_or("–"))).max().unwrap_or(0);
    let row = |(bone, source, target): (HumanBone, Option<&str>, Option<&str>)| {
        let (source, target) = (source.unwrap_or("–"), target.unwrap_or("–"));
        format!("    {:bones$}  {source:from$}  {target}", bone.word())
    };
    let table = std::iter::once(head).chain(pairs.into_iter().map(row));
    let maps = [("the file", motion), (onto.file.as_str(), &onto.humanoid)].into_iter();
    table.chain(maps.filter_map(|(file, humanoid)| map_text(file, humanoid))).collect()
}

/// A map to edit, with the doubtful bones, of a figure that its names do not identify.
fn map_text(file: &str, humanoid: &HumanoidInfo) -> Option<String> {
    let map = humanoid.map.as_ref()?;
    let bones =
        humanoid.by_shape.iter().map(|(bone, _, sure)| format!("{} {:.0} %", bone.word(), 100.0 * sure));
    let bones = bones.collect::<Vec<_>>().join(", ");
    Some(format!("    a map of {file} for --map, to be edited: {map} (sure: {bones})"))
}

fn binding_text(binding: &Binding) -> Vec<String> {
    let mut out = vec![format!("  {}", binding.counts())];
    if let Some((made_for, model_name)) = &binding.made_for_another {
        out.push(format!(
            "    made for \"{made_for}\", not \"{model_name}\"; targets with the same names move"
        ));
    }
    for (name, full) in &binding.completed {
        out.push(format!("    \"{name}\" is \"{full}\", cut short in the motion"));
    }
    for Unbound { kind, name, nearest } in &binding.unbound {
        let nearest = match nearest.is_empty() {
            true => String::new(),
            false => format!(" (closest: {})", nearest.join(", ")),
        };
        out.push(format!("    missing: {} \"{name}\"{nearest}", kind.word()));
    }
    for Chain { goal, is_switched } in &binding.chains {
        let state = if *is_switched { "switched by the motion" } else { "on" };
        out.push(format!("    IK \"{goal}\": {state}"));
    }
    out
}

fn clip_text(clip: &ClipInfo) -> String {
    let name = clip.name.as_ref().map_or_else(|| "(no name)".to_owned(), |n| format!("\"{n}\""));
    let stored = clip.stored_name.as_ref().filter(|_| clip.stored_name != clip.name);
    let stored = stored.map_or_else(String::new, |name| format!(" (stored as \"{name}\")"));
    let (tracks, keys) = (counted(clip.tracks, "track"), counted(clip.keys, "key"));
    let mut out = format!("{name}{stored}: {}, {tracks}, {keys}", time(Seconds(clip.duration_s)));
    if let Some(rate) = clip.rate_fps {
        let _ = write!(out, ", {rate} fps");
    }
    if clip.markers > 0 {
        let _ = write!(out, ", {}", counted(clip.markers, "marker"));
    }
    out
}
