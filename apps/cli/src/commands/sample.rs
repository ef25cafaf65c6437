//! `dopesheet sample`

use crate::args::{AxesArg, SampleArgs, SpaceArg};
use crate::{Outcome, console, files, names, write};
use dopesheet::{Axes, ClipChoice, Error, SampleOptions, Sampled, Space, TimeSpec};
use std::path::Path;

pub(crate) fn run(args: &SampleArgs) -> Result<Outcome, Error> {
    let json = is_json(args)?;
    let times = times(args)?;
    let input = files::expand(std::slice::from_ref(&args.file))?;
    let [input] = &input[..] else {
        return Err(Error::Usage(format!("expected one file to sample, found {}", input.len())));
    };
    let opened = input.open(&args.read)?;
    let model =
        args.model.as_deref().map(|path| dopesheet::open(path, None, &dopesheet::ReadOptions::default()));
    let model = model.transpose()?;
    let options = SampleOptions {
        axes: match args.axes {
            AxesArg::Native => Axes::Native,
            AxesArg::Gltf => Axes::Gltf,
        },
        space: match args.space {
            SpaceArg::Local => Space::Local,
            SpaceArg::Model => Space::Model,
        },
        clip: args.clip.as_deref().map_or(ClipChoice::First, ClipChoice::parse),
        model: model.as_ref(),
        names: names::read_optional(args.map.as_deref())?,
        ..SampleOptions::at(times)
    };
    let sampled = dopesheet::sample(&opened, &options)?;
    let text = if json { format!("{}\n", sampled.to_json()).into_bytes() } else { csv(&sampled)? };
    match &args.output {
        Some(path) if path.as_os_str() != "-" => write::bytes_to(path, &text, args.force)?,
        _ => console::data(&text)?,
    }
    Ok(Outcome::Done)
}

fn is_json(args: &SampleArgs) -> Result<bool, Error> {
    let extension =
        args.output.as_deref().and_then(Path::extension).map(|e| e.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        None => Ok(args.json),
        Some("json") => Ok(true),
        Some("csv") if !args.json => Ok(false),
        Some(other) => {
            Err(Error::Usage(format!("expected an output file that ends in .csv or .json, found .{other}")))
        }
    }
}

fn times(args: &SampleArgs) -> Result<TimeSpec, Error> {
    match (&args.times, args.fps, &args.range) {
        (Some(list), None, None) => TimeSpec::parse_list(list),
        (None, Some(fps), None) => Ok(TimeSpec::Rate(fps)),
        (None, None, Some(range)) => TimeSpec::parse_steps(range),
        _ => Err(Error::Usage("expected one of --times, --fps and --range".into())),
    }
}

/// One row per number: spreadsheets and data frames pivot it as they need.
fn csv(sampled: &Sampled) -> Result<Vec<u8>, Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    let failed = |e: csv::Error| Error::Io { path: "CSV".into(), source: e.into() };
    out.write_record(["time_s", "target", "index", "kind", "channel", "component", "value"])
        .map_err(failed)?;
    for track in &sampled.tracks {
        let (index, kind) = (track.index.to_string(), track.kind.word());
        for channel in &track.channels {
            for (row, time) in channel.values.chunks_exact(channel.width.max(1)).zip(&sampled.times_s) {
                for (component, value) in row.iter().enumerate() {
                    let (time, value) = (time.to_string(), value.to_string());
                    let component = component.to_string();
                    let record = [&time, &track.target, &index, kind, &channel.name, &component, &value];
                    out.write_record(record).map_err(failed)?;
                }
            }
        }
    }
    out.into_inner().map_err(|e| Error::Io { path: "CSV".into(), source: e.into_error() })
}
