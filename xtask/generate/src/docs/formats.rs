//! docs/formats.md: what can be read and written, and what a conversion to each format can keep.

use super::markdown::{head, header, row};
use dopesheet::core::format::{Clips, KeyLayout, LawSet, NameRule, Parts};
use dopesheet::core::model::{Axis, Basis, PoseRelation, Scene};
use dopesheet::{core::format::FormatInfo, core::format::Role, registry};

const INTRODUCTION: &str = "\
Every file that is read can be checked and sampled, and written back byte for byte (but for FBX and pickles, which are read only). \"Write\" means that files of other
formats can be converted to it; \"attach\" that clips can be added to an existing file with `--into`.

A conversion carries over exactly what the target has words for. The rest is approximated within a tolerance or left
out, and the report says which, by how much, and why.
";

/// The page, with the table of the contents of meshes.
pub(super) fn page(formats: &[&FormatInfo], meshes: &str) -> String {
    let mut page =
        head("Formats") + INTRODUCTION + "\n" + &overview(formats) + "\n" + &contents(formats) + meshes;
    for format in formats {
        page += &section(format);
    }
    page
}

/// The table of formats that are read and written.
pub(super) fn overview(formats: &[&FormatInfo]) -> String {
    let mut table = header(&["Format", "Id", "Files", "Holds", "Read", "Write", "Attach"]);
    for format in formats {
        let can = &format.capabilities;
        table += &row([
            format.name,
            &format!("`{}`", format.id),
            &extensions(format),
            role(format.role),
            "yes",
            writes(format),
            yes(can.attaches),
        ]);
    }
    table
}

/// The parts that a conversion to each format can keep: one row per part, one column per format.
fn contents(formats: &[&FormatInfo]) -> String {
    let written: Vec<&&FormatInfo> = formats.iter().filter(|f| f.capabilities.writes).collect();
    let ids: Vec<String> = written.iter().map(|f| format!("`{}`", f.id)).collect();
    let titles: Vec<&str> = ["Kept when writing"].into_iter().chain(ids.iter().map(String::as_str)).collect();
    let mut table = header(&titles);
    for (name, has) in PARTS {
        let cells = written.iter().map(|f| yes(has(&f.capabilities.parts)));
        table += &row([name].into_iter().chain(cells));
    }
    table + NOTES
}

const NOTES: &str = "
* `mrtk2` has the joints of two hands, a camera and a gaze, whose poses are in the world. What hangs on other nodes is put there. Of
  scales it keeps only those of a hand that are 0 or 1, as whether the hand is tracked.
* Morphs come back from `more` as numbers without a meaning: its tracks have names, and only a model says what they move.
";

/// A part of a scene, and whether there is room for it.
type Part = (&'static str, fn(&Parts) -> bool);

const PARTS: [Part; 12] = [
    ("hierarchy and rest pose", |p| p.hierarchy),
    ("translation of joints", |p| p.translation),
    ("rotation of joints", |p| p.rotation),
    ("scale of joints", |p| p.scale),
    ("morphs, one track each", |p| p.morph_tracks),
    ("morphs, one track for all of a mesh", |p| p.weight_vectors),
    ("cameras", |p| p.cameras),
    ("cameras that circle a point", |p| p.orbits),
    ("lights", |p| p.lights),
    ("markers and events", |p| p.markers),
    ("switches and other numbers", |p| p.custom_tracks),
    ("meshes, skins, materials", |p| p.meshes),
];

fn section(format: &FormatInfo) -> String {
    let can = &format.capabilities;
    let mut text = format!("\n## {} (`{}`)\n\n", format.name, format.id);
    let mut line = |name: &str, value: &str| text += &format!("* **{name}:** {value}\n");
    line("Files", &extensions(format));
    if !format.magics.is_empty() {
        line("Known by", &magics(format));
    }
    if let Some(optional) = registry::optional().iter().find(|optional| optional.id == format.id) {
        line("Read by", &format!("the command, and builds with the feature `{}`", optional.feature));
    }
    for variant in format.variants {
        line(&format!("Variant `{}@{}`", format.id, variant.name), variant.about);
    }
    for word in registry::by_id(format.id).map_or(&[][..], |handler| handler.variant_words()) {
        line(&format!("Variant `{}@…,{}`", format.id, word.name), word.about);
    }
    for fact in registry::by_id(format.id).map_or(&[][..], |handler| handler.assumable()) {
        line(&format!("Assumed with `--assume {}=…`", fact.word), fact.about);
    }
    if can.writes {
        line("Clips", if can.clips == Clips::One { "one per file" } else { "any number" });
        line("Laws of numbers and vectors", &laws(&can.vector_laws, "straight"));
        line("Laws of rotations", &laws(&can.rotation_laws, "shorter great arc"));
        line("Key times", &times(format));
        line("Joint values", relation(can.relation));
        line("Names", &names(can.names));
        line("Axes and unit", &can.basis.map_or_else(|| "any".into(), |b| basis(&b)));
    }
    line(
        "Described at",
        &format.specifications.iter().map(|s| format!("<{s}>")).collect::<Vec<_>>().join(", "),
    );
    line("Checks", &format!("{}, listed in [checks.md](checks.md)", format.checks.len()));
    text
}

/// The cell about writing: no, yes, or what is written of more that is read.
fn writes(format: &FormatInfo) -> &'static str {
    let can = &format.capabilities;
    match (can.writes, format.role) {
        (true, Role::Scene) if !can.parts.hierarchy && !models_on_request(format) => role(Role::Motion),
        (true, Role::Scene) if !can.parts.hierarchy => "motions, or a model on request",
        (false, Role::Archive) if registry::by_id(format.id).is_some_and(dopesheet::archive::packs) => {
            "of files"
        }
        (is, _) => yes(is),
    }
}

