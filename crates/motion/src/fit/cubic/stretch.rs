//! Cubic pieces from one key of the source to the next: each as long as it stays near enough.

use super::piece::{Fitter, Piece};
use super::source::Knot;
use dopesheet_core::units::Seconds;

/// How much longer than the last one a piece is tried first, and again while that is near enough.
const GROWTH: f64 = 1.5;

/// Halvings to find how long a piece can be, once it is known between two lengths.
const REFINEMENTS: u32 = 3;

/// Pieces shorter than this share of a stretch are as good as vertical.
const SHORTEST_SHARE: f64 = 1e-5;

impl Fitter<'_> {
    /// The pieces from one key to another; `None` where there would be too many, or where the source is too steep.
    ///
    /// Keys in between have the source's value and slope. So the pieces are smooth where it is, and each goes as far as
    /// it can without harming the next one.
    pub(super) fn pieces(&mut self, from: &Knot, to: &Knot) -> Option<Vec<Piece>> {
        let whole = to.time.0 - from.time.0;
        let (mut out, mut from, mut guess): (Vec<Piece>, Knot, f64) = (Vec::new(), from.clone(), whole);
        loop {
            let rest = to.time.0 - from.time.0;
            if rest <= 3.0 * guess
                && let Some(piece) = self.piece(&from, to)
            {
                out.push(piece);
                return Some(out);
            }
            self.left = self.left.checked_sub(1)?;
            let piece = self.longest(&from, to, whole, guess.min(0.5 * rest))?;
            guess = GROWTH * (piece.to.time.0 - from.time.0);
            from = piece.to.clone();
            out.push(piece);
        }
    }

    /// The longest piece that is near enough and does not reach the end.
    fn longest(&mut self, from: &Knot, to: &Knot, whole: f64, guess: f64) -> Option<Piece> {
        let (mut length, mut too_long) = (guess, to.time.0 - from.time.0);
        let mut found = loop {
            if let Some(piece) = self.shorter(from, to, whole, length) {
                break piece;
            }
            (too_long, length) = (length, 0.5 * length);
            let end = Seconds(from.time.0 + length);
            if length < SHORTEST_SHARE * whole || !self.source.has_room(from.time, end) {
                return None;
            }
        };
        while GROWTH * length < too_long {
            match self.shorter(from, to, whole, GROWTH * length) {
                Some(piece) => (found, length) = (piece, GROWTH * length),
                None => too_long = GROWTH * length,
            }
        }
        for _ in 0..REFINEMENTS {
            let middle = 0.5 * (length + too_long);
            match self.shorter(from, to, whole, middle) {
                Some(piece) => (found, length) = (piece, middle),
                None => too_long = middle,
            }
        }
        Some(found)
    }

    fn shorter(&mut self, from: &Knot, to: &Knot, whole: f64, length: f64) -> Option<Piece> {
        let end = self.source.inserted(Seconds(from.time.0 + length), whole);
        (from.time.0 < end.time.0 && end.time.0 < to.time.0).then(|| self.piece(from, &end))?
    }
}
