//! The tests of this crate, in one program: it is linked once.

mod bent;
mod identities;
mod mirrored;
mod on_frames;
mod parts;
mod placed;
mod seams;
mod single_keys;
mod smoothed;

/// Asserts that a message has some words in it.
fn assert_says(message: &impl std::fmt::Display, words: &str) {
    let message = message.to_string();
    assert!(message.contains(words), "{message}");
}
