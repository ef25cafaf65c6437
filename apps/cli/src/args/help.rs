//! Arguments of the verbs that explain the others.

use super::TEMPLATE;
use clap::Args;

#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet completions bash > ~/.local/share/bash-completion/completions/dopesheet
")]
pub(crate) struct CompletionsArgs {
    /// Shell to complete for
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
    /// Print the script as a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(help_template = TEMPLATE, before_help = "\
Examples:
  dopesheet man > ~/.local/share/man/man1/dopesheet.1
  dopesheet man convert > ~/.local/share/man/man1/dopesheet-convert.1
")]
pub(crate) struct ManArgs {
    /// Verb that the page is about; by default all of them
    pub(crate) verb: Option<String>,
    /// Print the page as a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(test)]
mod tests {
    use crate::args::Cli;
    use clap::CommandFactory as _;

    #[test]
    fn a_verb_is_explained_by_the_sentence_that_the_list_of_verbs_has() {
        let mut built = Cli::command();
        built.build();
        for listed in Cli::command().get_subcommands() {
            let verb = built.find_subcommand(listed.get_name()).and_then(|verb| verb.get_about());
            assert!(listed.get_about().is_some());
            assert_eq!(verb, listed.get_about(), "{}", listed.get_name());
        }
    }
}
