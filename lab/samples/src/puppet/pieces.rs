//! The pieces of the one picture that all materials share, and what lies where in it.

/// Width and height of the picture in pixels.
pub(super) const SIZE: u32 = 512;
/// Pixels at the border of each piece that no point uses.
const MARGIN: f64 = 2.0;

/// A rectangle of the picture that is wrapped around a tube: its columns go around, its rows along.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    /// Left, top, width, height in pixels.
    pub(super) place: [u32; 4],
    /// Distances along the tube at the top and the bottom.
    span: [f64; 2],
}

impl Piece {
    /// Where a point of the tube is in the picture.
    pub(super) fn pixel(self, turns: f64, at: f64) -> [f64; 2] {
        let [left, top, width, height] = self.place.map(f64::from);
        let [from, to] = self.span;
        let down = ((at - from) / (to - from)).clamp(0.0, 1.0);
        [left + MARGIN + (width - 2.0 * MARGIN) * turns, top + MARGIN + (height - 2.0 * MARGIN) * down]
    }

    /// The share of a turn and the distance along at a place in pixels from the piece's corner.
    pub(super) fn around_and_along(self, x: f64, y: f64) -> [f64; 2] {
        let [_, _, width, height] = self.place.map(f64::from);
        let [from, to] = self.span;
        let share = |pixel: f64, size: f64| ((pixel - MARGIN) / (size - 2.0 * MARGIN)).clamp(0.0, 1.0);
        [share(x, width), from + (to - from) * share(y, height)]
    }
}

pub(super) const JACKET: Piece = Piece { place: [0, 0, 256, 256], span: [16.6, 10.5] };
pub(super) const SLEEVE: Piece = Piece { place: [256, 0, 64, 256], span: [-0.5, 4.7] };
pub(super) const LEG: Piece = Piece { place: [320, 0, 64, 256], span: [11.9, 0.9] };
pub(super) const SHOE: Piece = Piece { place: [384, 0, 128, 96], span: [-0.75, 1.7] };
pub(super) const SHAFT: Piece = Piece { place: [384, 96, 64, 64], span: [2.4, 0.4] };
pub(super) const COLLAR: Piece = Piece { place: [448, 96, 64, 32], span: [16.6, 16.0] };
pub(super) const CUFF: Piece = Piece { place: [448, 128, 64, 32], span: [4.2, 4.7] };
pub(super) const NECK: Piece = Piece { place: [384, 160, 32, 96], span: [17.5, 16.2] };
pub(super) const HAND: Piece = Piece { place: [416, 160, 32, 96], span: [-0.3, 1.0] };
pub(super) const MOUTH: Piece = Piece { place: [448, 160, 64, 48], span: [0.0, 1.0] };
pub(super) const LINE: Piece = Piece { place: [448, 208, 32, 24], span: [0.0, 1.0] };
pub(super) const BROW: Piece = Piece { place: [480, 208, 32, 24], span: [0.0, 1.0] };
pub(super) const CLIP: Piece = Piece { place: [448, 232, 64, 24], span: [0.0, 1.0] };
pub(super) const HEAD: Piece = Piece { place: [0, 256, 256, 128], span: [19.8, 16.85] };
pub(super) const EYE: Piece = Piece { place: [256, 256, 128, 128], span: [1.0, -1.0] };
pub(super) const HAIR: Piece = Piece { place: [0, 384, 512, 128], span: [0.0, 1.0] };
/// The rest, so that nothing of the picture is empty.
pub(super) const REST: Piece = Piece { place: [384, 256, 128, 128], span: [0.0, 1.0] };
