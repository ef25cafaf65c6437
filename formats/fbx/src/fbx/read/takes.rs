//! Takes: curves of the file, by layer, object and property.

use super::cameras;
use super::materials;
use super::morphs;
use super::numbers::{finite, rotation, vector};
use super::remarks::Remarks;
use super::still::Still;
use super::{times, work};
use crate::fbx::document::{Look, LookKind, MorphChannel, Take};
use crate::fbx::play::{
    AnimatedProperty, AnimationCurve, CurveKey, CurveNode, Extrapolation, Interpolation, Layer, LayerMode,
    PropertyKind, Tangent, TransformChain,
};
use dopesheet_core::diag::Fault;
use dopesheet_core::model::{EulerOrder, MeshIndex, NodeIndex};
use dopesheet_core::units::{FrameRate, Seconds};
use std::collections::{BTreeMap, HashMap, HashSet};
use ufbx::{AnimCurve, AnimStack, AnimValue, Element, ElementType, InheritMode, PropFlags, RotationOrder};

const TRANSLATION: &str = "Lcl Translation";
const ROTATION: &str = "Lcl Rotation";
const SCALING: &str = "Lcl Scaling";
const TURNS_AROUND: [&str; 2] = ["PreRotation", "PostRotation"];
const PIVOTS: [&str; 4] = ["RotationOffset", "RotationPivot", "ScalingOffset", "ScalingPivot"];

/// Largest number of connections from a property to a property that is followed.
const MOST_CONNECTIONS: usize = 1000;

/// Takes of a file, and all their curves; refused if they are too much work for a file of some length.
pub(super) fn takes(
    file: &ufbx::Scene,
    still: &Still,
    rate: FrameRate,
    length: usize,
    remarks: &mut Remarks,
) -> Result<(Vec<Take>, Vec<AnimationCurve>), Fault> {
    let mut curves = Curves::default();
    let stacks = file.anim_stacks.into_iter();
    let animated = stacks.map(|stack| Animated::of(file, stack, &mut curves, remarks));
    let animated = animated.collect::<Result<Vec<_>, _>>()?;
    let properties = animated.iter().flat_map(|take| take.properties.values());
    work::check(properties, &curves.all, rate, length)?;
    let takes = animated.iter().map(|animated| animated.take(still, rate, &mut curves)).collect();
    Ok((takes, curves.all))
}

/// Curves in the making, by the library's numbers of curves.
#[derive(Default)]
struct Curves {
    all: Vec<AnimationCurve>,
    known: HashMap<u32, usize>,
}

impl Curves {
    fn index(&mut self, curve: &AnimCurve) -> usize {
        *self.known.entry(curve.element.element_id).or_insert_with(|| {
            self.all.push(curve_of(curve));
            self.all.len() - 1
        })
    }

    fn node(&mut self, layer: usize, value: &AnimValue, name: &str) -> CurveNode {
        let mut defaults = vector(&value.default_value);
        // The library takes 0 for the stored value without a curve, except in values with names of axes (`d|X`).
        let stored = ufbx::find_prop(&value.element.props, &format!("d|{name}"));
        if let Some(stored) = stored.filter(|_| value.curves.iter().all(Option::is_none)) {
            defaults[0] = finite(stored.value_vec4.x);
        }
        let curve = |axis: usize| value.curves.get(axis).and_then(Option::as_ref);
        let curves = [0, 1, 2].map(|axis| curve(axis).map(|curve| self.index(curve)));
        CurveNode { layer, defaults, curves }
    }
}

fn curve_of(curve: &AnimCurve) -> AnimationCurve {
    let tangent = |tangent: &ufbx::Tangent| Tangent { seconds: tangent.dx, rise: tangent.dy };
    let key = |key: &ufbx::Keyframe| CurveKey {
        time_s: key.time,
        value: finite(key.value),
        interpolation: match key.interpolation {
            ufbx::Interpolation::ConstantPrev => Interpolation::Constant,
            ufbx::Interpolation::ConstantNext => Interpolation::ConstantNext,
            ufbx::Interpolation::Linear => Interpolation::Linear,
            ufbx::Interpolation::Cubic => Interpolation::Cubic,
        },
        arriving: tangent(&key.left),
        leaving: tangent(&key.right),
    };
    let course = |course: &ufbx::Extrapolation| match course.mode {
        ufbx::ExtrapolationMode::Constant => Extrapolation::Constant,
        ufbx::ExtrapolationMode::Slope => Extrapolation::Slope,
        ufbx::ExtrapolationMode::Repeat => Extrapolation::Repeat(course.repeat_count),
        ufbx::ExtrapolationMode::Mirror => Extrapolation::Mirror(course.repeat_count),
        ufbx::ExtrapolationMode::RepeatRelative => Extrapolation::RepeatRelative(course.repeat_count),
    };
    AnimationCurve {
        keys: curve.keyframes.iter().map(key).collect(),
        before: course(&curve.pre_extrapolation),
        after: course(&curve.post_extrapolation),
    }
}

