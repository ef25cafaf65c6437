//! The channels and targets that stand side by side in a column.

use crate::playing::sample::{Axes, Sampled, SampledChannel, Space};
use dopesheet_core::model::{
    Clip, Hierarchy, NodeIndex, PoseRelation, Property, Scene, TargetKind, Transform,
};
use std::collections::{BTreeSet, HashMap};

/// A channel of several targets.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) name: String,
    /// Numbers of each target.
    pub(super) width: usize,
    /// True if a target has a plain number rather than a list with a single number.
    pub(super) is_scalar: bool,
    pub(super) cells: Vec<Cell>,
}

/// The part of a target in a column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) target: String,
    /// Its number in the source.
    pub(super) index: usize,
    values: CellValues,
}

/// Source of a cell's values.
#[derive(Clone, Debug, PartialEq)]
enum CellValues {
    /// Values of a channel of a track, by their positions.
    Sampled(usize, usize),
    /// Equal values in all rows, for a part that nothing moves.
    Still(Vec<f64>),
}

impl Column {
    /// Numbers in a row.
    pub(super) const fn numbers(&self) -> usize {
        self.width * self.cells.len()
    }

    /// The numbers of a row.
    pub(super) fn row<'a>(&'a self, sampled: &'a Sampled, row: usize) -> impl Iterator<Item = f64> + 'a {
        self.cells.iter().flat_map(move |cell| cell.row(sampled, row, self.width).iter().copied())
    }
}

impl Cell {
    fn row<'a>(&'a self, sampled: &'a Sampled, row: usize, width: usize) -> &'a [f64] {
        match &self.values {
            CellValues::Still(values) => values,
            CellValues::Sampled(track, channel) => sampled
                .tracks
                .get(*track)
                .and_then(|track| track.channels.get(*channel))
                .and_then(|channel| channel.values.get(row * width..(row + 1) * width))
                .unwrap_or_default(),
        }
    }
}

/// Properties of a joint of a skeleton: words and widths.
const PARTS: [(Property, &str, usize); 3] = [
    (Property::Translation, "translation", 3),
    (Property::Rotation, "rotation", 4),
    (Property::Scale, "scale", 3),
];

/// The columns of a clip: columns of all joints of its skeleton, then everything else sampled.
pub(super) fn of(scene: &Scene, clip: &Clip, sampled: &Sampled, wants_joints: bool) -> Vec<Column> {
    let is_whole = scene.hierarchy == Hierarchy::Known && sampled.space == Space::Local && wants_joints;
    let mut columns = Vec::new();
    let mut taken = BTreeSet::new();
    if is_whole && !scene.nodes.is_empty() {
        let nodes = nodes(clip);
        for (part, (property, word, width)) in PARTS.iter().enumerate() {
            if has_own_form(clip, sampled, property, word, *width) {
                continue;
            }
            columns.push(skeleton(scene, clip, sampled, &nodes, part, &mut taken));
        }
    }
    columns.extend(other_columns(sampled, &taken, &columns));
    columns
}

/// Joints by label and number.
type Nodes<'a> = HashMap<(&'a str, usize), NodeIndex>;

fn nodes(clip: &Clip) -> Nodes<'_> {
    let joints =
        clip.tracks.iter().map(|track| &track.target).filter(|target| target.kind == TargetKind::Joint);
    joints.filter_map(|target| Some(((target.label(), target.index), target.node?))).collect()
}

/// True if the source states a property of joints in a form of its own that cannot stand beside resting
/// joints.
fn has_own_form(clip: &Clip, sampled: &Sampled, property: &Property, word: &str, width: usize) -> bool {
    let mut channels = clip
        .tracks
        .iter()
        .filter(|track| track.target.kind == TargetKind::Joint)
        .flat_map(|track| &track.channels);
    let mut joints = sampled.tracks.iter().filter(|track| track.kind == TargetKind::Joint);
    let is_native = sampled.axes == Axes::Native
        && channels
            .any(|c| (c.property == *property && c.native.is_some()) || c.property == Property::Placement);
    is_native || joints.any(|track| track.channels.iter().any(|c| c.name == word && c.width != width))
}

