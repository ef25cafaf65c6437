//! Long work, done beside the window so that the window goes on: conversions, edits, pictures, and comparisons.
//!
//! A window has a thread for long work. A page has a second copy of the program, which gets the files' bytes and the
//! work as text; for this, requests and results can be written as JSON.

use crate::files::choices::{Change, Names};
use crate::files::inputs::Inputs;
use crate::model::compare::Measured;
use crate::model::export::{self, Shot};
use crate::model::stands::Stand;
use crate::words::here;
use dopesheet::core::diag::{Finding, Judgement, Severity};
use dopesheet::core::format::Output;
use dopesheet::{Loss, Report, render::RenderForm};
use serde_json::{Value, json};

/// A piece of work.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Work {
    /// A document in another format.
    Convert {
        /// The format's id.
        format: String,
        variant: Option<String>,
        /// Name of the file, also the start of its resources' names.
        file_name: String,
        /// Words of settings and their values.
        settings: Vec<(String, String)>,
        /// Names of nodes and words of their bones, of the motion (0) and of the figure (1).
        names: Names,
    },
    /// A document in its own format, after operations.
    Edit { changes: Vec<Change> },
    /// The dope sheet of a clip as SVG.
    Sheet { clip: usize },
    /// A clip as a loop.
    Loop { form: RenderForm, shot: Shot },
    /// The comparison of two documents.
    Compare,
}

/// The tone of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// As it should be.
    Fine,
    /// Worth knowing.
    Plain,
    /// Something is lost.
    Warning,
}

/// The result of work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Done {
    pub(crate) output: Option<Output>,
    /// Lines of the report for the user.
    pub(crate) said: Vec<(Tone, String)>,
    pub(crate) measured: Option<Measured>,
    /// Stands of the figure that took the first motion.
    pub(crate) stands: Vec<Stand>,
    /// Bone and time in seconds of the largest deviation from the source.
    pub(crate) worst: Option<(String, f64)>,
    /// Bones of limbs that point elsewhere than the source's, and the angles between both in degrees.
    pub(crate) off: Vec<(String, f64)>,
    pub(crate) cost: Cost,
}

/// The cost of work.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cost {
    /// Duration of the work in milliseconds.
    pub(crate) took_ms: f64,
    /// Memory of the working program in bytes; 0 if unknown.
    pub(crate) memory: f64,
}

impl Work {
    /// Does the work. The error is the reason of a failure.
    pub(crate) fn perform(&self, inputs: &Inputs) -> Result<Done, String> {
        self.made(inputs).map_err(|error| here(&error))
    }

    fn made(&self, inputs: &Inputs) -> Result<Done, String> {
        let Inputs { document, model, other, .. } = inputs;
        let model = model.as_deref();
        let output = match self {
            Self::Convert { format, variant, file_name, settings, names } => {
                return export::converted(inputs, format, variant.as_deref(), file_name, settings, names)
                    .map(|(output, report)| Done::of(output, report))
                    .map_err(|error| error.to_string());
            }
            Self::Edit { changes } => {
                return export::edited(document, changes)
                    .map(|(output, report)| Done::of(output, report))
                    .map_err(|error| error.to_string());
            }
            Self::Compare => {
                let other = other.as_deref().ok_or("there is no second file to compare with")?;
                let measured = Measured::new(document, other, model).map_err(|error| error.to_string())?;
                return Ok(Done { measured: Some(measured), ..Done::default() });
            }
            Self::Sheet { clip } => export::sheet(document, *clip),
            Self::Loop { form, shot } => export::animated(inputs, *form, shot),
        };
        output
            .map(|output| Done { output: Some(output), ..Done::default() })
            .map_err(|error| error.to_string())
    }
}

impl Done {
    /// A file with the report on it.
    fn of(output: Output, report: Report) -> Self {
        let verdict = report.verdicts.first();
        let worst_measure = verdict.and_then(|verdict| verdict.worst());
        let off = verdict.into_iter().flat_map(|verdict| verdict.complaints());
        let off = off.filter(|measure| measure.kind.info().unit == "rad");
        Self {
            output: Some(output),
            said: lines(&report),
            stands: report.slides.iter().filter(|slide| slide.clip == 0).map(Stand::from).collect(),
            worst: worst_measure.map(|measure| (measure.bone.clone(), measure.time.0)),
            off: off.map(|limb| (limb.bone.clone(), limb.value.to_degrees())).collect(),
            ..Self::default()
        }
    }
}

