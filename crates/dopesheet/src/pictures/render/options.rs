//! Options of pictures.

use crate::choice::clip_choice::ClipChoice;
use crate::choice::times::{TimeSpec, TimeValue};
use crate::error::Error;
use crate::files::read::Opened;
use dopesheet_core::format::{Limits, NameMap};
use dopesheet_core::model::Clip;
use dopesheet_core::units::Seconds;
use dopesheet_draw::{Direction, Theme, View, raster::MOST_ACROSS};

/// Most pictures in a file unless a number is asked for: more than six minutes of 25 a second.
const MOST_PICTURES: u64 = 10_000;
/// Most pixels of pictures side by side.
const MOST_PIXELS: u64 = 32 << 20;
/// The smallest pictures, in pixels each way.
const LEAST_ACROSS: u32 = 16;
/// Pictures side by side when nobody says when.
const ON_A_SHEET: u32 = 8;
/// Pictures a second by default: a rate that GIF can state exactly.
const RATE: f64 = 25.0;

/// Form of the file made of pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RenderForm {
    /// Side by side: PNG.
    #[default]
    Sheet,
    /// In sequence, as an endless loop: GIF, with 255 colours.
    Gif,
    /// In sequence, as an endless loop: animated PNG, with all colours.
    Apng,
}

impl RenderForm {
    /// The form of a file's extension, in any case; `png` is a sheet.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        let forms = [("png", Self::Sheet), ("gif", Self::Gif), ("apng", Self::Apng)];
        forms
            .into_iter()
            .find(|(form_extension, _)| form_extension.eq_ignore_ascii_case(extension))
            .map(|(_, form)| form)
    }
}

/// Options of a rendering.
#[derive(Clone, Debug)]
pub struct RenderOptions<'a> {
    /// Form of the file.
    pub form: RenderForm,
    /// When; at most 10,000 times unless [`RenderOptions::limits`] say another number, and in a loop ascending. `None` is eight times from the start to the end side by side, or
    /// 25 a second in a loop.
    pub times: Option<TimeSpec>,
    /// Pictures side by side in a row; `None` is about as many as make a sheet twice as wide as high.
    pub columns: Option<u32>,
    /// Pixels across and down of each picture, 16 to 2048; 32 Mi pixels together on a sheet.
    pub size: [u32; 2],
    /// Direction in which the camera looks at the scene.
    pub direction: Direction,
    /// Eye of the first picture; `None` looks in `direction` from where all of the movement is in view.
    pub view: Option<View>,
    /// Position among the cameras of the scene of the camera that is looked through instead.
    pub camera: Option<usize>,
    /// Let the eye go along with the figure, so that it stays in the middle; else all of its way is in each picture.
    pub follows: bool,
    /// Background: sRGB with straight alpha. The colours of the ground and of skeletons go with it.
    pub background: [u8; 4],
    /// The motion to draw, by position or name.
    pub clip: ClipChoice,
    /// The model that the motion plays on.
    pub model: Option<&'a Opened>,
    /// The figure that the motion is put onto. Without it, the model is that figure if the bones of motion and
    /// model have names of different vocabularies.
    pub onto: Option<&'a Opened>,
    /// Names of the motion → names of the model.
    pub names: NameMap,
    /// True to refuse a motion of which fewer than half of the moving tracks reach the model ([`Error::Lost`]).
    pub refuses_lost: bool,
    /// Upper bounds of the output: of the number of pictures. More are refused.
    pub limits: Limits,
}

impl Default for RenderOptions<'_> {
    fn default() -> Self {
        Self {
            form: RenderForm::Sheet,
            times: None,
            columns: None,
            size: [320, 320],
            direction: Direction::ThreeQuarter,
            view: None,
            camera: None,
            follows: false,
            background: Theme::LIGHT.background,
            clip: ClipChoice::First,
            model: None,
            onto: None,
            names: NameMap::default(),
            refuses_lost: false,
            limits: Limits::default(),
        }
    }
}

