//! The options of `convert` that come from the library's table of settings.

use crate::headings::{FIGURES, LOOKS, MOTION};
use clap::builder::PossibleValue;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueHint};
use dopesheet::{ConvertOptions, Error, convert::Setting, convert::SettingKind, convert::settings, registry};
use std::fmt;

/// The chosen settings of a conversion.
#[derive(Clone, Default)]
pub(crate) struct SettingsArgs(Vec<(&'static Setting, String)>);

impl fmt::Debug for SettingsArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter().map(|(setting, value)| (setting.id, value))).finish()
    }
}

impl SettingsArgs {
    /// True if a setting was asked for.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.0.iter().any(|(setting, _)| setting.id == id)
    }

    /// Applies all given settings.
    pub(crate) fn set(&self, options: &mut ConvertOptions<'_>) -> Result<(), Error> {
        self.0.iter().try_for_each(|(setting, value)| setting.set(options, value))
    }
}

/// Options needed every day, which have no heading, and headings of others. Options in neither list are about
/// motion.
const DAILY: [&str; 4] = ["clip", "range", "tolerance", "bake"];
const HEADINGS: [(&str, &[&str]); 2] = [
    (
        FIGURES,
        &[
            "vocabulary",
            "person",
            "hands",
            "contacts",
            "arm-space",
            "floor",
            "raise",
            "ik",
            "partial",
            "skip-first",
        ],
    ),
    (LOOKS, &["names", "unlit", "show-bones", "set-model-name", "replace-unencodable"]),
];

/// The heading of an option in help.
fn heading(id: &str) -> Option<&'static str> {
    if DAILY.contains(&id) {
        return None;
    }
    let listed = HEADINGS.iter().find(|(_, ids)| ids.contains(&id));
    Some(listed.map_or(MOTION, |(heading, _)| heading))
}

/// An option of the command.
fn argument(setting: &'static Setting) -> Arg {
    let option =
        Arg::new(setting.id).long(setting.id).help(setting.help).conflicts_with_all(setting.excludes);
    let option = option.help_heading(heading(setting.id));
    match setting.kind {
        SettingKind::Switch => option.action(ArgAction::SetTrue),
        SettingKind::Text(form) => option
            .value_name(form)
            .value_hint(ValueHint::Other)
            .allow_hyphen_values(true)
            .value_parser(move |text: &str| checked(setting, text)),
        SettingKind::Choice(form, words) => {
            // Values with a help of their own would give every option several lines.
            let meanings: Vec<String> = words.iter().map(|(word, help)| format!("{word} ({help})")).collect();
            option
                .value_name(form)
                .help(format!("{}: {}", setting.help, meanings.join(", ")))
                .default_value(words[0].0)
                .hide_possible_values(true)
                .value_parser(words.iter().map(|(word, _)| PossibleValue::new(word)).collect::<Vec<_>>())
        }
    }
}

/// The text, if it has the form of a setting.
fn checked(setting: &Setting, text: &str) -> Result<String, String> {
    let Some(format) = registry::formats().first() else { return Ok(text.to_owned()) };
    let result = setting.set(&mut ConvertOptions::to(*format), text);
    result.map(|()| text.to_owned()).map_err(|error| error.to_string())
}

impl Args for SettingsArgs {
    fn augment_args(command: Command) -> Command {
        command.args(settings().iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SettingsArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut asked = Self::default();
        asked.update_from_arg_matches(matches)?;
        Ok(asked)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let missing = |_| clap::Error::new(ErrorKind::UnknownArgument);
        self.0.clear();
        for setting in settings() {
            let value = match setting.kind {
                SettingKind::Switch => matches.get_flag(setting.id).then(String::new),
                SettingKind::Text(_) | SettingKind::Choice(..) => {
                    matches.try_get_one::<String>(setting.id).map_err(missing)?.cloned()
                }
            };
            self.0.extend(value.map(|value| (setting, value)));
        }
        Ok(())
    }
}
