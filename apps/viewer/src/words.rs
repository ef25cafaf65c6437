//! Messages of the library in words of somebody who has a window and no command line.

/// Ways out that the command has, and what does the same here.
const HERE: [(&str, &str); 11] = [
    (
        "--person 2 takes the second of the motion, --person :2 of the other file",
        "a list below the bones has all of them",
    ),
    ("--person 1 or 2 one of several figures", "the list of persons one of several figures"),
    ("--scale overrides this", "the option scale overrides this"),
    ("give one with -m; -m standard will do", "open one as well"),
    ("give one with -m", "open one as well"),
    ("give a model with -m", "open its model as well"),
    ("give its model with -m", "open its model as well"),
    (", as with -m standard", ""),
    ("--map or --vocabulary says", "the table of bones or the vocabulary says"),
    ("--map says", "the table of bones says"),
    ("--map takes", "the table of bones takes"),
];

/// A message of the library with its advice in the viewer's words.
pub(crate) fn here(message: &str) -> String {
    HERE.iter().fold(message.to_owned(), |message, (there, here)| message.replace(there, here))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_is_missing_is_to_be_opened_and_not_given_as_an_option() {
        let message = "expected a model, for its hierarchy (give one with -m), found none; the standard model stands for it, as with -m standard";
        let expected = "expected a model, for its hierarchy (open one as well), found none; the standard model stands for it";
        assert_eq!(here(message), expected);
    }
}