/// Reads `light`, `dark`, `transparent` or a colour as `#rrggbb`.
///
/// # Errors
/// [`Error::Usage`] if the text is neither a word of the list nor a colour.
pub fn background(text: &str) -> Result<[u8; 4], Error> {
    let hex = |digits: &str| {
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6)?;
        let [_, r, g, b] = number.to_be_bytes();
        Some([r, g, b, 255])
    };
    match text {
        "light" => Ok(Theme::LIGHT.background),
        "dark" => Ok(Theme::DARK.background),
        "transparent" => Ok([0; 4]),
        _ => text.strip_prefix('#').and_then(hex).ok_or_else(|| {
            Error::Usage(format!(
                "expected light, dark, transparent or a colour as #rrggbb, found \"{text}\""
            ))
        }),
    }
}

impl RenderOptions<'_> {
    pub(super) fn check_size(&self) -> Result<(), Error> {
        let [width, height] = self.size;
        if self.size.iter().all(|x| (LEAST_ACROSS..=MOST_ACROSS).contains(x)) {
            return Ok(());
        }
        let text = format!(
            "expected pictures of {LEAST_ACROSS} to {MOST_ACROSS} pixels each way, found {width}x{height}"
        );
        Err(Error::Usage(text))
    }

    /// When the pictures of a clip are.
    pub(super) fn times(&self, clip: &Clip) -> Result<Vec<Seconds>, Error> {
        let end = clip.duration.0;
        let moves = end > 0.0 && !clip.tracks.is_empty();
        let spread = || {
            let time = |i: u32| TimeValue::Seconds(end * f64::from(i) / f64::from(ON_A_SHEET - 1));
            TimeSpec::List((0..ON_A_SHEET).map(time).collect())
        };
        let spec = match (&self.times, self.form) {
            (Some(times), _) => times.clone(),
            (None, _) if !moves => TimeSpec::List(vec![TimeValue::Seconds(0.0)]),
            (None, RenderForm::Sheet) => spread(),
            (None, RenderForm::Gif | RenderForm::Apng) => TimeSpec::Rate(RATE),
        };
        let count = spec.count(clip.duration, clip.grid)?;
        if count == 0 {
            return Err(Error::Usage("expected at least one picture, found no time".into()));
        }
        let picture_limit = self.limits.max_frames.asked().unwrap_or(MOST_PICTURES);
        if count > picture_limit {
            return Err(Error::Usage(format!(
                "expected 1 to {picture_limit} pictures, found {count}; choose others with --times, --fps or --range, or allow more with --max-frames"
            )));
        }
        let times = spec.resolve(clip.duration, clip.grid)?;
        match self.form {
            RenderForm::Sheet => self.check_sheet(times.len())?,
            RenderForm::Gif | RenderForm::Apng => check_order(&times)?,
        }
        Ok(times)
    }

    fn check_sheet(&self, pictures: usize) -> Result<(), Error> {
        let [width, height] = self.grid(pictures);
        let pixels = u64::from(width) * u64::from(height) * u64::from(self.size[0]) * u64::from(self.size[1]);
        if pixels <= MOST_PIXELS {
            return Ok(());
        }
        let text = format!("expected a sheet of at most {MOST_PIXELS} pixels, found one of {pixels}");
        Err(Error::Usage(text))
    }

    /// Numbers of pictures side by side and in a column.
    pub(super) fn grid(&self, pictures: usize) -> [u32; 2] {
        let count = u32::try_from(pictures).unwrap_or(u32::MAX).max(1);
        let [width, height] = self.size.map(f64::from);
        let about = || (f64::from(count) * 2.0 * height / width).sqrt().round() as u32;
        let columns = self.columns.unwrap_or_else(about).clamp(1, count);
        [columns, count.div_ceil(columns)]
    }
}

fn check_order(times: &[Seconds]) -> Result<(), Error> {
    match times.array_windows::<2>().find(|[a, b]| a.0 >= b.0) {
        Some([a, b]) => {
            Err(Error::Usage(format!("expected ascending times for a loop, found {} after {}", b.0, a.0)))
        }
        None => Ok(()),
    }
}
