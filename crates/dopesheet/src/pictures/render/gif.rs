//! Pictures in sequence, as GIF.

use super::encoding::encoding;
use super::pictures::Pictures;
use crate::error::Error;
use color_quant::NeuQuant;
use dopesheet_core::units::Seconds;
use dopesheet_draw::Picture;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::borrow::Cow;
use std::collections::HashMap;

/// Most pictures whose colours count for the palette.
const LOOKED_AT: usize = 8;
/// The palette's entry for the background, and the entry for pixels that keep their colour.
const BACKGROUND: u8 = 0;
const CLEAR: u8 = 255;
/// Colours chosen by the quantiser.
const CHOSEN: usize = 254;
/// Sampling step of colours: 1 is all of them, 30 is fastest.
const STEP: i32 = 10;
/// Most colours whose entries are remembered.
const MOST_KNOWN: usize = 1 << 18;
/// Units of delay per second that GIF has.
const HUNDREDTHS: f64 = 100.0;

pub(super) fn gif(pictures: &Pictures<'_>) -> Result<Vec<u8>, Error> {
    let step = pictures.times.len().div_ceil(LOOKED_AT).max(1);
    let sampled_times: Vec<Seconds> = pictures.times.iter().copied().step_by(step).collect();
    let mut palette = Palette::new(&pictures.draw(&sampled_times), pictures.theme.background);
    let [width, height] = pictures.size.map(|x| u16::try_from(x).unwrap_or(u16::MAX));
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &palette.colors).map_err(encoding)?;
    encoder.set_repeat(Repeat::Infinite).map_err(encoding)?;
    let mut before: Option<Vec<u8>> = None;
    // Many programs slow down what is faster.
    let delays = delays(pictures.times, HUNDREDTHS, 2);
    for (times, delays) in pictures.batches().zip(delays.chunks(pictures.at_once())) {
        for (picture, delay) in pictures.draw(times).into_iter().zip(delays) {
            let indices = palette.indices(&picture);
            let frame = palette.frame(before.as_deref(), &indices, picture.size, *delay);
            encoder.write_frame(&frame).map_err(encoding)?;
            before = Some(indices);
        }
    }
    drop(encoder);
    Ok(bytes)
}

/// Duration of each picture in `1 / parts` seconds, rounded so that the total stays right. The last duration
/// equals the one before it.
pub(super) fn delays(times: &[Seconds], parts: f64, least: u16) -> Vec<u16> {
    let start = times.first().map_or(0.0, |time| time.0);
    let ticks = |time: &Seconds| ((time.0 - start) * parts).round();
    // A cast cuts what is more than a delay can be.
    let between = times.array_windows::<2>().map(|[a, b]| (ticks(b) - ticks(a)) as u16);
    let mut delays: Vec<u16> = between.map(|delay| delay.max(least)).collect();
    delays.push(delays.last().copied().unwrap_or(least));
    delays
}

/// A part of a picture.
pub(super) struct Area {
    /// Left and top.
    pub(super) corner: [u32; 2],
    /// Pixels across and down.
    pub(super) size: [u32; 2],
}

impl Area {
    /// The rectangle in which a picture differs from the picture before; the whole first picture, and a
    /// single pixel if nothing changes.
    pub(super) fn of_change<T: PartialEq>(before: Option<&[T]>, now: &[T], size: [u32; 2]) -> Self {
        let Some(before) = before else { return Self { corner: [0, 0], size } };
        let width = size[0].max(1) as usize;
        let (mut low, mut high) = ([u32::MAX; 2], [0; 2]);
        for (index, _) in before.iter().zip(now).enumerate().filter(|(_, (a, b))| a != b) {
            let pixel = [(index % width) as u32, (index / width) as u32];
            low = [low[0].min(pixel[0]), low[1].min(pixel[1])];
            high = [high[0].max(pixel[0]), high[1].max(pixel[1])];
        }
        if low[0] > high[0] {
            return Self { corner: [0, 0], size: [1, 1] };
        }
        Self { corner: low, size: [high[0] - low[0] + 1, high[1] - low[1] + 1] }
    }

    /// The rectangle's part of a picture of a given width.
    pub(super) fn cut<T: Copy>(&self, pixels: &[T], width: u32) -> Vec<T> {
        let rows = pixels.chunks_exact(width.max(1) as usize).skip(self.corner[1] as usize);
        let columns = self.corner[0] as usize..(self.corner[0] + self.size[0]) as usize;
        rows.take(self.size[1] as usize).flat_map(|row| &row[columns.clone()]).copied().collect()
    }
}

