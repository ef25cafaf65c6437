//! The change of vectors, rotations and everything made of them from one [`Basis`] to another, in this module
//! alone.

use super::channel::{Channel, Composition, EulerOrder, Orbit, Property, ValueKind};
use super::curve::Curve;
use super::light::LightKind;
use super::mesh::Primitive;
use super::rig::{AngleLimit, MorphEffect};
use super::{Axis, Basis, Lens, Node, NodeIndex, Scene, Transform};

/// The map from one basis to another: a signed permutation of the axes and a factor for lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rebase {
    /// For each source axis: the target coordinate, and the sign.
    axes: [(usize, f64); 3],
    /// −1 if the map is a mirror.
    determinant: f64,
    /// Target units per source unit.
    scale: f64,
}

impl Rebase {
    /// The map from `from`'s left, up and front to `to`'s.
    ///
    /// Lengths are scaled if both units are known, else kept.
    #[must_use]
    pub fn between(from: &Basis, to: &Basis) -> Self {
        let mut axes = [(0, 1.0); 3];
        for (a, b) in [(from.left, to.left), (from.up, to.up), (from.front, to.front)] {
            axes[a.index()] = (b.index(), a.sign() * b.sign());
        }
        let scale = match (from.metres_per_unit, to.metres_per_unit) {
            (Some(a), Some(b)) => a / b,
            _ => 1.0,
        };
        let mirror = from.is_left_handed() != to.is_left_handed();
        Self { axes, determinant: if mirror { -1.0 } else { 1.0 }, scale }
    }

    /// A direction: turned, never scaled.
    #[must_use]
    pub fn direction(&self, v: [f64; 3]) -> [f64; 3] {
        let mut out = [0.0; 3];
        for (value, (to, sign)) in v.into_iter().zip(self.axes) {
            out[to] = sign * value;
        }
        out
    }

    /// A position or offset: turned and scaled.
    #[must_use]
    pub fn position(&self, v: [f64; 3]) -> [f64; 3] {
        self.direction(v).map(|x| x * self.scale)
    }

    /// An axis of rotation: under a mirror the rotation changes its sense.
    #[must_use]
    pub fn axial(&self, v: [f64; 3]) -> [f64; 3] {
        self.direction(v).map(|x| x * self.determinant)
    }

    /// A rotation, x y z w.
    #[must_use]
    pub fn rotation(&self, [x, y, z, w]: [f64; 4]) -> [f64; 4] {
        let [x, y, z] = self.axial([x, y, z]);
        [x, y, z, w]
    }

    /// Scale factors along the local axes.
    #[must_use]
    pub fn scale_factors(&self, v: [f64; 3]) -> [f64; 3] {
        let mut out = [0.0; 3];
        for (value, (to, _)) in v.into_iter().zip(self.axes) {
            out[to] = value;
        }
        out
    }

    /// A length.
    #[must_use]
    pub fn length(&self, length: f64) -> f64 {
        length * self.scale
    }

    /// A column-major 4×4 matrix between two spaces of the scene.
    #[must_use]
    pub fn matrix(&self, m: [f64; 16]) -> [f64; 16] {
        let mut out = m;
        for (column, (to_column, column_sign)) in self.axes.into_iter().enumerate() {
            for (row, (to_row, row_sign)) in self.axes.into_iter().enumerate() {
                out[to_column * 4 + to_row] = column_sign * row_sign * m[column * 4 + row];
            }
        }
        out[12..15].copy_from_slice(&self.position([m[12], m[13], m[14]]));
        out
    }

    fn axis(&self, axis: Axis) -> [f64; 3] {
        self.direction(axis.vector())
    }

    fn transform(&self, t: &Transform) -> Transform {
        Transform {
            translation: self.position(t.translation),
            rotation: self.rotation(t.rotation),
            scale: self.scale_factors(t.scale),
        }
    }

    fn limit(&self, limit: &AngleLimit) -> AngleLimit {
        let (a, b) = (self.axial(limit.min_rad), self.axial(limit.max_rad));
        AngleLimit {
            min_rad: std::array::from_fn(|i| a[i].min(b[i])),
            max_rad: std::array::from_fn(|i| a[i].max(b[i])),
        }
    }
}