fn layer_of(layer: &ufbx::AnimLayer, curves: &mut Curves) -> Layer {
    let of_layer = |property: &&ufbx::AnimProp| property.element.element_id == layer.element.element_id;
    let weights =
        layer.anim_props.iter().find(of_layer).filter(|_| layer.weight_is_animated && layer.blended);
    Layer {
        mode: match (layer.additive, layer.blended) {
            (true, _) => LayerMode::Add,
            (false, true) => LayerMode::Mix,
            (false, false) => LayerMode::Replace,
        },
        weight: finite(layer.weight),
        weights: weights.map(|property| curves.node(0, &property.anim_value, property.prop_name.as_ref())),
        composes_rotation: layer.compose_rotation,
        composes_scale: layer.compose_scale,
    }
}

/// Animated properties of a take.
struct Animated<'a> {
    file: &'a ufbx::Scene,
    stack: &'a AnimStack,
    /// By the library's number of an object, and by name: curves, from the lowest layer up.
    properties: BTreeMap<(u32, &'a str), Vec<CurveNode>>,
}

impl<'a> Animated<'a> {
    fn of(
        file: &'a ufbx::Scene,
        stack: &'a AnimStack,
        curves: &mut Curves,
        remarks: &mut Remarks,
    ) -> Result<Self, Fault> {
        let mut properties: BTreeMap<(u32, &'a str), Vec<CurveNode>> = BTreeMap::new();
        for (index, layer) in stack.layers.iter().enumerate() {
            for property in &layer.anim_props {
                let (element, name) = (&property.element, property.prop_name.as_ref());
                let object = || {
                    let take = stack.element.name.as_ref();
                    format!("take {take:?} {:?} {:?}", element.type_, element.name.as_ref())
                };
                let stored = || property.anim_value.curves.iter().flatten();
                let path = || format!("{} {name}", object());
                stored().try_for_each(|curve| times::check(file, curve, &path, remarks))?;
                remarks.finite(object, stored().flat_map(|curve| &curve.keyframes).map(|key| key.value));
                let node = curves.node(index, &property.anim_value, name);
                properties.entry((element.element_id, name)).or_default().push(node);
            }
        }
        Ok(Self { file, stack, properties })
    }

    fn take(&self, still: &Still, rate: FrameRate, curves: &mut Curves) -> Take {
        let stack = self.stack;
        let (begin, end) = self.span(curves);
        let (looks, others) = self.looks(still);
        Take {
            name: stack.element.name.to_string(),
            begin: Seconds(begin),
            end: Seconds(end),
            rate,
            layers: stack.layers.iter().map(|layer| layer_of(layer, curves)).collect(),
            motions: self.motions(still),
            weights: self.weights(),
            looks,
            others,
        }
    }

    /// Start and end of the take: as the file states them, else its first and last keys. A file may state the end of its clock.
    fn span(&self, curves: &Curves) -> (f64, f64) {
        let (begin, end) = (self.stack.time_begin, self.stack.time_end);
        let is_time = |time_s: f64| times::is_on_clock(self.file, time_s);
        if is_time(begin) && is_time(end) && begin < end {
            return (begin, end);
        }
        let keyed = self.properties.values().flatten().flat_map(|node| node.curves).flatten();
        let times = keyed.flat_map(|curve| &curves.all[curve].keys).map(|key| key.time_s);
        let ends = times.fold((f64::INFINITY, f64::NEG_INFINITY), |(first, last), time_s| {
            (time_s.min(first), time_s.max(last))
        });
        let begin = if is_time(begin) { begin } else { 0.0 };
        if ends.0 < ends.1 { ends } else { (begin, begin) }
    }

    /// Nodes with a moving transform, in the order of the scene.
    fn motions(&self, still: &Still) -> Vec<TransformChain> {
        let chains = self.file.nodes.iter().filter_map(|node| Some(self.chain(node, still.node(node)?)));
        let moves =
            |chain: &TransformChain| chain.sources().iter().flatten().any(|source| source.is_animated());
        let mut motions: Vec<TransformChain> = chains.filter(moves).collect();
        motions.sort_by_key(|chain| chain.node);
        motions
    }

    fn weights(&self) -> Vec<MorphChannel> {
        let channel = |(mesh, first_morph, channel): (usize, usize, &ufbx::BlendChannel)| {
            let (element, name) = morphs::weighed_by(channel);
            let percent = self.property(self.file.elements.get(element as usize)?, name, [0.0; 3]);
            percent.is_animated().then(|| MorphChannel {
                name: channel.element.name.to_string(),
                mesh: MeshIndex(mesh),
                first_morph,
                shapes: morphs::targets(channel),
                percent,
            })
        };
        morphs::all(self.file).filter_map(channel).collect()
    }

    /// Motion of cameras, lights, visibility and materials, and names of all further properties, each with its number of objects.
    fn looks(&self, still: &Still) -> (Vec<Look>, Vec<(String, usize)>) {
        let file = self.file;
        let (mut looks, mut tints) = (Vec::new(), Vec::new());
        let mut placed: HashSet<(u32, &str)> =
            morphs::all(file).map(|(_, _, channel)| morphs::weighed_by(channel)).collect();
        for material in file.materials.into_iter().filter(|material| materials::is_classic(material)) {
            let (paint, element) = (materials::paint(material), &material.element);
            for (kind, names) in [
                (LookKind::BaseColor(paint), paint.base_sources()),
                (LookKind::Emission(paint), paint.emission_sources()),
            ] {
                placed.extend(names.iter().map(|name| (element.element_id, *name)));
                let sources = names.into_iter().map(|name| (name, self.property(element, name, [0.0; 3])));
                let sources: Vec<_> = sources.filter(|(_, source)| source.is_animated()).collect();
                if !sources.is_empty() {
                    tints.push(Look { index: element.typed_id as usize, kind, sources });
                }
            }
        }
        let mut unplaced: BTreeMap<String, usize> = BTreeMap::new();
        for (id, name) in self.properties.keys().copied() {
            let Some(element) = file.elements.get(id as usize) else { continue };
            let is_transform = element.type_ == ElementType::Node
                && ([TRANSLATION, ROTATION, SCALING, "RotationOrder"].contains(&name)
                    || TURNS_AROUND.contains(&name)
                    || PIVOTS.contains(&name));
            let is_layer = element.type_ == ElementType::AnimLayer;
            if is_transform || is_layer || name == morphs::WEIGHT || placed.contains(&(id, name)) {
                continue;
            }
            let Some(kind) = look_kind(file, element, name) else {
                *unplaced.entry(name.to_owned()).or_default() += 1;
                continue;
            };
            let values = self.property(element, name, [0.0; 3]);
            let itself =
                file.nodes.get(element.typed_id as usize).filter(|_| element.type_ == ElementType::Node);
            let nodes =
                itself.into_iter().chain(element.instances.iter()).filter_map(|node| still.node(node));
            looks.extend(nodes.map(|node| Look { index: node.0, kind, sources: vec![("", values.clone())] }));
        }
        looks.append(&mut tints);
        (looks, unplaced.into_iter().collect())
    }

    /// A property of an object, by the object at the end of its connections.
    fn property(&self, element: &Element, name: &str, absent: [f64; 3]) -> AnimatedProperty {
        let (element, name) = end_of_connections(element, name);
        let stored = ufbx::find_prop(&element.props, name).map(|stored| &stored.value_vec4);
        AnimatedProperty {
            stored: stored.map_or(absent, |value| [value.x, value.y, value.z].map(finite)),
            curve_nodes: self.properties.get(&(element.element_id, name)).cloned().unwrap_or_default(),
            kind: PropertyKind::Numbers,
        }
    }

    fn scaling(&self, node: &ufbx::Node) -> AnimatedProperty {
        AnimatedProperty { kind: PropertyKind::Factors, ..self.property(&node.element, SCALING, [1.0; 3]) }
    }

    fn chain(&self, node: &ufbx::Node, index: NodeIndex) -> TransformChain {
        let zero = |name: &str| self.property(&node.element, name, [0.0; 3]);
        let order = if node.use_rotation_space { node.rotation_order } else { RotationOrder::Xyz };
        let order = EulerOrder::ALL.get(order as usize);
        let kind = order.map_or(PropertyKind::Numbers, |order| PropertyKind::Angles(*order));
        let around = TURNS_AROUND.map(zero);
        let turns = |property: &AnimatedProperty| property.stored != [0.0; 3] || property.is_animated();
        let is_turned = node.use_rotation_space && around.iter().any(turns);
        let [parent_scales, further_scales] = self.scales(node);
        TransformChain {
            node: index,
            translation: zero(TRANSLATION),
            rotation: AnimatedProperty { kind, ..zero(ROTATION) },
            scale: self.scaling(node),
            turns_around: is_turned.then_some(around),
            pivots: PIVOTS.map(zero),
            optics: rotation(&node.adjust_post_rotation),
            parent_scales,
            further_scales,
            factors: [node.adjust_translation_scale, node.adjust_post_scale]
                .map(|factor| factor * node.adjust_pre_scale),
            inherits_plainly: inherits_plainly(node),
        }
    }

    /// Scale factors of further nodes that multiply a node's translation, and its scale.
    ///
    /// Source: ufbx (`ufbx_evaluate_transform`, `inherit_mode_handling`).
    fn scales(&self, node: &ufbx::Node) -> [Vec<AnimatedProperty>; 2] {
        let Some(parent) = node.parent.as_ref() else { return [Vec::new(), Vec::new()] };
        let mut inherited = Vec::new();
        let mut above = parent.inherit_scale_node.as_ref();
        while let Some((next, helper)) = above.and_then(|above| Some((above, above.scale_helper.as_ref()?))) {
            inherited.push(self.scaling(helper));
            above = next.inherit_scale_node.as_ref();
        }
        let moved = parent.scale_helper.as_ref().map_or_else(Vec::new, |helper| {
            [self.scaling(helper)].into_iter().chain(inherited.iter().cloned()).collect()
        });
        [moved, if node.is_scale_helper { inherited } else { Vec::new() }]
    }
}

/// The object and property with the value of a property; the property itself if its connections end nowhere.
fn end_of_connections<'a>(element: &'a Element, name: &'a str) -> (&'a Element, &'a str) {
    let mut end = (element, name);
    for _ in 0..MOST_CONNECTIONS {
        let stored = ufbx::find_prop(&end.0.props, end.1);
        let is_connected = stored.is_some_and(|stored| stored.flags.has_any(PropFlags::CONNECTED));
        let mut sources = end.0.connections_dst.iter().filter(|_| is_connected);
        match sources.find(|source| source.dst_prop.as_ref() == end.1 && !source.src_prop.is_empty()) {
            Some(source) => end = (&source.src, source.src_prop.as_ref()),
            None => return end,
        }
    }
    (element, name)
}

/// True if a node inherits the scale of its parent unchanged, and neither has a further node for its scale.
fn inherits_plainly(node: &ufbx::Node) -> bool {
    let has_scale_apart =
        |node: &ufbx::Node| node.scale_helper.is_some() || node.inherit_scale_node.is_some();
    let is_apart = node.is_scale_helper || has_scale_apart(node);
    let parent_is_apart = node.parent.as_ref().is_some_and(|parent| has_scale_apart(parent));
    node.original_inherit_mode == InheritMode::Normal && !is_apart && !parent_is_apart
}

/// Meaning of a property of a camera, a light or a node.
fn look_kind(file: &ufbx::Scene, element: &Element, name: &str) -> Option<LookKind> {
    match (element.type_, name) {
        (ElementType::Camera, name) => {
            let camera = file.cameras.get(element.typed_id as usize)?;
            cameras::optics(camera, name).map(LookKind::YFov)
        }
        (ElementType::Light, "Intensity") => Some(LookKind::Intensity),
        (ElementType::Light, "Color") => Some(LookKind::Color),
        (ElementType::Node, "Visibility") => Some(LookKind::Visible),
        _ => None,
    }
}
