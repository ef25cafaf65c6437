//! A scene that is ready to be drawn at many times.

use crate::drawing::Drawing;
use crate::extent::Extent;
use crate::figure::Figure;
use crate::hands::Hands;
use crate::moment::{Moment, Player, axes_matrix};
use crate::optics::Optics;
use crate::skeleton::Skeleton;
use crate::texture::{Texture, Textures};
use crate::theme::Theme;
use crate::view::View;
use dopesheet_core::format::NameMap;
use dopesheet_core::model::{Basis, Clip, ImageIndex, NodeIndex, Rebase, Scene};
use dopesheet_core::order;
use dopesheet_core::units::Seconds;
use dopesheet_human::{looks_back, propose};
use glam::{DAffine3, DVec3, Vec3};
use std::collections::HashSet;
use std::sync::Arc;

/// Number of times at which the size of the scene is measured.
const LOOKS: u32 = 96;

/// A scene and one of its clips, ready to be drawn.
#[derive(Debug)]
pub struct Stage {
    scene: Arc<Scene>,
    clip: Arc<Clip>,
    axes: DAffine3,
    textures: Vec<Option<Arc<Texture>>>,
    figure: Figure,
    skeleton: Skeleton,
    hands: Hands,
    optics: Optics,
    extent: Extent,
}

impl Stage {
    /// Prepares a clip on its scene; an empty clip is the scene at rest.
    ///
    /// Meshes are drawn if there are any, else the skeleton: every node that moves or deforms, and its
    /// children. Joints of hands that are siblings, as MRTK records them, are joined to fingers. A human figure that looks back at rest, as
    /// all of VRM 0.x do, is turned to the front with all of its scene.
    #[must_use]
    pub fn new(scene: Arc<Scene>, clip: Arc<Clip>) -> Self {
        Self::sharing(scene, clip, &mut Textures::default())
    }

    /// As [`Stage::new`], with the decoded pictures in `textures` reused.
    #[must_use]
    pub fn sharing(scene: Arc<Scene>, clip: Arc<Clip>, textures: &mut Textures) -> Self {
        let map = Rebase::between(&scene.basis, &Basis::GLTF);
        let humanoid = propose(&scene, &NameMap::default()).humanoid;
        let is_back = humanoid.is_human() && looks_back(&scene, &humanoid);
        let half_turn = if is_back { DVec3::new(-1.0, 1.0, -1.0) } else { DVec3::ONE };
        let axes = DAffine3::from_scale(half_turn) * axes_matrix(&map);
        let figure = Figure::new(&scene, scene.basis.is_left_handed() != Basis::GLTF.is_left_handed());
        let hands = Hands::new(&scene);
        let skeleton = Skeleton::new(&scene, &clip, |node| hands.has(node));
        // Where there is a figure, what else moves says nothing about its size.
        let bare = figure.is_empty().then(|| skeleton.nodes());
        let measured_nodes =
            order::set(figure.nodes().chain(bare.into_iter().flatten()).chain(hands.nodes()));
        let mut player = Player::new(&scene, &clip, axes);
        let Seconds(end) = clip.end();
        let looks = (0..LOOKS).map(|i| Seconds(end * f64::from(i) / f64::from(LOOKS - 1)));
        let moments: Vec<Moment> = looks.map(|time| player.at(time)).collect();
        let extent = Extent::of(&measured_nodes, &moments);
        let optics = Optics::new(&scene, &clip, &moments, extent);
        let drawn: HashSet<_> =
            scene.materials.iter().filter_map(|material| Some(material.base_color_image?.image)).collect();
        let images = scene.images.iter().enumerate();
        let images = images.map(|(index, image)| Some(image).filter(|_| drawn.contains(&ImageIndex(index))));
        let textures = textures.of(&images.collect::<Vec<_>>());
        Self { scene, clip, axes, textures, figure, skeleton, hands, optics, extent }
    }

    /// The clip on the stage.
    #[must_use]
    pub fn clip(&self) -> &Clip {
        &self.clip
    }

    /// The scene on the stage, at rest.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// A player of the clip, for moments in any order.
    #[must_use]
    pub fn player(&self) -> Player<'_> {
        Player::new(&self.scene, &self.clip, self.axes)
    }

    /// The pictures of the materials; `None` for pictures that cannot be decoded or are not drawn.
    #[must_use]
    pub fn textures(&self) -> &[Option<Arc<Texture>>] {
        &self.textures
    }

    /// The drawing of the scene at a moment.
    #[must_use]
    pub fn drawing(&self, moment: &Moment, theme: &Theme) -> Drawing {
        let mut drawing = Drawing::default();
        self.figure.draw(&self.scene, moment, theme, &mut drawing);
        if self.figure.is_empty() {
            self.skeleton.draw(moment, self.extent.size, theme, &mut drawing);
        }
        self.hands.draw(moment, theme, &mut drawing);
        self.optics.draw(moment, theme, &mut drawing);
        drawing
    }

    /// Bones and joints alone, also of a scene with meshes, which otherwise hide most of them.
    #[must_use]
    pub fn bones(&self, moment: &Moment, theme: &Theme) -> Drawing {
        let mut drawing = Drawing::default();
        self.skeleton.draw(moment, self.extent.size, theme, &mut drawing);
        drawing
    }

    /// Joints of skeletons and hands: the node of each in its scene, and its position at a moment, in metres.
    pub fn joints(&self, moment: &Moment) -> impl Iterator<Item = (NodeIndex, [f32; 3])> {
        let nodes = self.skeleton.nodes().chain(self.hands.nodes());
        nodes.filter_map(|node| Some((NodeIndex(node), moment.point(node)?.as_vec3().to_array())))
    }

    /// The middle of all joints at a moment, which an eye can follow, in metres; `None` where there are none.
    #[must_use]
    pub fn middle(&self, moment: &Moment) -> Option<Vec3> {
        let (mut sum, mut count) = (Vec3::ZERO, 0.0_f32);
        for (_, point) in self.joints(moment) {
            sum += Vec3::from(point);
            count += 1.0;
        }
        (count > 0.0).then(|| sum / count).filter(|middle| middle.is_finite())
    }

    /// The view of each camera of the scene at a moment, with its node.
    pub fn camera_views(&self, moment: &Moment) -> impl Iterator<Item = (NodeIndex, View)> {
        self.optics.views(moment).map(|(node, view)| (NodeIndex(node), view))
    }

    /// Length of the diagonal of the box around all its things, over the whole clip, in metres; 1 if there is nothing.
    #[must_use]
    pub fn size(&self) -> f32 {
        self.extent.size as f32
    }
}
