//! A scene at a time: its figure, its bones, the ground, and its poses before and after.

use super::gpu::Layer;
use dopesheet::Seconds;
use dopesheet::draw::{Direction, Drawing, Frame, Ground, Line, Moment, Stage, Theme, View};
use std::sync::Arc;

/// Number of times at which the frame includes the joints.
const LOOKS: u32 = 24;
/// Number of times, among the [`LOOKS`], at which the frame includes all points.
const CLOSE_LOOKS: u32 = 3;
/// Aspect ratio, width over height, of a picture that shows everything from the starting point of an eye.
pub(crate) const ASPECT: f32 = 1.3;
/// Opacities of the nearer and the farther onion skins.
const SKINS: [f32; 2] = [0.3, 0.15];
/// Time between onion skins: in seconds for clips without a frame grid, and in frames for clips with one.
const SKIN: (f64, f64) = (0.15, 4.0);
/// Width of marks on joints, in pixels.
const DOT: f32 = 9.0;

/// Options of drawing: the parts of a picture besides the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a box that is ticked by itself")]
pub(crate) struct Options {
    pub(crate) ground: bool,
    pub(crate) bones: bool,
    pub(crate) names: bool,
    pub(crate) onion: bool,
    pub(crate) follow: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { ground: true, bones: false, names: true, onion: false, follow: false }
    }
}

/// A mark on a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dot {
    pub(crate) point: [f32; 3],
    pub(crate) color: [u8; 4],
}

/// A stage with its last drawings, so that nothing is drawn twice.
pub(crate) struct Cast {
    pub(crate) stage: Arc<Stage>,
    theme: Theme,
    frame: Frame,
    ground: Arc<Drawing>,
    time: f64,
    pub(crate) moment: Moment,
    drawing: Arc<Drawing>,
    bones: Option<Arc<Drawing>>,
    skins: Option<(f64, Vec<Arc<Drawing>>)>,
}

impl Cast {
    /// A stage at its start.
    pub(crate) fn new(stage: Arc<Stage>, theme: Theme) -> Self {
        let frame = frame(&stage, &theme);
        let ground = frame.bounds().map(|bounds| Ground::below(bounds).drawing(&theme)).unwrap_or_default();
        let moment = stage.player().at(Seconds(0.0));
        let drawing = Arc::new(stage.drawing(&moment, &theme));
        let ground = Arc::new(ground);
        Self { stage, theme, frame, ground, time: 0.0, moment, drawing, bones: None, skins: None }
    }

    /// The frame that contains the whole motion.
    pub(crate) const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Goes to a time.
    pub(crate) fn go_to(&mut self, time: f64) {
        if time != self.time {
            self.time = time;
            self.moment = self.stage.player().at(Seconds(time));
            self.drawing = Arc::new(self.stage.drawing(&self.moment, &self.theme));
            self.bones = None;
        }
    }

    /// The layers of a picture in the order of drawing.
    pub(crate) fn layers(&mut self, options: &Options, tint: [f32; 4]) -> Vec<Layer> {
        let mut layers = Vec::new();
        if options.ground {
            layers.push(Layer::plain(None, Arc::clone(&self.ground)));
        }
        let layer = |drawing: &Arc<Drawing>, tint| Layer {
            stage: Some(Arc::clone(&self.stage)),
            drawing: Arc::clone(drawing),
            tint,
            on_top: false,
        };
        layers.push(layer(&self.drawing, tint));
        if options.onion {
            let skins = self.skins();
            let shares = SKINS.iter().chain(&SKINS);
            layers.extend(skins.into_iter().zip(shares).map(|(drawing, share)| Layer {
                stage: Some(Arc::clone(&self.stage)),
                drawing,
                tint: [tint[0], tint[1], tint[2], tint[3] * share],
                on_top: false,
            }));
        }
        if options.bones {
            let (stage, moment, theme) = (&self.stage, &self.moment, &self.theme);
            let bones = self.bones.get_or_insert_with(|| Arc::new(stage.bones(moment, theme)));
            layers.push(Layer { on_top: true, ..Layer::plain(None, Arc::clone(bones)) });
        }
        layers
    }

    /// Drawings of the scene one and two steps later, then one and two steps earlier.
    fn skins(&mut self) -> Vec<Arc<Drawing>> {
        let key = self.time;
        let step = self.stage.clip().grid.map_or(SKIN.0, |rate| SKIN.1 / rate.fps());
        if self.skins.as_ref().is_none_or(|(time, _)| *time != key) {
            let mut player = self.stage.player();
            let at = [1.0, 2.0, -1.0, -2.0].map(|steps| self.time + steps * step);
            let end = self.stage.clip().duration.0;
            let draw = |time: f64| {
                let moment = player.at(Seconds(time.clamp(0.0, end.max(0.0))));
                Arc::new(self.stage.drawing(&moment, &self.theme))
            };
            self.skins = Some((key, at.into_iter().map(draw).collect()));
        }
        self.skins.as_ref().map(|(_, skins)| skins.clone()).unwrap_or_default()
    }

    /// The middle of all joints, for an eye that follows the figure.
    pub(crate) fn middle(&self) -> Option<glam::Vec3> {
        self.stage.middle(&self.moment)
    }

    /// The joint nearest to a pixel of a picture, within `reach` pixels: its name and its position in pixels.
    pub(crate) fn joint_at(
        &self,
        view: &View,
        size: [u32; 2],
        pixel: [f32; 2],
        reach: f32,
    ) -> Option<(&str, [f32; 2])> {
        let wanted = glam::Vec2::from(pixel);
        let near = self.stage.joints(&self.moment).filter_map(|(node, point)| {
            let seen = view.seen(glam::Vec3::from(point));
            let projected = (seen.z > view.near).then(|| view.pixel(seen, size))?;
            let off = projected.distance(wanted);
            (off <= reach).then_some((off, node, projected))
        });
        let (_, node, projected) = near.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((self.stage.scene().node(node)?.name.as_str(), projected.to_array()))
    }

    /// Names of the markers passed in the last `seconds`, each with the share of that time still left.
    pub(crate) fn flashes(&self, seconds: f64) -> impl Iterator<Item = (&str, f32)> {
        self.stage.clip().markers.iter().filter_map(move |marker| {
            let since = self.time - marker.time.0;
            let left = 1.0 - since / seconds;
            (since >= 0.0 && left > 0.0).then_some((marker.name.as_str(), left as f32))
        })
    }

    /// Marks as lines.
    pub(crate) fn dots(dots: &[Dot]) -> Layer {
        let line = |dot: &Dot| Line { ends: [dot.point; 2], color: dot.color, width_px: DOT };
        let drawing = Drawing { lines: dots.iter().map(line).collect(), ..Drawing::default() };
        Layer { on_top: true, ..Layer::plain(None, Arc::new(drawing)) }
    }
}

/// The frame that contains all of the clip.
fn frame(stage: &Stage, theme: &Theme) -> Frame {
    let mut frame = Frame::new(Direction::ThreeQuarter, ASPECT);
    let mut player = stage.player();
    let Seconds(end) = stage.clip().end();
    for look in 0..LOOKS {
        let moment = player.at(Seconds(end * f64::from(look) / f64::from(LOOKS - 1)));
        frame.add(stage.joints(&moment).map(|(_, point)| point));
        if look % (LOOKS / CLOSE_LOOKS) == 0 {
            frame.add(stage.drawing(&moment, theme).points());
        }
    }
    frame
}