/// The colours of all pictures.
struct Palette {
    /// Red, green and blue of each of 256.
    colors: Vec<u8>,
    background: [u8; 4],
    chosen: NeuQuant,
    /// The entries of colours looked up so far.
    known: HashMap<[u8; 3], u8>,
}

impl Palette {
    /// A palette with the background and the colours nearest to the colours of some pictures.
    fn new(pictures: &[Picture], background: [u8; 4]) -> Self {
        let other = pictures.iter().flat_map(|p| &p.pixels).filter(|pixel| **pixel != background);
        let seen: Vec<u8> =
            other.filter(|pixel| pixel[3] >= 128).flat_map(|[r, g, b, _]| [*r, *g, *b, 255]).collect();
        // There has to be something to choose from.
        let seen = if seen.is_empty() { background.repeat(4) } else { seen };
        let chosen = NeuQuant::new(STEP, CHOSEN, &seen);
        let mut colors = background[..3].to_vec();
        colors.extend(chosen.color_map_rgb());
        colors.resize(256 * 3, 0);
        Self { colors, background, chosen, known: HashMap::new() }
    }

    fn indices(&mut self, picture: &Picture) -> Vec<u8> {
        picture.pixels.iter().map(|pixel| self.index(*pixel)).collect()
    }

    fn index(&mut self, pixel: [u8; 4]) -> u8 {
        let [r, g, b, alpha] = pixel;
        if alpha < 128 {
            return CLEAR;
        }
        if pixel == self.background {
            return BACKGROUND;
        }
        if self.known.len() > MOST_KNOWN {
            self.known.clear();
        }
        let chosen = &self.chosen;
        *self.known.entry([r, g, b]).or_insert_with(|| {
            let entry = chosen.index_of(&[r, g, b, 255]).min(CHOSEN - 1);
            // The first entry is what is behind the pictures.
            u8::try_from(entry + 1).unwrap_or(BACKGROUND)
        })
    }

    /// The frame that turns a picture into the next; the whole picture if the background is transparent,
    /// because then each picture is removed before the next.
    fn frame(&self, before: Option<&[u8]>, now: &[u8], size: [u32; 2], delay: u16) -> Frame<'static> {
        let is_clear = self.background[3] < 128;
        let before = before.filter(|_| !is_clear);
        let area = Area::of_change(before, now, size);
        let mut buffer = area.cut(now, size[0]);
        if let Some(before) = before {
            let same = area.cut(before, size[0]);
            buffer
                .iter_mut()
                .zip(same)
                .filter(|(pixel, same)| **pixel == *same)
                .for_each(|(pixel, _)| *pixel = CLEAR);
        }
        let [left, top] = area.corner.map(|x| u16::try_from(x).unwrap_or(u16::MAX));
        let [width, height] = area.size.map(|x| u16::try_from(x).unwrap_or(u16::MAX));
        Frame {
            delay,
            dispose: if is_clear { DisposalMethod::Background } else { DisposalMethod::Keep },
            transparent: Some(CLEAR),
            left,
            top,
            width,
            height,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_take_as_long_as_they_should() {
        let times: Vec<Seconds> = (0..=30).map(|i| Seconds(f64::from(i) / 30.0)).collect();
        let hundredths = delays(&times, HUNDREDTHS, 2);
        assert_eq!(hundredths[..30].iter().sum::<u16>(), 100);
        assert_eq!((hundredths.len(), &hundredths[..3]), (31, &[3, 4, 3][..]));
        assert_eq!(delays(&[Seconds(0.0), Seconds(1e9)], HUNDREDTHS, 2), [u16::MAX; 2]);
        assert_eq!(delays(&[Seconds(4.0)], HUNDREDTHS, 2), [2]);
    }

    #[test]
    fn only_what_changes_is_written_again() {
        let area = Area::of_change(Some(&[0; 12]), &[0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 7, 0], [4, 3]);
        assert_eq!((area.corner, area.size), ([1, 1], [2, 2]));
        assert_eq!(area.cut(&(0..12).collect::<Vec<_>>(), 4), [5, 6, 9, 10]);
        assert_eq!(Area::of_change(Some(&[1; 4]), &[1; 4], [2, 2]).size, [1, 1]);
    }
}
