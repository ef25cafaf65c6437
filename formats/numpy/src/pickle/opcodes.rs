//! The operations of protocols 0 to 5: their bytes, their names, and the form of their arguments.

/// Form of an operation's argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// No argument.
    Bare,
    /// A number with this count of bytes, lowest first.
    Number(usize),
    /// A number of eight bytes, highest first.
    Double,
    /// A text up to a line feed.
    Line,
    /// Two texts, each up to a line feed.
    Lines,
    /// Bytes, preceded by their count in a number with this many bytes, lowest first.
    Counted(usize),
}

macro_rules! opcodes {
    ($($name:ident $byte:literal $form:expr;)*) => {
        /// An operation of a pickle, by its name in `pickletools`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Opcode {
            $($name),*
        }

        impl Opcode {
            /// The operation of a byte.
            pub(super) const fn of(byte: u8) -> Option<Self> {
                match byte {
                    $($byte => Some(Self::$name),)*
                    _ => None,
                }
            }

            pub(super) const fn form(self) -> Form {
                use Form::{Bare, Counted, Double, Line, Lines, Number};
                match self {
                    $(Self::$name => $form),*
                }
            }
        }
    };
}

opcodes! {
    Mark b'(' Bare;
    Stop b'.' Bare;
    Pop b'0' Bare;
    PopMark b'1' Bare;
    Dup b'2' Bare;
    Float b'F' Line;
    Int b'I' Line;
    BinInt b'J' Number(4);
    BinInt1 b'K' Number(1);
    BinInt2 b'M' Number(2);
    Long b'L' Line;
    None b'N' Bare;
    PersId b'P' Line;
    BinPersId b'Q' Bare;
    Reduce b'R' Bare;
    String b'S' Line;
    BinString b'T' Counted(4);
    ShortBinString b'U' Counted(1);
    Unicode b'V' Line;
    BinUnicode b'X' Counted(4);
    Append b'a' Bare;
    Build b'b' Bare;
    Global b'c' Lines;
    Dict b'd' Bare;
    EmptyDict b'}' Bare;
    Appends b'e' Bare;
    Get b'g' Line;
    BinGet b'h' Number(1);
    Inst b'i' Lines;
    LongBinGet b'j' Number(4);
    List b'l' Bare;
    EmptyList b']' Bare;
    Obj b'o' Bare;
    Put b'p' Line;
    BinPut b'q' Number(1);
    LongBinPut b'r' Number(4);
    SetItem b's' Bare;
    Tuple b't' Bare;
    EmptyTuple b')' Bare;
    SetItems b'u' Bare;
    BinFloat b'G' Double;
    BinBytes b'B' Counted(4);
    ShortBinBytes b'C' Counted(1);
    Proto 0x80 Number(1);
    NewObj 0x81 Bare;
    Ext1 0x82 Number(1);
    Ext2 0x83 Number(2);
    Ext4 0x84 Number(4);
    Tuple1 0x85 Bare;
    Tuple2 0x86 Bare;
    Tuple3 0x87 Bare;
    NewTrue 0x88 Bare;
    NewFalse 0x89 Bare;
    Long1 0x8a Counted(1);
    Long4 0x8b Counted(4);
    ShortBinUnicode 0x8c Counted(1);
    BinUnicode8 0x8d Counted(8);
    BinBytes8 0x8e Counted(8);
    EmptySet 0x8f Bare;
    AddItems 0x90 Bare;
    FrozenSet 0x91 Bare;
    NewObjEx 0x92 Bare;
    StackGlobal 0x93 Bare;
    Memoize 0x94 Bare;
    Frame 0x95 Number(8);
    ByteArray8 0x96 Counted(8);
    NextBuffer 0x97 Bare;
    ReadOnlyBuffer 0x98 Bare;
}
