//! Steps that can be undone.

use crate::files::choices::Choices;

/// Largest number of steps.
const MOST: usize = 500;

/// The choices after each step, and the present step.
#[derive(Debug)]
pub(crate) struct History {
    steps: Vec<(String, Choices)>,
    now: usize,
}

impl Default for History {
    fn default() -> Self {
        Self { steps: vec![("as opened".to_owned(), Choices::default())], now: 0 }
    }
}

impl History {
    /// The choices of the present step.
    pub(crate) fn choices(&self) -> &Choices {
        &self.steps[self.now].1
    }

    /// Adds a step after the present step, in place of undone steps.
    pub(crate) fn add(&mut self, words: String, choices: &Choices) {
        self.steps.truncate(self.now + 1);
        self.steps.push((words, choices.clone()));
        if self.steps.len() > MOST {
            self.steps.remove(0);
        }
        self.now = self.steps.len() - 1;
    }

    /// Goes to a step and returns its choices; `None` without such a step.
    pub(crate) fn go_to(&mut self, step: usize) -> Option<Choices> {
        let choices = self.steps.get(step)?.1.clone();
        self.now = step;
        Some(choices)
    }

    /// The step before the present step.
    pub(crate) const fn before(&self) -> Option<usize> {
        self.now.checked_sub(1)
    }

    /// The step after the present step.
    pub(crate) fn after(&self) -> Option<usize> {
        Some(self.now + 1).filter(|step| *step < self.steps.len())
    }

    /// Words of all steps, and the position of the present step.
    pub(crate) fn list(&self) -> (impl Iterator<Item = &str>, usize) {
        (self.steps.iter().map(|(words, _)| words.as_str()), self.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(value: &str) -> Choices {
        let mut choices = Choices::default();
        choices.ask("contacts", Some(value.to_owned()));
        choices
    }

    #[test]
    fn a_step_that_is_undone_comes_back_until_another_one_is_made() {
        let mut history = History::default();
        assert_eq!((history.before(), history.after()), (None, None));
        history.add("contacts off".into(), &with("off"));
        history.add("contacts all".into(), &with("all"));
        assert_eq!(history.go_to(history.before().unwrap()), Some(with("off")));
        assert_eq!(history.go_to(history.after().unwrap()), Some(with("all")));
        assert_eq!(history.go_to(0), Some(Choices::default()));
        history.add("contacts off".into(), &with("off"));
        let (words, now) = history.list();
        assert_eq!((words.collect::<Vec<_>>(), now), (vec!["as opened", "contacts off"], 1));
        assert_eq!(history.go_to(7), None);
    }

    #[test]
    fn no_more_steps_are_kept_than_there_is_room_for() {
        let mut history = History::default();
        (0..2 * MOST).for_each(|_| history.add("contacts off".into(), &with("off")));
        assert_eq!((history.steps.len(), history.after()), (MOST, None));
    }
}
