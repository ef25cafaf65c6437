//! docs/checks.md: every code that reading and checking may report.

use super::markdown::{head, header, row};
use dopesheet::core::format::Check;
use dopesheet::core::format::FormatInfo;

const INTRODUCTION: &str = "\
`dopesheet check` lists findings, each with a code. A code is unique within its format, states the fault and not the
cure, and never changes its meaning; scripts may rely on it.

* **error**: the file breaks the rules of its format. `check` then exits with 1.
* **warning**: legal or harmless, but other programs may disagree about it, or a conversion will mend it. With
  `--strict`, `check` exits with 1 for these too.
* **info**: worth knowing.
";

/// The page.
pub(super) fn page(formats: &[&FormatInfo]) -> String {
    let mut page = head("Checks") + INTRODUCTION;
    for format in formats {
        page += &section(format.name, format.checks);
    }
    page += &section("A motion on a model (`-m`)", dopesheet::binding::BINDING_CHECKS);
    page + &section("A conversion (`convert`)", dopesheet::convert::CONVERSION_CHECKS)
}

fn section(title: &str, checks: &[Check]) -> String {
    let mut section = format!("\n## {title}\n\n") + &header(&["Code", "Severity", "Meaning"]);
    for check in checks {
        section += &row([&format!("`{}`", check.code), check.severity.word(), check.about]);
    }
    section
}