/// Brings a scene into another basis. `metres_per_unit` replaces the unit of the scene's basis.
///
/// If the local axis of a camera or light differs from the axis required by `to`, the camera or light moves
/// to a child node that is turned accordingly, so that no animated node changes its meaning.
pub fn rebase(scene: &mut Scene, to: &Basis, metres_per_unit: Option<f64>) {
    let from = Basis { metres_per_unit: metres_per_unit.or(scene.basis.metres_per_unit), ..scene.basis };
    let map = Rebase::between(&from, to);
    scene.basis = Basis { metres_per_unit: from.metres_per_unit.and(to.metres_per_unit), ..*to };
    for node in &mut scene.nodes {
        node.rest = map.transform(&node.rest);
    }
    for track in scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        for channel in &mut track.channels {
            rebase_channel(&map, channel);
        }
    }
    rebase_optics(&map, scene);
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        rebase_primitive(&map, primitive);
    }
    for matrix in scene.skins.iter_mut().flat_map(|skin| &mut skin.inverse_bind) {
        *matrix = map.matrix(*matrix);
    }
    for joint in &mut scene.rig.joints {
        joint.fixed_axis = joint.fixed_axis.map(|axis| map.axial(axis));
    }
    for link in scene.rig.ik.iter_mut().flat_map(|chain| &mut chain.links) {
        link.limit = link.limit.map(|limit| map.limit(&limit));
    }
    for morph in &mut scene.rig.morphs {
        if let MorphEffect::Joints(offsets) = &mut morph.effect {
            for offset in offsets {
                offset.translation = map.position(offset.translation);
                offset.rotation = map.rotation(offset.rotation);
            }
        }
    }
    if let Some(look_at) = scene.humanoid.as_mut().and_then(|humanoid| humanoid.look_at.as_mut()) {
        look_at.offset_from_head = map.position(look_at.offset_from_head);
    }
    aim(scene, map.axis(from.camera_looks), to.camera_looks, "Lens", |node| &mut node.camera);
    aim(scene, map.axis(from.light_shines), to.light_shines, "Beam", |node| &mut node.light);
}

/// Moves parts that look along `is` to child nodes in which they look along `axis`.
fn aim<T>(
    scene: &mut Scene,
    is: [f64; 3],
    axis: Axis,
    suffix: &str,
    part: impl Fn(&mut Node) -> &mut Option<T>,
) {
    let axis = axis.vector();
    let dot: f64 = is.iter().zip(axis).map(|(a, b)| a * b).sum();
    if dot > 0.5 {
        return;
    }
    let cross = [
        axis[1] * is[2] - axis[2] * is[1],
        axis[2] * is[0] - axis[0] * is[2],
        axis[0] * is[1] - axis[1] * is[0],
    ];
    let rotation = if dot < -0.5 {
        // Half a turn about any axis across the view; Y unless that is the view itself.
        if axis[1] == 0.0 { [0.0, 1.0, 0.0, 0.0] } else { [1.0, 0.0, 0.0, 0.0] }
    } else {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        [cross[0] * half, cross[1] * half, cross[2] * half, half]
    };
    for index in 0..scene.nodes.len() {
        let Some(moved) = part(&mut scene.nodes[index]).take() else { continue };
        let name = format!("{}_{suffix}", scene.nodes[index].name);
        let mut child =
            Node::new(name, Some(NodeIndex(index)), Transform { rotation, ..Transform::IDENTITY });
        *part(&mut child) = Some(moved);
        scene.push_node(child);
    }
}

fn rebase_optics(map: &Rebase, scene: &mut Scene) {
    for camera in &mut scene.cameras {
        camera.near = map.length(camera.near);
        camera.far = camera.far.map(|far| map.length(far));
        if let Lens::Orthographic { half_width, half_height } = &mut camera.lens {
            *half_width = map.length(*half_width);
            *half_height = map.length(*half_height);
        }
    }
    for light in &mut scene.lights {
        if let LightKind::Point { range } | LightKind::Spot { range, .. } = &mut light.kind {
            *range = range.map(|range| map.length(range));
        }
    }
}

