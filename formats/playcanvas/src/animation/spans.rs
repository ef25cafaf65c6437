//! Spans of the values in the text, for the places of `check` and the replacements of `write`.

use super::document::Component;
use dopesheet_core::bytes::json::Span;

/// Receiver of the spans met by the reader. The reader of documents uses an empty receiver, at no cost.
pub(super) trait Record: Default {
    /// True if anything is recorded, so that exact starts are worth looking for.
    const ACTIVE: bool;
    /// Start of `nodes`; records of an earlier member of this name are void.
    fn begin_nodes(&mut self) {}
    /// A node begins.
    fn begin_node(&mut self) {}
    /// The last node was dropped.
    fn forget_node(&mut self) {}
    /// The member `defaults` or `default` of the last node begins.
    fn begin_defaults(&mut self, what: Seen) {
        let _ = what;
    }
    /// The member `keys` of the last node begins.
    fn begin_keys(&mut self) {}
    /// A key of the last node begins.
    fn begin_key(&mut self) {}
    /// The last key was dropped.
    fn forget_key(&mut self) {}
    /// A value was read. `elements` is the number of elements of an array, if it matters.
    fn see(&mut self, what: Seen, span: Span, elements: usize) {
        let _ = (what, span, elements);
    }
}

/// Kind of the value read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Animation,
    Version,
    Name,
    Duration,
    Nodes,
    Node,
    NodeName,
    Defaults,
    DefaultsValue(Component),
    Default,
    DefaultValue(Component),
    Keys,
    Key,
    Time,
    Value(Component),
    Quaternion,
}

impl Record for () {
    const ACTIVE: bool = false;
}

/// Spans of everything in an [`Animation`](super::Animation); nodes and keys in the same order.
#[derive(Debug, Default)]
pub(super) struct Spans {
    pub(super) animation: Span,
    pub(super) version: Option<Span>,
    pub(super) name: Option<Span>,
    pub(super) duration: Option<Span>,
    pub(super) nodes: Option<Span>,
    pub(super) node: Vec<NodeSpans>,
}

#[derive(Debug, Default)]
pub(super) struct NodeSpans {
    pub(super) object: Span,
    pub(super) name: Option<Span>,
    /// Boxed, because a file may consist of nodes without them.
    defaults: Option<Box<ComponentSpans>>,
    default: Option<Box<ComponentSpans>>,
    pub(super) keys: Option<Span>,
    pub(super) key: Vec<KeySpans>,
}

impl NodeSpans {
    pub(super) fn defaults(&self) -> &ComponentSpans {
        self.defaults.as_deref().unwrap_or(&ComponentSpans::NONE)
    }

    pub(super) fn default_singular(&self) -> &ComponentSpans {
        self.default.as_deref().unwrap_or(&ComponentSpans::NONE)
    }
}

/// The member `defaults` or `default`.
#[derive(Debug, Default)]
pub(super) struct ComponentSpans {
    pub(super) object: Option<Span>,
    values: [Option<ArraySpan>; 3],
}

impl ComponentSpans {
    const NONE: Self = Self { object: None, values: [None, None, None] };

    pub(super) fn value(&self, component: Component) -> Option<&ArraySpan> {
        self.values[component as usize].as_ref()
    }
}

#[derive(Debug, Default)]
pub(super) struct KeySpans {
    pub(super) object: Span,
    pub(super) time: Span,
    values: [Option<ArraySpan>; 3],
    quaternion: Option<ArraySpan>,
}

impl KeySpans {
    /// Span of the effective value of a component: `numbers` is the count of its numbers.
    pub(super) fn value(&self, component: Component, numbers: usize) -> Option<&ArraySpan> {
        match numbers {
            4 => self.quaternion.as_ref(),
            _ => self.values[component as usize].as_ref(),
        }
    }
}

/// An array and the number of its elements; 0 for other kinds of values (null, false).
#[derive(Clone, Debug, Default)]
pub(super) struct ArraySpan {
    pub(super) span: Span,
    pub(super) elements: usize,
}

impl Record for Spans {
    const ACTIVE: bool = true;

    fn begin_nodes(&mut self) {
        self.node.clear();
    }

    fn begin_node(&mut self) {
        self.node.push(NodeSpans::default());
    }

    fn forget_node(&mut self) {
        self.node.pop();
    }

    fn begin_defaults(&mut self, what: Seen) {
        if let Some(node) = self.node.last_mut() {
            match what {
                Seen::Default => node.default = None,
                _ => node.defaults = None,
            }
        }
    }

    fn begin_keys(&mut self) {
        if let Some(node) = self.node.last_mut() {
            node.key.clear();
        }
    }

    fn begin_key(&mut self) {
        if let Some(node) = self.node.last_mut() {
            node.key.push(KeySpans::default());
        }
    }

    fn forget_key(&mut self) {
        if let Some(node) = self.node.last_mut() {
            node.key.pop();
        }
    }

    fn see(&mut self, what: Seen, span: Span, elements: usize) {
        match what {
            Seen::Animation => self.animation = span,
            Seen::Version => self.version = Some(span),
            Seen::Name => self.name = Some(span),
            Seen::Duration => self.duration = Some(span),
            Seen::Nodes => self.nodes = Some(span),
            _ => {
                if let Some(node) = self.node.last_mut() {
                    node.see(what, span, elements);
                }
            }
        }
    }
}

impl NodeSpans {
    fn see(&mut self, what: Seen, span: Span, elements: usize) {
        match what {
            Seen::Node => self.object = span,
            Seen::NodeName => self.name = Some(span),
            Seen::Defaults => self.defaults.get_or_insert_default().object = Some(span),
            Seen::DefaultsValue(c) => {
                self.defaults.get_or_insert_default().values[c as usize] = Some(ArraySpan { span, elements });
            }
            Seen::Default => self.default.get_or_insert_default().object = Some(span),
            Seen::DefaultValue(c) => {
                self.default.get_or_insert_default().values[c as usize] = Some(ArraySpan { span, elements });
            }
            Seen::Keys => self.keys = Some(span),
            _ => {
                if let Some(key) = self.key.last_mut() {
                    key.see(what, span, elements);
                }
            }
        }
    }
}

impl KeySpans {
    fn see(&mut self, what: Seen, span: Span, elements: usize) {
        match what {
            Seen::Key => self.object = span,
            Seen::Time => self.time = span,
            Seen::Value(c) => self.values[c as usize] = Some(ArraySpan { span, elements }),
            Seen::Quaternion => self.quaternion = Some(ArraySpan { span, elements }),
            _ => {}
        }
    }
}
