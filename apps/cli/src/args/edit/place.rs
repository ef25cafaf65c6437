//! Arguments of `move`.

use clap::Args;
use dopesheet::edit::{Move, Way};

/// Place of the root.
#[derive(Args, Debug)]
#[group(required = true, multiple = true)]
pub(crate) struct MoveArgs {
    /// Way along the axes of the file: 1m,0,-20cm; numbers without m, cm or mm are in units of the file
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    by: Option<Way>,
    /// Turn about the line upwards through the origin, to a figure's left, in degrees: 90 or 90deg
    #[arg(long, value_name = "DEGREES", value_parser = degrees, allow_hyphen_values = true)]
    turn: Option<f64>,
    /// Factor of the root's places, for a figure of another size; bones keep their lengths
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true)]
    scale: Option<f64>,
    /// Put feet that stand on the ground, at height 0
    #[arg(long)]
    ground: bool,
}

/// Reads `90` or `90deg`.
fn degrees(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix("deg").unwrap_or(text).trim().parse::<f64>().ok();
    number.filter(|degrees| degrees.is_finite()).ok_or_else(|| "expected degrees: 90 or 90deg".to_owned())
}

impl From<MoveArgs> for Move {
    fn from(args: MoveArgs) -> Self {
        Self {
            by: args.by.unwrap_or_default(),
            turn_deg: args.turn.unwrap_or(0.0),
            scale: args.scale,
            grounds: args.ground,
        }
    }
}