/// True if a word behind `@` asks for a model.
fn models_on_request(format: &FormatInfo) -> bool {
    let Some(handler) = registry::by_id(format.id) else { return false };
    let holds = |word: &str| handler.capabilities(&Scene::new(Basis::GLTF), Some(word)).parts.hierarchy;
    handler.variant_words().iter().any(|word| holds(word.name))
}

const fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "–" }
}

const fn role(role: Role) -> &'static str {
    match role {
        Role::Motion => "motions",
        Role::Model => "a model",
        Role::Scene => "models and motions",
        Role::Archive => "other files",
    }
}

fn extensions(format: &FormatInfo) -> String {
    format.extensions.iter().map(|e| format!("`.{e}`")).collect::<Vec<_>>().join(", ")
}

fn magics(format: &FormatInfo) -> String {
    let magic = |m: &dopesheet::core::format::Magic| match m.offset {
        0 => format!("`{}`", m.bytes.escape_ascii()),
        offset => format!("`{}` at byte {offset:#x}", m.bytes.escape_ascii()),
    };
    format.magics.iter().map(magic).collect::<Vec<_>>().join(", ")
}

fn laws(laws: &LawSet, straight: &str) -> String {
    let mut words = Vec::new();
    for (has, word) in [
        (laws.step, "step"),
        (laws.linear, straight),
        (laws.hermite, "cubic with tangents"),
        (laws.bezier_timing, "eased by a Bezier curve"),
    ] {
        words.extend(has.then_some(word));
    }
    let mixed = if laws.mixed { "each segment its own" } else { "one per curve" };
    if words.is_empty() { "none".into() } else { format!("{}; {mixed}", words.join(", ")) }
}

fn times(format: &FormatInfo) -> String {
    let can = &format.capabilities;
    let any = if can.layout == KeyLayout::EveryFrame { "whole frames at any rate" } else { "any" };
    let grid = can.grid.map_or_else(|| any.into(), |rate| format!("whole frames at {rate}"));
    let negative = if can.negative_times { "also before 0" } else { "from 0 on" };
    let shared = match can.layout {
        KeyLayout::PerChannel => "each channel its own",
        KeyLayout::PerTarget => "the same for all channels of a target",
        KeyLayout::EveryFrame => "all channels on every frame",
    };
    format!("{grid}, {negative}; {shared}")
}

const fn relation(relation: PoseRelation) -> &'static str {
    match relation {
        PoseRelation::Absolute => "replace the rest pose",
        PoseRelation::OnTopOfRest => "come on top of the rest pose",
    }
}

fn names(rule: NameRule) -> String {
    match rule {
        NameRule::Any => "any Unicode text".into(),
        NameRule::Encoded { encoding, max_bytes: Some(max) } => format!("{encoding}, at most {max} bytes"),
        NameRule::Encoded { encoding, max_bytes: None } => encoding.to_owned(),
    }
}

fn basis(basis: &Basis) -> String {
    let hand = if basis.is_left_handed() { "left-handed" } else { "right-handed" };
    let unit = basis.metres_per_unit.map_or_else(|| "unit unknown".into(), |m| format!("1 unit is {m} m"));
    format!(
        "{hand}; left {}, up {}, front {}; {unit}; cameras look along {}",
        axis(basis.left),
        axis(basis.up),
        axis(basis.front),
        axis(basis.camera_looks)
    )
}

const fn axis(axis: Axis) -> &'static str {
    match axis {
        Axis::PosX => "+X",
        Axis::NegX => "−X",
        Axis::PosY => "+Y",
        Axis::NegY => "−Y",
        Axis::PosZ => "+Z",
        Axis::NegZ => "−Z",
    }
}