fn rebase_primitive(map: &Rebase, primitive: &mut Primitive) {
    let narrow = |v: [f64; 3]| v.map(|x| x as f32);
    for position in &mut primitive.positions {
        *position = narrow(map.position(position.map(f64::from)));
    }
    for normal in &mut primitive.normals {
        *normal = narrow(map.direction(normal.map(f64::from)));
    }
    for [x, y, z, sign] in &mut primitive.tangents {
        [*x, *y, *z] = narrow(map.direction([*x, *y, *z].map(f64::from)));
        // A mirror turns the product of normal and tangent over.
        *sign *= map.determinant as f32;
    }
    for morph in &mut primitive.morphs {
        for (_, offset) in &mut morph.positions {
            *offset = narrow(map.position(offset.map(f64::from)));
        }
        for (_, offset) in morph.normals.iter_mut().chain(&mut morph.tangents) {
            *offset = narrow(map.direction(offset.map(f64::from)));
        }
    }
    if map.determinant < 0.0 {
        for triangle in primitive.indices.chunks_exact_mut(3) {
            triangle.swap(1, 2);
        }
    }
}

fn rebase_channel(map: &Rebase, channel: &mut Channel) {
    match &mut channel.composition {
        Composition::Whole(curve) => rebase_whole(map, &channel.property, curve),
        Composition::Components(curves) | Composition::ComponentsNormalised(curves) => {
            rebase_components(map, &channel.property, curves);
        }
        Composition::Euler { order, angles } => rebase_euler(map, order, angles),
        Composition::Orbit(orbit) => rebase_orbit(map, orbit),
        Composition::Aim { direction, axis } => {
            rebase_whole(map, &Property::Direction, direction);
            *axis = map.direction(*axis);
        }
        Composition::Swing { direction, axis } => {
            match direction.as_mut_slice() {
                [curve] => rebase_whole(map, &Property::Direction, curve),
                curves => rebase_components(map, &Property::Direction, curves),
            }
            *axis = map.direction(*axis);
        }
    }
}

fn triple(values: &mut [f32], change: impl Fn([f64; 3]) -> [f64; 3]) {
    if let Some(v) = values.first_chunk_mut::<3>() {
        *v = change(v.map(f64::from)).map(|x| x as f32);
    }
}

fn rebase_whole(map: &Rebase, property: &Property, curve: &mut Curve) {
    match property.kind() {
        ValueKind::Position => curve.change_rows(|v, _| triple(v, |v| map.position(v))),
        ValueKind::Direction => curve.change_rows(|v, _| triple(v, |v| map.direction(v))),
        ValueKind::Rotation => {
            curve.change_rows(|v, _| triple(v, |v| map.axial(v)));
            for turn in curve.turns.iter_mut().flatten() {
                triple(&mut turn[1..], |v| map.axial(v));
            }
        }
        ValueKind::Numbers if *property == Property::Scale => {
            curve.change_rows(|v, _| triple(v, |v| map.scale_factors(v)));
        }
        ValueKind::Numbers | ValueKind::Discrete => {}
    }
}

/// Per-axis curves change places; each is multiplied by its factor.
fn rebase_components(map: &Rebase, property: &Property, curves: &mut [Curve]) {
    let factor = match property.kind() {
        ValueKind::Position => map.scale,
        ValueKind::Direction => 1.0,
        ValueKind::Rotation => map.determinant,
        ValueKind::Numbers if *property == Property::Scale => return permute(map, curves),
        ValueKind::Numbers | ValueKind::Discrete => return,
    };
    for (curve, (_, sign)) in curves.iter_mut().zip(map.axes) {
        multiply(curve, sign * factor);
    }
    permute(map, curves);
}

fn multiply(curve: &mut Curve, factor: f64) {
    curve.change_rows(|values, _| values.iter_mut().for_each(|v| *v = (f64::from(*v) * factor) as f32));
}

/// Puts per-axis curves into the order of the target's axes. A fourth curve (w) stays.
fn permute(map: &Rebase, curves: &mut [Curve]) {
    let Some(first) = curves.first_chunk_mut::<3>() else { return };
    let old = first.clone();
    for (curve, (to, _)) in old.into_iter().zip(map.axes) {
        first[to] = curve;
    }
}

