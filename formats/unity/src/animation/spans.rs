//! Spans of the values in the text, for the places of `check` and the replacements of `write`.

pub(super) use dopesheet_core::bytes::text::Span;

/// Spans of everything in a [`Clip`](super::Clip).
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ClipSpans {
    /// The name of the object's class, in front of its members.
    pub(super) start: usize,
    /// End of its last member.
    pub(super) end: usize,
    /// True if the clip's members are indented by two columns, as written by Unity, so that further members
    /// can be put behind them.
    pub(super) is_block: bool,
    pub(super) file_id: Span,
    pub(super) numbers: MemberSpans,
    pub(super) sections: [Section; 9],
    /// True if the clip has the member written last by Unity.
    pub(super) has_events: bool,
}

/// Single values of a clip; `None` for absent values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MemberSpans {
    pub(super) name: Option<Span>,
    pub(super) serialized_version: Option<Span>,
    pub(super) legacy: Option<Span>,
    pub(super) sample_rate: Option<Span>,
    pub(super) wrap_mode: Option<Span>,
    pub(super) start_time: Option<Span>,
    pub(super) stop_time: Option<Span>,
    pub(super) loop_time: Option<Span>,
    pub(super) cycle_offset: Option<Span>,
}

/// The lists of a clip, in the order of Unity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ClipList {
    Rotation,
    Euler,
    Position,
    Scale,
    Float,
    Object,
    Editor,
    EulerEditor,
    Events,
}

impl ClipList {
    pub(super) const ALL: [Self; 9] = [
        Self::Rotation,
        Self::Euler,
        Self::Position,
        Self::Scale,
        Self::Float,
        Self::Object,
        Self::Editor,
        Self::EulerEditor,
        Self::Events,
    ];

    /// Name of the list in the file.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Rotation => "m_RotationCurves",
            Self::Euler => "m_EulerCurves",
            Self::Position => "m_PositionCurves",
            Self::Scale => "m_ScaleCurves",
            Self::Float => "m_FloatCurves",
            Self::Object => "m_PPtrCurves",
            Self::Editor => "m_EditorCurves",
            Self::EulerEditor => "m_EulerEditorCurves",
            Self::Events => "m_Events",
        }
    }
}

/// Place of a list of a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Section {
    /// Span from behind the colon of its name to its last item; `None` for an absent section.
    pub(super) whole: Option<Span>,
    pub(super) items: Vec<Item>,
}

/// Place of a curve or event.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Item {
    /// From its dash to behind its last value; `None` in a list in brackets, whose items have no separate
    /// lines.
    pub(super) whole: Option<Span>,
    /// Its values, in the order of [`values`](super::values); `None` for absent values.
    pub(super) values: Vec<Option<Span>>,
    pub(super) keys: KeySpans,
}

/// Places of the keys of a curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct KeySpans {
    /// From behind the colon of the list's name to its last key.
    pub(super) list: Span,
    /// Each key, from its dash to behind its last value; empty for a list in brackets.
    pub(super) each: Vec<Span>,
}