/// The report of a conversion, line by line.
fn lines(report: &Report) -> Vec<(Tone, String)> {
    let verdicts = report.verdicts.iter().flat_map(|verdict| {
        let tone = if verdict.judgement() == Judgement::Good { Tone::Plain } else { Tone::Warning };
        [(tone, verdict.to_string()), (Tone::Plain, verdict.numbers())]
    });
    let tone = |finding: &Finding| match finding.severity {
        Severity::Info => Tone::Plain,
        Severity::Warning | Severity::Error => Tone::Warning,
    };
    let findings = report.findings.iter().map(|finding| (tone(finding), finding.to_string()));
    let tone = |loss: &Loss| match loss {
        Loss::Kept { .. } => Tone::Fine,
        Loss::KeptAsData { .. }
        | Loss::Approximated { .. }
        | Loss::Bounded { .. }
        | Loss::Unsampled { .. } => Tone::Plain,
        Loss::Dropped { .. } => Tone::Warning,
    };
    let losses = report.losses.iter().map(|loss| (tone(loss), loss.to_string()));
    verdicts.chain(findings).chain(losses).map(|(tone, text)| (tone, here(&text))).collect()
}

/// Words of the forms, also the extensions of their files.
pub(crate) const FORMS: [(&str, RenderForm); 2] = [("gif", RenderForm::Gif), ("apng", RenderForm::Apng)];
const TONES: [(&str, Tone); 3] = [("fine", Tone::Fine), ("plain", Tone::Plain), ("warning", Tone::Warning)];

/// A list with a fixed count of numbers.
fn list<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let numbers = value.as_array()?.iter().map(Value::as_f64);
    numbers.collect::<Option<Vec<f64>>>()?.try_into().ok()
}

#[cfg_attr(
    not(target_arch = "wasm32"),
    allow(dead_code, reason = "a window hands work to a thread as it is")
)]
impl Work {
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Self::Convert { format, variant, file_name, settings, names } => json!({
                "work": "convert", "format": format, "variant": variant, "file_name": file_name, "settings": settings,
                "names": names,
            }),
            Self::Edit { changes } => json!({"work": "edit", "changes": changes}),
            Self::Sheet { clip } => json!({"work": "sheet", "clip": clip}),
            Self::Loop { form, shot } => {
                let word = FORMS.iter().find(|(_, listed)| listed == form).map(|(word, _)| word);
                let Shot { clip, range, size_px, background, eye, camera, follows } = shot;
                json!({
                    "work": "loop", "form": word, "clip": clip, "range": range, "size_px": size_px, "eye": eye,
                    "background": background, "camera": camera, "follows": follows,
                })
            }
            Self::Compare => json!({"work": "compare"}),
        }
    }

    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let clip = || usize::try_from(value["clip"].as_u64()?).ok();
        let pair = |pair: &Value| Some((pair[0].as_str()?.to_owned(), pair[1].as_str()?.to_owned()));
        let pairs_of = |value: &Value| value.as_array()?.iter().map(pair).collect::<Option<Vec<_>>>();
        let pairs = |name: &str| pairs_of(&value[name]);
        Some(match value["work"].as_str()? {
            "convert" => {
                let settings = pairs("settings")?;
                let names = [pairs_of(&value["names"][0])?, pairs_of(&value["names"][1])?];
                let [format, file_name] = [text("format")?, text("file_name")?];
                Self::Convert { format, variant: text("variant"), file_name, settings, names }
            }
            "edit" => Self::Edit { changes: pairs("changes")? },
            "sheet" => Self::Sheet { clip: clip()? },
            "loop" => {
                let form = FORMS.iter().find(|(word, _)| value["form"] == *word)?.1;
                let shot = Shot {
                    clip: clip()?,
                    range: list(&value["range"])?,
                    size_px: list(&value["size_px"])?.map(|x| x as u32),
                    background: list(&value["background"])?.map(|part| part as u8),
                    eye: list(&value["eye"])?.map(|x| x as f32),
                    camera: value["camera"].as_u64().map(|camera| camera as usize),
                    follows: value["follows"].as_bool()?,
                };
                Self::Loop { form, shot }
            }
            "compare" => Self::Compare,
            _ => return None,
        })
    }
}

#[cfg_attr(
    not(target_arch = "wasm32"),
    allow(dead_code, reason = "a window is handed what came of it as it is")
)]
impl Done {
    /// Everything except the bytes of the output.
    pub(crate) fn to_json(&self) -> Value {
        let word = |tone: &Tone| TONES.iter().find(|(_, listed)| listed == tone).map(|(word, _)| word);
        let lines: Vec<Value> = self.said.iter().map(|(tone, text)| json!([word(tone), text])).collect();
        json!({
            "said": lines,
            "measured": self.measured.as_ref().map(Measured::to_json),
            "stands": self.stands.iter().map(Stand::to_json).collect::<Vec<_>>(),
            "worst": self.worst,
            "off": self.off,
            "cost": [self.cost.took_ms, self.cost.memory],
        })
    }