/// A property of all joints, in the order of the skeleton.
fn skeleton(
    scene: &Scene,
    clip: &Clip,
    sampled: &Sampled,
    nodes: &Nodes<'_>,
    part: usize,
    taken: &mut BTreeSet<(usize, usize)>,
) -> Column {
    let (_, word, width) = PARTS[part];
    let rest = |rest: &Transform| {
        let rest = if clip.relation == PoseRelation::OnTopOfRest { &Transform::IDENTITY } else { rest };
        [&rest.translation[..], &rest.rotation[..], &rest.scale[..]][part].to_vec()
    };
    let mut cells: Vec<Cell> = (0..)
        .zip(&scene.nodes)
        .map(|(position, node)| Cell {
            target: node.name.clone(),
            index: node.source_index.unwrap_or(position),
            values: CellValues::Still(rest(&node.rest)),
        })
        .collect();
    for (track_at, track) in
        sampled.tracks.iter().enumerate().filter(|(_, track)| track.kind == TargetKind::Joint)
    {
        let node = nodes.get(&(track.target.as_str(), track.index));
        let Some(cell) = node.and_then(|node| cells.get_mut(node.0)) else { continue };
        let channel = track.channels.iter().position(|channel| channel.name == word);
        if let (Some(channel), CellValues::Still(_)) = (channel, &cell.values) {
            cell.values = CellValues::Sampled(track_at, channel);
            taken.insert((track_at, channel));
        }
    }
    Column { name: format!("joint_{word}"), width, is_scalar: false, cells }
}

/// Columns beside the skeleton's: one column for each kind, channel and width, in the order of the source.
fn other_columns(
    sampled: &Sampled,
    taken: &BTreeSet<(usize, usize)>,
    skeleton_columns: &[Column],
) -> Vec<Column> {
    let mut columns: Vec<((TargetKind, &SampledChannel), Column)> = Vec::new();
    for (track_at, track) in sampled.tracks.iter().enumerate() {
        for (channel_at, channel) in track.channels.iter().enumerate() {
            if taken.contains(&(track_at, channel_at)) || channel.width == 0 {
                continue;
            }
            let cell = Cell {
                target: track.target.clone(),
                index: track.index,
                values: CellValues::Sampled(track_at, channel_at),
            };
            let alike = |((kind, other), _): &&mut ((TargetKind, &SampledChannel), Column)| {
                *kind == track.kind
                    && (&other.name, other.width, other.is_scalar)
                        == (&channel.name, channel.width, channel.is_scalar)
            };
            match columns.iter_mut().find(alike) {
                Some((_, column)) => column.cells.push(cell),
                None => {
                    let (width, is_scalar) = (channel.width, channel.is_scalar);
                    let name = format!("{}_{}", track.kind.word(), channel.name);
                    columns
                        .push(((track.kind, channel), Column { name, width, is_scalar, cells: vec![cell] }));
                }
            }
        }
    }
    let columns = columns.into_iter().map(|(_, column)| column);
    with_own_names(columns, skeleton_columns)
}

/// Gives columns unique names. Columns of equal names get their width behind the name; columns of joints
/// already in the skeleton are called `extra_…`.
fn with_own_names(columns: impl Iterator<Item = Column>, skeleton_columns: &[Column]) -> Vec<Column> {
    let mut names: BTreeSet<String> = skeleton_columns.iter().map(|column| column.name.clone()).collect();
    let named = columns.map(|mut column| {
        let (name, width) = (column.name.clone(), column.width);
        let numbered = (2..).map(|n| format!("{name}_{width}_{n}"));
        let tries = [name.clone(), format!("extra_{name}"), format!("{name}_{width}")];
        let is_known = skeleton_columns.iter().any(|other| other.name == name);
        let tries =
            tries.into_iter().enumerate().filter(|(at, _)| *at != 1 || is_known).map(|(_, name)| name);
        column.name = tries.chain(numbered).find(|name| !names.contains(name)).unwrap_or_default();
        names.insert(column.name.clone());
        column
    });
    named.collect()
}
