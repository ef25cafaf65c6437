//! Settings of a conversion in words: a single table, the source of the command's options and the viewer's
//! panel.

use crate::choice::clip_choice::ClipChoice;
use crate::choice::times::RangeSpec;
use crate::convert::options::{ConvertOptions, metres, most_frames, rate};
use crate::error::Error;
use crate::models::english::Language;
use crate::models::persons::Persons;
use crate::models::vocabularies::Vocabularies;
use dopesheet_core::format::RestFrom;
use dopesheet_human::{Floor, Planted};
use dopesheet_motion::length_m;
use dopesheet_motion::sample::rig::Behaviour;
use std::str::FromStr;

/// An option of a conversion.
#[derive(Debug)]
pub struct Setting {
    /// The setting's word, equal to the command's option.
    pub id: &'static str,
    /// Effect, as a phrase.
    pub help: &'static str,
    /// Kind of its value.
    pub kind: SettingKind,
    /// Words of the settings that contradict this setting.
    pub excludes: &'static [&'static str],
    set: fn(&mut ConvertOptions<'_>, &str) -> Result<(), Error>,
}

/// Kind of a setting's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// No value: the setting is on or off.
    Switch,
    /// A text of this form.
    Text(&'static str),
    /// A word for the value in general, and the words to choose from, each with its meaning; the first is the
    /// default.
    Choice(&'static str, &'static [(&'static str, &'static str)]),
}

impl Setting {
    /// Applies the setting to options. The value given for a switch is ignored.
    ///
    /// # Errors
    /// [`Error::Usage`] if the text is not of the setting's form.
    pub fn set(&self, options: &mut ConvertOptions<'_>, value: &str) -> Result<(), Error> {
        (self.set)(options, value)
    }
}

/// All settings, in the order of listings.
#[must_use]
pub const fn settings() -> &'static [Setting] {
    SETTINGS
}

