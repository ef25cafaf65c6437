//! `dopesheet check`

use crate::args::CheckArgs;
use crate::outcome::Outcome;
use crate::{batch, console, files};
use dopesheet::{Error, Finding, NameMap, Opened, Severity, registry};

/// The result for a file: its format, if known, and its findings.
struct Checked {
    format: Option<&'static str>,
    findings: Vec<Finding>,
}

/// Runs `check`: lists the findings of every file, also of unreadable files.
pub(crate) fn run(args: &CheckArgs) -> Result<Outcome, Error> {
    let inputs = files::expand(&args.files)?;
    if let Some(id) = &args.read.from {
        registry::wanted(id)?;
    }
    let (model, names) = (args.model.open()?, args.model.names()?);
    let check = |input: &files::Input| check(input, args, model.as_ref(), &names);
    batch::run(&inputs, &args.batch, check, |input, checked| show(input, &checked, args))
}

fn check(input: &files::Input, args: &CheckArgs, model: Option<&Opened>, names: &NameMap) -> Checked {
    let opened = input.open(&args.read).and_then(|opened| {
        let report = dopesheet::check::check_on(&opened, model, names)?;
        Ok(Checked { format: Some(opened.format().info().id), findings: report.findings })
    });
    match opened {
        Ok(checked) => checked,
        Err(error) => {
            let format = match &error {
                Error::Read(error) => Some(error.format),
                _ => None,
            };
            Checked { format, findings: vec![error.finding()] }
        }
    }
}

fn show(input: &files::Input, checked: &Checked, args: &CheckArgs) -> Result<Outcome, Error> {
    let name = input.name();
    if args.json {
        console::line(&dopesheet::json::check_to_json(&name, checked.format, &checked.findings).to_string())?;
    } else {
        let format = checked.format.map_or_else(String::new, |f| format!("{f}: "));
        for finding in &checked.findings {
            let (severity, fault) = (finding.severity.word(), &finding.fault);
            console::line(&format!("{name}: {severity} [{}] {format}{fault}", fault.code))?;
        }
        if checked.findings.is_empty() && !args.batch.quiet {
            console::line(&format!("{name}: nothing to report"))?;
        }
    }
    let bar = if args.strict { Severity::Warning } else { Severity::Error };
    let fails = checked.findings.iter().any(|f| f.severity >= bar);
    Ok(if fails { Outcome::Failed } else { Outcome::Done })
}
