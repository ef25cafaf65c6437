//! Files that tasks write into the repository, and the check that they are what the tasks would write.

use std::path::Path;

/// The result of generating something, or the reason it could not be done.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// A generated file.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path, relative to the root of the repository, with forward slashes.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The root of the repository that this crate was built in.
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here)
}

/// The treatment of generated files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// Write those that differ.
    Write,
    /// Only name those that differ.
    Check,
}

impl Mode {
    /// Writes or checks files below [`root`]. True if all are now as they should be.
    ///
    /// # Errors
    ///
    /// The first file that cannot be written.
    #[allow(clippy::print_stdout, reason = "tasks talk to the person who started them")]
    pub fn apply(self, files: &[File]) -> Outcome<bool> {
        let mut clean = true;
        for file in files {
            let path = root().join(&file.path);
            if std::fs::read(&path).is_ok_and(|there| there == file.bytes) {
                continue;
            }
            match self {
                Self::Check => {
                    println!("{}: differs from what `cargo xtask` generates", file.path);
                    clean = false;
                }
                Self::Write => {
                    std::fs::create_dir_all(path.parent().unwrap_or(root()))?;
                    std::fs::write(&path, &file.bytes)?;
                    println!("wrote {}", file.path);
                }
            }
        }
        Ok(clean)
    }
}
