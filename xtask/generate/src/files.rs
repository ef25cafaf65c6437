//! Files that tasks write into the repository, and the check that they are what the tasks would write.

use dopesheet_samples::{File, Outcome};
use std::path::Path;

/// The treatment of generated files.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Mode {
    /// Write those that differ.
    Write,
    /// Only name those that differ.
    Check,
}

impl Mode {
    /// Writes or checks files. True if all are now as they should be.
    pub(crate) fn apply(self, root: &Path, files: &[File]) -> Outcome<bool> {
        let mut clean = true;
        for file in files {
            let path = root.join(&file.path);
            if std::fs::read(&path).is_ok_and(|there| there == file.bytes) {
                continue;
            }
            match self {
                Self::Check => {
                    println!("{}: differs from what `cargo xtask` generates", file.path);
                    clean = false;
                }
                Self::Write => {
                    std::fs::create_dir_all(path.parent().unwrap_or(root))?;
                    std::fs::write(&path, &file.bytes)?;
                    println!("wrote {}", file.path);
                }
            }
        }
        Ok(clean)
    }
}
