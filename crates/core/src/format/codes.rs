//! The codes of a format, as a table.

/// Constants for the checks of a format, by lines of a name, a code, a [severity](crate::diag::Severity) and
/// its meaning, and `ALL` with all of them in that order.
#[macro_export]
macro_rules! codes {
    ($($name:ident $code:tt $severity:ident $about:literal)*) => {
        $(pub(super) const $name: $crate::format::Check = $crate::format::Check {
            code: $code,
            severity: $crate::diag::Severity::$severity,
            about: $about,
        };)*
        /// All of them.
        pub(super) const ALL: &[$crate::format::Check] = &[$($name),*];
    };
}
