//! The shown scenes, and the eye that sees them.

use super::camera::Orbit;
use super::cast::{Cast, Options};
use super::gpu::Layer;
use super::still::still;
use dopesheet::draw::{Direction, Picture, Stage, Theme, View};
use eframe::egui::{Pos2, Rect, vec2};
use std::sync::Arc;

/// Largest ratio of the sizes of two scenes that are seen by the same eye.
const MOST_UNLIKE: f32 = 4.0;
/// Factors of the colours of the second of two scenes in one picture.
const OTHER_TINT: [f32; 4] = [1.0, 0.45, 0.2, 1.0];

/// The shown scenes, and the eye that sees them.
pub(crate) struct Sight {
    /// The shown scene, and a second one beside it.
    pub(crate) casts: Vec<Cast>,
    /// The movable eye; `None` before the first picture, and after a reset until the next.
    pub(crate) orbit: Option<Orbit>,
    /// Position of the scene's camera in use instead of `orbit`.
    pub(crate) camera: Option<usize>,
    pub(crate) options: Options,
    pub(crate) theme: Theme,
    /// True if each of two scenes has its own part of the picture.
    pub(crate) is_split: bool,
    /// Width and height of the scene in the window, in pixels.
    pub(crate) size_px: [u32; 2],
    /// Last position of the middle of the joints, while the eye follows the joints.
    followed: Option<glam::Vec3>,
}

impl Sight {
    /// A view without a scene.
    pub(crate) fn new(theme: Theme) -> Self {
        Self {
            casts: Vec::new(),
            orbit: None,
            camera: None,
            options: Options::default(),
            theme,
            is_split: false,
            size_px: [640, 480],
            followed: None,
        }
    }

    /// Shows other scenes from the same point of view.
    pub(crate) fn show(&mut self, stages: impl Iterator<Item = Arc<Stage>>) {
        self.casts = stages.map(|stage| Cast::new(stage, self.theme)).collect();
        self.followed = None;
    }

    /// Goes back to the point of view that shows the whole scene.
    pub(crate) const fn reset_eye(&mut self) {
        (self.orbit, self.camera) = (None, None);
    }

    /// Poses the scenes for a time in seconds, and moves the eye with the first scene if the options say so.
    pub(crate) fn go_to(&mut self, time: f64) {
        for cast in &mut self.casts {
            cast.go_to(time);
        }
        let middle = self.casts.first().filter(|_| self.options.follow).and_then(Cast::middle);
        if let (Some(orbit), Some(before), Some(now)) = (&mut self.orbit, self.followed, middle) {
            orbit.target += now - before;
        }
        self.followed = middle;
    }

    /// Looks from another side, through the movable eye.
    pub(crate) fn look_from(&mut self, direction: Direction) {
        self.camera = None;
        if let Some(orbit) = &mut self.orbit {
            orbit.turn_to(direction);
        }
    }

    /// Size of a scene in a picture of its own as a multiple of the first one's, if so much larger or smaller that both cannot be seen by the
    /// same eye; else 1.
    pub(crate) fn factor(&self, index: usize) -> f32 {
        let size = |cast: &Cast| cast.frame().bounds().map(|[low, high]| (high - low).length());
        let [first, own] = [0, index].map(|index| self.casts.get(index).and_then(size).unwrap_or(1.0));
        let factor = own / first;
        let is_alike = (1.0 / MOST_UNLIKE..=MOST_UNLIKE).contains(&factor);
        if is_alike || !factor.is_normal() { 1.0 } else { factor }
    }

    /// Scale of a part of the picture.
    pub(crate) fn scale(&self, index: usize) -> f32 {
        if self.is_split { self.factor(index) } else { 1.0 }
    }

    /// The parts of a picture, each with its own scene or with all scenes.
    pub(crate) fn parts(&self, picture: Rect) -> Vec<Rect> {
        let halves = match picture.width() >= picture.height() {
            _ if !self.is_split => return vec![picture],
            true => picture.split_left_right_at_fraction(0.5),
            false => picture.split_top_bottom_at_fraction(0.5),
        };
        vec![halves.0, halves.1]
    }

    /// The view and the layers of a part of the picture.
    pub(crate) fn seen(&mut self, index: usize, orbit: Orbit) -> (View, Vec<Layer>) {
        let view = self.seen_from(index, orbit.times(self.scale(index)));
        let (is_split, mut layers) = (self.is_split, Vec::new());
        let casts = self.casts.iter_mut().enumerate();
        for (side, cast) in casts.filter(|(side, _)| !is_split || *side == index) {
            let is_over = side == 1 && !is_split;
            let options = Options { ground: self.options.ground && !is_over, ..self.options };
            layers.extend(cast.layers(&options, if is_over { OTHER_TINT } else { [1.0; 4] }));
        }
        (view, layers)
    }

    /// The picture in the window in a number of pixels, drawn without the graphics processor.
    pub(crate) fn picture(&mut self, size_px: [u32; 2]) -> Picture {
        let background = self.theme.background;
        let mut picture = Picture::filled(size_px, background);
        let Some(orbit) = self.orbit else { return picture };
        let [width, height] = size_px.map(|x| x as f32);
        let parts = self.parts(Rect::from_min_size(Pos2::ZERO, vec2(width, height)));
        for (index, part) in parts.into_iter().enumerate() {
            let (view, layers) = self.seen(index, orbit);
            let [corner, end] = [part.min, part.max].map(|at| [at.x, at.y].map(|x| x.round() as u32));
            let size = [end[0] - corner[0], end[1] - corner[1]];
            picture.put(&still(&layers, &view, size, background), corner);
        }
        picture
    }

    /// Names of the cameras of the shown scene.
    pub(crate) fn camera_names(&self) -> Vec<String> {
        let Some(cast) = self.casts.first() else { return Vec::new() };
        let views = cast.stage.camera_views(&cast.moment);
        views.filter_map(|(node, _)| Some(cast.stage.scene().node(node)?.name.clone())).collect()
    }

    /// The view through the chosen camera of a scene, else from `orbit`.
    pub(crate) fn seen_from(&self, index: usize, orbit: Orbit) -> View {
        let of_camera = || {
            let cast = self.casts.get(index)?;
            let mut views = cast.stage.camera_views(&cast.moment);
            views.nth(self.camera?).map(|(_, view)| view)
        };
        of_camera().unwrap_or_else(|| orbit.view())
    }
}