const fn switch(
    id: &'static str,
    help: &'static str,
    set: fn(&mut ConvertOptions<'_>, &str) -> Result<(), Error>,
) -> Setting {
    Setting { id, help, kind: SettingKind::Switch, excludes: &[], set }
}

const fn text(
    id: &'static str,
    form: &'static str,
    help: &'static str,
    set: fn(&mut ConvertOptions<'_>, &str) -> Result<(), Error>,
) -> Setting {
    Setting { id, help, kind: SettingKind::Text(form), excludes: &[], set }
}

/// A setter of a switch.
macro_rules! on {
    ($field:ident) => {
        |options, _| {
            options.$field = true;
            Ok(())
        }
    };
}

/// Largest length in metres by which a figure is raised or lowered.
const MOST_RAISED_M: f64 = 1000.0;

const SETTINGS: &[Setting] = &[
    switch("skip-first", "Leave out the first moving node of each clip", on!(skip_first)),
    text(
        "clip",
        "NAME|#N",
        "Only this clip: its name, or its position from 0 as '#2'; '#all' keeps also clips without keys or of one frame",
        |options, value| {
            options.clip = Some(ClipChoice::parse(value));
            Ok(())
        },
    ),
    text(
        "vocabulary",
        "NAME[:NAME]",
        "Naming of the bones, instead of a guess: the motion's, and behind a colon the figure's, as in \
         soma:unreal",
        |options, value| {
            options.vocabularies = Vocabularies::parse(value)?;
            Ok(())
        },
    ),
    text(
        "person",
        "N[:N]",
        "Which of several human figures in a file, counted from 1: the motion's, and behind a colon the other file's, as in 2:1",
        |options, value| {
            options.persons = Some(Persons::parse(value)?);
            Ok(())
        },
    ),
    Setting {
        id: "hands",
        help: "With --onto: what fingers do that the motion lacks",
        kind: SettingKind::Choice(
            "HOW",
            &[("rest", "as they rest"), ("relaxed", "bent as those of a hand that does nothing")],
        ),
        excludes: &[],
        set: |options, value| {
            options.relaxed_hands = choice(value, &[("rest", false), ("relaxed", true)])?;
            Ok(())
        },
    },
    Setting {
        id: "contacts",
        help: "With --onto: what stays where it is on the ground as the source's does",
        kind: SettingKind::Choice(
            "WHICH",
            &[
                ("feet", "feet"),
                ("all", "feet and hands"),
                (
                    "off",
                    "nothing: bones point where the source's point, and feet slide on legs of other proportions",
                ),
            ],
        ),
        excludes: &["into"],
        set: |options, value| {
            let words = [("feet", Planted::Feet), ("all", Planted::All), ("off", Planted::Nothing)];
            options.planted = choice(value, &words)?;
            Ok(())
        },
    },
    text(
        "arm-space",
        "CM",
        "With --onto: turn arms aside so that hands stay so many centimetres off the body; without it what passes into it is told",
        |options, value| {
            let centimetres = number(value)?;
            if !(0.0..=50.0).contains(&centimetres) {
                return Err(Error::Usage(format!("expected an arm space from 0 to 50 cm, found {value}")));
            }
            options.arm_space_m = Some(centimetres / 100.0);
            Ok(())
        },
    ),
    Setting {
        id: "floor",
        help: "With --onto and in VRMA: what counts as the ground",
        kind: SettingKind::Choice(
            "WHICH",
            &[
                (
                    "auto",
                    "the file's zero, unless stands and rest heights tell of another ground, which the report names",
                ),
                ("stands", "where feet stand lowest"),
                ("origin", "the file's zero"),
                ("keep", "nothing: the hips keep the heights of the source, scaled"),
            ],
        ),
        excludes: &["into"],
        set: |options, value| {
            let words = [
                ("auto", Floor::Weighed),
                ("stands", Floor::Stands),
                ("origin", Floor::Origin),
                ("keep", Floor::Keep),
            ];
            options.floor = choice(value, &words)?;
            Ok(())
        },
    },
    text(
        "raise",
        "LENGTH",
        "With --onto: raise the whole figure by this length, such as 3cm, or lower it (-2cm)",
        |options, value| {
            let raised_m = length_m(value).filter(|metres| metres.abs() <= MOST_RAISED_M);
            options.raised_m = raised_m.ok_or_else(|| {
                let expected = "a length from -1000m to 1000m, in mm, cm or m, such as 3cm or -2cm";
                Error::Usage(format!("expected {expected}, found \"{value}\""))
            })?;
            Ok(())
        },
    ),
    text(
        "tolerance",
        "LEN[@SHELL]",
        "No point within SHELL of any joint moves more than LEN: lengths in um, mm, cm or m; without it 0.1mm@3cm",
        |options, value| {
            options.tolerance = Some(value.parse().map_err(|error| Error::Usage(format!("{error}")))?);
            Ok(())
        },
    ),
    text("bake", "FPS", "One key per frame at this rate instead of authored keys", |options, value| {
        options.bake = Some(rate(number(value)?)?);
        Ok(())
    }),
    Setting {
        excludes: &["bake"],
        ..switch("lossy", "Drop keys and movement that change less than the tolerance", on!(lossy))
    },
    Setting {
        excludes: &["bake"],
        ..switch(
            "cubic",
            "Cubic segments with tangents where the target has them and they need less room than straight ones",
            on!(cubic),
        )
    },
    Setting {
        id: "ik",
        help: "Whose answer is wanted where programs solve IK differently",
        kind: SettingKind::Choice(
            "PROGRAM",
            &[("mmd", "MikuMikuDance 9.32"), ("babylon", "babylon-mmd 1.3")],
        ),
        excludes: &[],
        set: |options, value| {
            options.ik = choice(value, &[("mmd", Behaviour::Mmd), ("babylon", Behaviour::Babylon)])?;
            Ok(())
        },
    },
    switch("raw", "Keys as authored, with no rig solved", on!(raw)),
    Setting {
        id: "between-frames",
        help: "Course between frames of formats with a key on every frame (BVH, and recordings in FBX)",
        kind: SettingKind::Choice(
            "HOW",
            &[
                (
                    "straight",
                    "the shortest way from frame to frame, as programs that resample on frames show it",
                ),
                (
                    "stored",
                    "the angles and curves as stored, with as many keys in between as the tolerance needs",
                ),
            ],
        ),
        excludes: &[],
        set: |options, value| {
            options.stored_between_frames = choice(value, &[("straight", false), ("stored", true)])?;
            Ok(())
        },
    },
    text(
        "range",
        "START:END",
        "Only this stretch, in seconds or frames (45f); it starts at 0 in the output",
        |options, value| {
            options.range = Some(RangeSpec::parse(value)?);
            Ok(())
        },
    ),
    text(
        "max-frames",
        "N",
        "Frames that may all get keys, or be looked at for keys; more are refused. Without it as many as have 10 million numbers",
        |options, value| {
            options.limits.max_frames = most_frames(number(value)?)?;
            Ok(())
        },
    ),
    switch("shift", "Move clips that start before 0 to 0 instead of cutting them there", on!(shift)),
    Setting {
        id: "rest",
        help: "Rest pose of a motion without a model whose format states none (PlayCanvas, Unity, WebXR, MORE)",
        kind: SettingKind::Choice(
            "POSE",
            &[
                (
                    "places",
                    "Translations of the first keys, without rotations, so that these stay as in the file",
                ),
                ("first", "The whole pose of the first keys"),
            ],
        ),
        excludes: &["model"],
        set: |options, value| {
            options.rest = choice(value, &RestFrom::WORDS)?;
            Ok(())
        },
    },
    switch("sort", "Group keys by name, then sort by time", on!(sort)),
    text("scale", "METRES", "Metres per unit of length of the inputs", |options, value| {
        options.metres_per_unit = Some(metres(number(value)?)?);
        Ok(())
    }),
    Setting {
        id: "names",
        help: "Which names nodes, morphs and materials get",
        kind: SettingKind::Choice(
            "NAMES",
            &[
                ("original", "The source's own"),
                ("english", "English where the source or its model has an English name"),
            ],
        ),
        excludes: &[],
        set: |options, value| {
            let words = [("original", Language::Original), ("english", Language::English)];
            options.language = choice(value, &words)?;
            Ok(())
        },
    },
    Setting {
        excludes: &["into"],
        ..switch("unlit", "Materials that light does not change (KHR_materials_unlit)", on!(unlit))
    },
    Setting {
        excludes: &["into"],
        ..switch(
            "show-bones",
            "A small mesh of the bones with a skin, for skeletons without any mesh, of which viewers show nothing",
            on!(show_bones),
        )
    },
    switch("keep-constant", "Keep channels that never differ from the rest pose", on!(keep_constant)),
    switch(
        "replace-unencodable",
        "Write ? for characters that the target's encoding lacks",
        on!(replace_unencodable),
    ),
    text(
        "set-model-name",
        "NAME",
        "The model that the motion is for, in VMD and VPD; without it that of -m",
        |options, value| {
            options.model_name = Some(value.to_owned());
            Ok(())
        },
    ),
    switch(
        "partial",
        "Write although fewer than half of the moving tracks reach the model or the target",
        on!(partial),
    ),
];

fn number(text: &str) -> Result<f64, Error> {
    f64::from_str(text.trim()).map_err(|_| Error::Usage(format!("expected a number, found \"{text}\"")))
}

fn choice<T: Copy>(text: &str, words: &[(&str, T)]) -> Result<T, Error> {
    let value = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
    value.ok_or_else(|| {
        let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let expected = match words[..] {
            [one, other] => format!("{one} or {other}"),
            _ => format!("one of {}", words.join(", ")),
        };
        Error::Usage(format!("expected {expected}, found \"{text}\""))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    fn set(id: &str, value: &str) -> Result<String, Error> {
        let mut options = ConvertOptions::to(registry::formats()[0]);
        let setting = settings().iter().find(|setting| setting.id == id).unwrap();
        setting.set(&mut options, value).map(|()| format!("{options:?}"))
    }

    #[test]
    fn each_setting_changes_something_and_words_are_there_once() {
        let plain = format!("{:?}", ConvertOptions::to(registry::formats()[0]));
        for (index, setting) in settings().iter().enumerate() {
            assert!(settings()[..index].iter().all(|other| other.id != setting.id), "{}", setting.id);
            let value = match setting.kind {
                SettingKind::Switch => "",
                SettingKind::Text("START:END") => "-1:45f",
                SettingKind::Text("LEN[@SHELL]") => "2mm@1cm",
                SettingKind::Text("NAME[:NAME]") => "soma:unreal",
                SettingKind::Text("LENGTH") => "-2cm",
                SettingKind::Text(_) => "25",
                SettingKind::Choice(_, words) => {
                    assert_eq!(set(setting.id, words[0].0).unwrap(), plain, "the first word is the default");
                    words[1].0
                }
            };
            assert_ne!(set(setting.id, value).unwrap(), plain, "{}", setting.id);
        }
    }

    #[test]
    fn what_has_another_form_is_refused_with_what_was_expected() {
        for (id, value, message) in [
            ("tolerance", "2", "expected"),
            ("bake", "fast", "expected a number, found \"fast\""),
            ("bake", "0", "expected a rate from 0.001 to 1,000,000, found 0"),
            ("range", "1", "expected START:END, found \"1\""),
            ("max-frames", "0", "expected a whole number of frames from 1 to 10,000,000, found 0"),
            ("max-frames", "2.5", "found 2.5"),
            ("scale", "-1", "expected a length above 0 metres, found -1"),
            (
                "raise",
                "3",
                "expected a length from -1000m to 1000m, in mm, cm or m, such as 3cm or -2cm, found \"3\"",
            ),
            ("raise", "1001m", "expected a length from -1000m to 1000m"),
            ("names", "latin", "expected original or english, found \"latin\""),
        ] {
            let error = set(id, value).unwrap_err().to_string();
            assert!(error.contains(message), "{id} {value}: {error}");
        }
    }
}
