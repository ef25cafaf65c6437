//! Samples with their depths.

use super::Picture;

/// Samples along each side of a pixel.
pub(super) const SAMPLES: u32 = 2;
/// Most tests of each sample of a picture, on average.
const LAYERS: u64 = 300;

/// A picture during drawing.
#[derive(Debug)]
pub(super) struct Canvas {
    /// In pixels.
    size: [u32; 2],
    /// sRGB, multiplied with alpha.
    colors: Vec<[u8; 4]>,
    /// The distance of the nearest visible point divided by the sample's distance, so larger is nearer; 0 is
    /// infinitely far.
    depths: Vec<f32>,
    /// Number of further tests of samples.
    budget: u64,
}

/// A sample of a shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// As [`Canvas::depths`].
    pub(super) depth: f32,
    /// sRGB, 0..=255 each.
    pub(super) color: [f32; 3],
    /// 0..=1.
    pub(super) alpha: f32,
    /// True if the sample hides everything behind it.
    pub(super) is_solid: bool,
}

impl Canvas {
    pub(super) fn new(size: [u32; 2], [r, g, b, alpha]: [u8; 4]) -> Self {
        let count = (size[0] * SAMPLES) as usize * (size[1] * SAMPLES) as usize;
        let covered = |color: u8| (f32::from(color) * f32::from(alpha) / 255.0).round() as u8;
        let colors = vec![[covered(r), covered(g), covered(b), alpha]; count];
        Self { size, colors, depths: vec![0.0; count], budget: count as u64 * LAYERS }
    }

    /// In pixels.
    pub(super) const fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The rows of samples between two heights, within the picture.
    pub(super) fn rows(&self, top: f64, bottom: f64) -> std::ops::Range<u32> {
        between(top, bottom, self.size[1] * SAMPLES)
    }

    /// Looks at the samples of a row between two places, until no more may be looked at.
    pub(super) fn span(&mut self, row: u32, from: f64, to: f64, sample: impl Fn(f64) -> Option<Sample>) {
        let width = self.size[0] * SAMPLES;
        let span = between(from, to, width);
        // A row costs something too, however little of it there is.
        let cost = u64::from(span.end.saturating_sub(span.start)) + 1;
        if cost > self.budget {
            self.budget = 0;
            return;
        }
        self.budget -= cost;
        for column in span {
            let index = row as usize * width as usize + column as usize;
            if let Some(sample) = sample(f64::from(column) + 0.5) {
                self.blend(index, sample);
            }
        }
    }

    /// True if a sample could be seen at some depth.
    fn blend(&mut self, index: usize, sample: Sample) {
        let Sample { depth, color, alpha, is_solid } = sample;
        if depth <= self.depths[index] {
            return;
        }
        if is_solid {
            self.depths[index] = depth;
        }
        let below = self.colors[index];
        let over = |above: f32, below: u8| (above * alpha + f32::from(below) * (1.0 - alpha) + 0.5) as u8;
        self.colors[index] = [
            over(color[0], below[0]),
            over(color[1], below[1]),
            over(color[2], below[2]),
            over(255.0, below[3]),
        ];
    }

    /// The mean of the samples of each pixel.
    pub(super) fn picture(&self) -> Picture {
        let [width, height] = self.size;
        let mut picture = Picture::filled(self.size, [0; 4]);
        let stride = (width * SAMPLES) as usize;
        for y in 0..height as usize {
            for x in 0..width as usize {
                let mut sum = [0_u32; 4];
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let sample = self.colors[(2 * y + dy) * stride + 2 * x + dx];
                    sum.iter_mut().zip(sample).for_each(|(sum, value)| *sum += u32::from(value));
                }
                picture.pixels[y * width as usize + x] = straight(sum);
            }
        }
        picture.is_complete = self.budget > 0;
        picture
    }
}

/// The whole numbers below `count` whose middles are between two positions.
fn between(from: f64, to: f64, count: u32) -> std::ops::Range<u32> {
    // Casts cut what is outside of the range, and make 0 of what is no number.
    let start = (from - 0.5).ceil() as u32;
    let end = ((to - 0.5).floor() + 1.0) as u32;
    start.min(count)..end.min(count)
}

/// Four samples as a single colour with straight alpha.
fn straight([r, g, b, alpha]: [u32; 4]) -> [u8; 4] {
    let color = |sum: u32| (sum * 255 + alpha / 2).checked_div(alpha).unwrap_or(0).min(255) as u8;
    [color(r), color(g), color(b), ((alpha + 2) / 4) as u8]
}
