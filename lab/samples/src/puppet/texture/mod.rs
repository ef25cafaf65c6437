//! The one picture that all materials share.

mod canvas;
mod paint;

pub(super) use canvas::png;

use super::pieces::{
    BROW, CLIP, COLLAR, CUFF, EYE, HAIR, HAND, HEAD, JACKET, LEG, LINE, MOUTH, NECK, Piece, REST, SHAFT,
    SHOE, SLEEVE,
};

type Colour = [f64; 3];

/// The colour of a piece at a share of a turn and a distance along.
type Paint = fn(f64, f64) -> Colour;

const PIECES: [(Piece, Paint); 17] = [
    (JACKET, paint::jacket),
    (SLEEVE, paint::sleeve),
    (LEG, paint::leg),
    (SHOE, paint::shoe),
    (SHAFT, paint::shaft),
    (COLLAR, paint::roll),
    (CUFF, paint::roll),
    (NECK, paint::neck),
    (HAND, paint::hand),
    (MOUTH, paint::mouth),
    (LINE, paint::line),
    (BROW, paint::brow),
    (CLIP, paint::clip),
    (HEAD, paint::head),
    (EYE, paint::eye),
    (HAIR, paint::hair),
    (REST, paint::rest),
];
