//! The pictures of some times, all with the same camera.

use super::options::RenderOptions;
use dopesheet_core::model::Clip;
use dopesheet_core::units::Seconds;
use dopesheet_draw::raster::raster;
use dopesheet_draw::{Drawing, Frame, Ground, Moment, Picture, Stage, Theme, View};
use dopesheet_motion::cores;
use glam::Vec3;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of consecutive times for each player.
const IN_A_ROW: usize = 8;
/// Most pixels, and most pictures, drawn before any of them is written.
const PIXELS_AT_ONCE: usize = 16 << 20;
const PICTURES_AT_ONCE: usize = 32;
/// Height of the bar below a picture, as a share of the picture.
const BAR: f64 = 1.0 / 110.0;

/// Everything needed to draw any of the pictures.
pub(super) struct Pictures<'a> {
    stage: &'a Stage,
    pub(super) times: &'a [Seconds],
    pub(super) size: [u32; 2],
    pub(super) theme: Theme,
    view: View,
    camera: Option<usize>,
    /// The middle of the figure in the first picture, if the eye goes along with it.
    followed: Option<Vec3>,
    ground: Drawing,
    /// True if everything drawn so far is complete.
    is_complete: AtomicBool,
}

impl<'a> Pictures<'a> {
    pub(super) fn new(stage: &'a Stage, times: &'a [Seconds], options: &RenderOptions<'_>) -> Self {
        let theme = Theme::on(options.background);
        let [width, height] = options.size;
        let empty = Frame::new(options.direction, width as f32 / height as f32);
        let first = times.first().filter(|_| options.follows);
        let followed = first.and_then(|time| stage.middle(&stage.player().at(*time)));
        let seen = |times: &[Seconds]| {
            let (mut frame, mut player) = (empty, stage.player());
            for time in times {
                let moment = player.at(*time);
                let gone = gone(stage, &moment, followed);
                let near = |point: [f32; 3]| (Vec3::from(point) - gone).to_array();
                frame.add(stage.drawing(&moment, &theme).points().map(near));
            }
            frame
        };
        let frame = cores::reduce(times.chunks(IN_A_ROW).collect(), seen, || empty, |a, b| a.join(&b));
        let ground =
            frame.bounds().map_or_else(Drawing::default, |bounds| Ground::below(bounds).drawing(&theme));
        Self {
            stage,
            times,
            size: options.size,
            theme,
            view: options.view.unwrap_or_else(|| frame.view()),
            camera: options.camera,
            followed,
            ground,
            is_complete: AtomicBool::new(true),
        }
    }

    /// The pictures of some of the times, in their order.
    pub(super) fn draw(&self, times: &[Seconds]) -> Vec<Picture> {
        let some = |times: &[Seconds]| {
            let mut player = self.stage.player();
            let one = |time: &Seconds| {
                let moment = player.at(*time);
                let drawing = self.stage.drawing(&moment, &self.theme);
                let drawings = [&self.ground, &drawing];
                let textures = self.stage.textures();
                let eye = self.view.eye + gone(self.stage, &moment, self.followed);
                let of_camera = self.camera.and_then(|camera| self.stage.camera_views(&moment).nth(camera));
                let view = of_camera.map_or(View { eye, ..self.view }, |(_, view)| view);
                let mut picture = raster(&drawings, textures, &view, self.size, self.theme.background);
                self.is_complete.fetch_and(picture.is_complete, Ordering::Relaxed);
                self.bar(&mut picture, passed(self.stage.clip(), time.0));
                picture
            };
            times.iter().map(one).collect::<Vec<_>>()
        };
        cores::map(times.chunks(IN_A_ROW).collect(), some).into_iter().flatten().collect()
    }

    /// Number of pictures of a loop drawn before any of them is written.
    pub(super) fn at_once(&self) -> usize {
        let pixels = self.size[0] as usize * self.size[1] as usize;
        (PIXELS_AT_ONCE / pixels.max(1)).clamp(1, PICTURES_AT_ONCE)
    }

    /// The times in batches, each drawn at once.
    pub(super) fn batches(&self) -> std::slice::Chunks<'a, Seconds> {
        self.times.chunks(self.at_once())
    }

    /// True if nothing was left out of any picture.
    pub(super) fn are_complete(&self) -> bool {
        self.is_complete.load(Ordering::Relaxed)
    }

    /// A bar along the lower edge: how much of the clip has passed.
    fn bar(&self, picture: &mut Picture, share: f64) {
        if self.stage.clip().duration.0 <= 0.0 {
            return;
        }
        let [width, height] = self.size;
        let thickness = ((f64::from(height) * BAR).round() as u32).max(2);
        let inset = width / 40;
        let length = width - 2 * inset;
        let done = (f64::from(length) * share).round() as u32;
        let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 255];
        let part = |width: u32, color| Picture::filled([width, thickness], color);
        let top = height - thickness - inset.min(height / 4);
        picture.put(&part(length, opaque(self.theme.grid)), [inset, top]);
        picture.put(&part(done, opaque(self.theme.bone)), [inset, top]);
    }
}

/// The way of a figure from where it was followed first; none if it is not followed.
fn gone(stage: &Stage, moment: &Moment, followed: Option<Vec3>) -> Vec3 {
    let middle = followed.and_then(|first| Some(stage.middle(moment)? - first));
    middle.unwrap_or_default()
}

/// The elapsed share of a clip at a time.
fn passed(clip: &Clip, time_s: f64) -> f64 {
    if clip.duration.0 > 0.0 { (time_s / clip.duration.0).clamp(0.0, 1.0) } else { 0.0 }
}