fn rebase_euler(map: &Rebase, order: &mut EulerOrder, angles: &mut [Curve]) {
    match angles {
        [curve] => curve.change_rows(|v, _| triple(v, |v| map.axial(v))),
        curves => {
            for (curve, (_, sign)) in curves.iter_mut().zip(map.axes) {
                multiply(curve, sign * map.determinant);
            }
            permute(map, curves);
        }
    }
    *order = rebase_order(map, *order);
}

fn rebase_orbit(map: &Rebase, orbit: &mut Orbit) {
    rebase_components(map, &Property::Translation, &mut orbit.target);
    multiply(&mut orbit.distance, map.scale);
    orbit.axis = map.direction(orbit.axis);
    let mut signs = [1.0; 3];
    for (old, (to, sign)) in orbit.angle_signs.into_iter().zip(map.axes) {
        signs[to] = old * sign * map.determinant;
    }
    orbit.angle_signs = signs;
    orbit.angles.change_rows(|v, _| triple(v, |v| map.scale_factors(v)));
    orbit.order = rebase_order(map, orbit.order);
}

fn rebase_order(map: &Rebase, order: EulerOrder) -> EulerOrder {
    use EulerOrder::{Xyz, Xzy, Yxz, Yzx, Zxy, Zyx};
    const ALL: [(EulerOrder, [usize; 3]); 6] = [
        (Xyz, [0, 1, 2]),
        (Xzy, [0, 2, 1]),
        (Yxz, [1, 0, 2]),
        (Yzx, [1, 2, 0]),
        (Zxy, [2, 0, 1]),
        (Zyx, [2, 1, 0]),
    ];
    let axes = ALL.iter().find(|(o, _)| *o == order).map_or([0, 1, 2], |(_, axes)| *axes);
    let renamed = axes.map(|axis| map.axes[axis].0);
    ALL.iter().find(|(_, axes)| *axes == renamed).map_or(order, |(o, _)| *o)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MMD: Basis = Basis {
        front: Axis::NegZ,
        metres_per_unit: Some(0.08),
        camera_looks: Axis::PosZ,
        light_shines: Axis::PosZ,
        ..Basis::GLTF
    };
    const UNITY: Basis = Basis::UNITY;
    const Z_UP: Basis = Basis { up: Axis::PosZ, front: Axis::NegY, ..Basis::GLTF };

    #[test]
    fn mmd_is_mirrored_in_z_and_scaled() {
        let map = Rebase::between(&MMD, &Basis::GLTF);
        assert_eq!(map.position([1.0, 2.0, 3.0]), [0.08, 0.16, -0.24]);
        assert_eq!(map.rotation([0.1, 0.2, 0.3, 0.4]), [-0.1, -0.2, 0.3, 0.4]);
        let limit = map.limit(&AngleLimit { min_rad: [-3.0, -1.0, -2.0], max_rad: [-0.5, 2.0, 1.0] });
        assert_eq!(limit, AngleLimit { min_rad: [0.5, -2.0, -2.0], max_rad: [3.0, 1.0, 1.0] });
    }

    #[test]
    fn unity_is_mirrored_in_x() {
        let map = Rebase::between(&UNITY, &Basis::GLTF);
        assert_eq!(map.position([1.0, 2.0, 3.0]), [-1.0, 2.0, 3.0]);
        assert_eq!(map.rotation([0.1, 0.2, 0.3, 0.4]), [0.1, -0.2, -0.3, 0.4]);
    }

    #[test]
    fn bitangents_and_morphed_normals_are_mirrored_with_the_surface() {
        let morph = crate::model::MorphDelta {
            normals: vec![(0, [1.0, 2.0, 3.0])],
            tangents: vec![(0, [1.0, 2.0, 3.0])],
            ..Default::default()
        };
        let mut primitive = Primitive {
            normals: vec![[0.0, 1.0, 0.0]],
            tangents: vec![[0.6, 0.0, 0.8, -1.0]],
            morphs: vec![morph],
            ..Primitive::default()
        };
        let bitangent = |primitive: &Primitive| {
            let [x, y, z, sign] = primitive.tangents[0].map(f64::from);
            (glam::DVec3::from(primitive.normals[0].map(f64::from)).cross([x, y, z].into()) * sign).to_array()
        };
        let map = Rebase::between(&MMD, &Basis::GLTF);
        let mirrored = map.direction(bitangent(&primitive));
        rebase_primitive(&map, &mut primitive);
        assert_eq!(primitive.tangents, [[0.6, 0.0, -0.8, 1.0]]);
        assert_eq!(bitangent(&primitive), mirrored);
        let morph = &primitive.morphs[0];
        assert_eq!(
            [&morph.normals, &morph.tangents],
            [&vec![(0, [1.0, 2.0, -3.0])]; 2],
            "turned, not scaled"
        );
    }

    #[test]
    fn z_up_is_turned_without_a_mirror() {
        let map = Rebase::between(&Z_UP, &Basis::GLTF);
        assert_eq!(map.position([1.0, 2.0, 3.0]), [1.0, 3.0, -2.0]);
        assert_eq!(map.determinant, 1.0);
    }

    #[test]
    fn a_camera_that_looks_the_other_way_gets_a_lens_node() {
        let mut scene = Scene::new(UNITY);
        let camera = Some(crate::model::CameraIndex(0));
        scene.push_node(Node { camera, ..Node::new("Camera", None, Transform::IDENTITY) });
        rebase(&mut scene, &Basis::GLTF, None);
        assert_eq!(scene.nodes[0].camera, None);
        assert_eq!((scene.nodes[1].name.as_str(), scene.nodes[1].camera), ("Camera_Lens", camera));
        assert_eq!(scene.nodes[1].rest.rotation, [0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_quarter_turn_carries_the_view_from_one_axis_to_another() {
        let mut scene = Scene::new(Basis { camera_looks: Axis::PosX, ..Basis::GLTF });
        scene.push_node(Node { camera: Some(crate::model::CameraIndex(0)), ..Node::default() });
        rebase(&mut scene, &Basis::GLTF, None);
        let [x, y, z, w] = scene.nodes[1].rest.rotation;
        // Rotates −Z (where glTF looks) to +X (where the source looked).
        let turned = glam::DQuat::from_xyzw(x, y, z, w) * glam::DVec3::NEG_Z;
        assert!((turned - glam::DVec3::X).length() < 1e-12);
    }

    #[test]
    fn euler_orders_follow_their_axes() {
        let map = Rebase::between(&Z_UP, &Basis::GLTF);
        assert_eq!(rebase_order(&map, EulerOrder::Zyx), EulerOrder::Yzx);
        assert_eq!(rebase_order(&Rebase::between(&MMD, &Basis::GLTF), EulerOrder::Yxz), EulerOrder::Yxz);
    }

    proptest! {
        #[test]
        fn there_and_back_is_where_we_were(v: [i16; 3], w: i16, basis in prop::sample::select(vec![MMD, UNITY, Z_UP])) {
            let (to, back) = (Rebase::between(&basis, &Basis::GLTF), Rebase::between(&Basis::GLTF, &basis));
            let v = v.map(f64::from);
            let q = [v[0], v[1], v[2], f64::from(w)];
            prop_assert_eq!(back.rotation(to.rotation(q)), q);
            prop_assert_eq!(back.direction(to.direction(v)), v);
            for (a, b) in back.position(to.position(v)).into_iter().zip(v) {
                prop_assert!((a - b).abs() <= 1e-12 * b.abs());
            }
        }

        #[test]
        fn rotating_then_mapping_is_mapping_then_rotating(
            q in prop::array::uniform4(-1.0f64..1.0), v in prop::array::uniform3(-9.0f64..9.0),
            basis in prop::sample::select(vec![MMD, UNITY, Z_UP])
        ) {
            let rotate = |q: [f64; 4], v: [f64; 3]| (glam::DQuat::from_array(q).normalize() * glam::DVec3::from(v)).to_array();
            prop_assume!(q.iter().map(|x| x * x).sum::<f64>() > 1e-3);
            let map = Rebase::between(&basis, &Basis::GLTF);
            let (a, b) = (map.position(rotate(q, v)), rotate(map.rotation(q), map.position(v)));
            for (a, b) in a.into_iter().zip(b) {
                prop_assert!((a - b).abs() < 1e-9);
            }
        }
    }
}
