//! Arguments of `smooth`.

use super::KeptArgs;
use clap::Args;
use dopesheet::edit::{Filter, Smooth};

/// Filter, and what it is for.
#[derive(Args, Debug)]
pub(crate) struct SmoothArgs {
    #[command(flatten)]
    on: KeptArgs,
    /// Fastest change that stays, in Hz; what is faster goes, and nothing comes later
    #[arg(long, value_name = "HZ", default_value_t = Filter::CUTOFF_HZ, conflicts_with = "one_euro", allow_hyphen_values = true)]
    cutoff: f64,
    /// Take the One-Euro filter of live trackers: the slower something is the stronger, and a little late
    #[arg(long)]
    one_euro: bool,
    /// With --one-euro: fastest change that stays of what rests, in Hz
    #[arg(long, value_name = "HZ", default_value_t = Filter::MIN_CUTOFF_HZ, requires = "one_euro", allow_hyphen_values = true)]
    min_cutoff: f64,
    /// With --one-euro: so many Hz more for each metre or radian per second
    #[arg(long, value_name = "FACTOR", default_value_t = Filter::BETA, requires = "one_euro", allow_hyphen_values = true)]
    beta: f64,
    /// Leave feet where the filter puts them, also those that stand
    #[arg(long)]
    let_feet_slide: bool,
}

impl From<SmoothArgs> for Smooth {
    fn from(args: SmoothArgs) -> Self {
        let filter = match args.one_euro {
            true => Filter::OneEuro { min_cutoff_hz: args.min_cutoff, beta: args.beta },
            false => Filter::ZeroPhase { cutoff_hz: args.cutoff },
        };
        Self { on: args.on.into(), filter, lets_feet_slide: args.let_feet_slide }
    }
}
