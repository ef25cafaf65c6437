//! Records with fields stated once, for reading and for writing; places of fields in messages.

/// States the fields of a record in the order of the file, each with its name in messages. Reading, walking
/// and the smallest size follow from this list. `Record`, `Field`, `Source`, `Sink` and `Sizes` are taken
/// from the format's module.
macro_rules! record {
    ($record:ident { $($field:ident: $kind:ty = $name:expr,)* }) => {
        impl Record for $record {
            #[inline]
            fn read(from: &mut Source<'_>) -> Read<Self> {
                Ok(Self { $($field: <$kind as Field<_>>::read(from, $name)?,)* })
            }

            fn walk(&self, sink: &mut impl Sink) {
                $(<$kind as Field<_>>::walk(&self.$field, sink, $name);)*
            }

            fn smallest(sizes: Sizes) -> usize {
                0usize$(.saturating_add(<$kind as Field<_>>::smallest($name, sizes)))*
            }
        }
    };
}

/// States how named fields are read and walked, and their least size if different from their size in memory.
macro_rules! fields {
    ($from:ident, $own:ident, $sink:ident, $name:ident:
        $([$($generic:tt)*] $kind:ty: $read:expr, $walk:expr $(, $smallest:expr)?;)*) => {$(
        impl<$($generic)*> Field<&'static str> for $kind {
            #[inline]
            fn read($from: &mut Source<'_>, $name: &'static str) -> Read<Self> {
                $read
            }

            fn walk(&self, $sink: &mut impl Sink, $name: &'static str) {
                let $own = self;
                $walk;
            }

            $(fn smallest(_: &'static str, _: Sizes) -> usize {
                $smallest
            })?
        }
    )*};
}

pub(crate) use {fields, record};

/// `bones[3].IK links[2].bone`: elements of lists, the outermost first, and a field.
pub(crate) fn path(lists: &[(&'static str, usize)], field: &str) -> String {
    let mut parts: Vec<_> = lists.iter().map(|(list, index)| format!("{list}[{index}]")).collect();
    parts.push(field.to_owned());
    parts.join(".")
}