    pub(crate) fn from_json(value: &Value, output: Option<Output>) -> Option<Self> {
        let line = |line: &Value| {
            let tone = TONES.iter().find(|(word, _)| line[0] == *word)?.1;
            Some((tone, line[1].as_str()?.to_owned()))
        };
        let said = value["said"].as_array()?.iter().map(line).collect::<Option<_>>()?;
        let worst = &value["worst"];
        let off = |off: &Value| Some((off[0].as_str()?.to_owned(), off[1].as_f64()?));
        let [took_ms, memory] = [0, 1].map(|index| value["cost"][index].as_f64().unwrap_or_default());
        Some(Self {
            output,
            said,
            measured: Measured::from_json(&value["measured"]),
            stands: value["stands"].as_array()?.iter().map(Stand::from_json).collect::<Option<_>>()?,
            worst: worst[0].as_str().map(str::to_owned).zip(worst[1].as_f64()),
            off: value["off"].as_array()?.iter().map(off).collect::<Option<_>>()?,
            cost: Cost { took_ms, memory },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Files;
    use crate::files::inbox::Delivery;
    use std::path::Path;
    use std::sync::Arc;

    fn inputs(names: [&str; 2]) -> Inputs {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let mut delivery = Delivery::default();
        for name in names {
            delivery.add(name.to_owned(), Ok(std::fs::read(folder.join(name)).unwrap()));
        }
        let mut files = Files::default();
        files.open(delivery);
        let [document, other] = [0, 1].map(|index| Arc::clone(&files.documents[index]));
        Inputs { document, model: None, other: Some(other), figure: None }
    }

    fn convert(settings: &[(&str, &str)]) -> Work {
        let settings = settings.iter().map(|(id, value)| ((*id).to_owned(), (*value).to_owned())).collect();
        let file_name = "walk.glb".into();
        Work::Convert { format: "glb".into(), variant: None, file_name, settings, names: Names::default() }
    }

    #[test]
    fn work_survives_being_written_as_json() {
        let shot = Shot {
            clip: 2,
            range: [0.1, 1.04],
            size_px: [640, 400],
            background: [1, 2, 3, 255],
            eye: [0.5, 1.25, -0.1, 0.3, 0.2, 3.7, 0.23],
            camera: Some(1),
            follows: true,
        };
        let all = [
            convert(&[("range", "0:1"), ("lossy", "")]),
            Work::Convert {
                format: "glb".into(),
                variant: Some("meshopt".into()),
                file_name: "walk.glb".into(),
                settings: Vec::new(),
                names: [vec![("Hip".into(), "hips".into())], Vec::new()],
            },
            Work::Edit { changes: vec![("trim".into(), r#"{"range":"0:1"}"#.into())] },
            Work::Sheet { clip: 2 },
            Work::Loop { form: RenderForm::Apng, shot },
            Work::Compare,
        ];
        for work in all {
            assert_eq!(Work::from_json(&work.to_json()), Some(work));
        }
        for nonsense in [
            json!(null),
            json!({"work": "sing"}),
            json!({"work": "convert"}),
            json!({"work": "sheet", "clip": -1}),
        ] {
            assert_eq!(Work::from_json(&nonsense), None);
        }
    }

    #[test]
    fn what_is_asked_of_a_conversion_is_done_or_refused_in_words() {
        let inputs = inputs(["walk.vmd", "bow.vmd"]);
        let whole = convert(&[]).perform(&inputs).unwrap();
        let part = convert(&[("range", "0:1"), ("bake", "10")]).perform(&inputs).unwrap();
        let [whole_size, part_size] = [&whole, &part].map(|done| done.output.as_ref().unwrap().main.len());
        assert!(part_size < whole_size && !whole.said.is_empty(), "{part_size} {whole_size}");
        let again = Done::from_json(&whole.to_json(), None).unwrap();
        assert_eq!(again.said, whole.said);
        let error = convert(&[("range", "soon")]).perform(&inputs).unwrap_err();
        assert!(error.contains("expected START:END"), "{error}");
        assert!(convert(&[("moon", "")]).perform(&inputs).unwrap_err().contains("moon"));
    }

    #[test]
    fn a_comparison_survives_being_written_as_json() {
        let done = Work::Compare.perform(&inputs(["walk.vmd", "bow.vmd"])).unwrap();
        let measured = done.measured.clone().unwrap();
        assert!(!measured.is_within && !measured.lines.is_empty() && measured.over_time.len() > 100);
        assert_eq!(Done::from_json(&done.to_json(), None).unwrap().measured, Some(measured));
    }
}
