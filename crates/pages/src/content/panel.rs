//! The form that finds events, with what it found.

use super::Link;

/// The form of a list or a view, and its active filters.
#[derive(Debug, Default)]
pub(crate) struct Panel {
    /// The URL to which the form goes.
    pub(crate) action: String,
    /// The URL of the list, to which quick ranges of dates go.
    pub(crate) list: String,
    pub(crate) search: Input,
    pub(crate) selects: Vec<Select>,
    pub(crate) dates: Vec<Input>,
    /// Quick ranges of dates: the value of each with its text.
    pub(crate) ranges: Vec<(&'static str, &'static str)>,
    /// The active filters.
    pub(crate) chips: Vec<Chip>,
    /// The number of events; none if the filters cannot be used.
    pub(crate) count: Option<String>,
    /// The URL without filters, if there are some.
    pub(crate) clear: Option<String>,
    /// Whether there are filters, but no events.
    pub(crate) is_too_narrow: bool,
    /// The ways to more events, if there are none.
    pub(crate) widenings: Vec<Widening>,
    /// The active filters in words.
    pub(crate) names: Vec<String>,
    /// The title of the page without filters.
    pub(crate) base: String,
}

impl Panel {
    /// The title of a list or a view with its filters, which its heading names, too.
    pub(crate) fn titled(self, base: impl Into<String>) -> (String, Self) {
        let base = base.into();
        let mut parts = self.names.clone();
        parts.push(base.clone());
        (parts.join(" · "), Self { base, ..self })
    }

    /// Whether the form is open on its own: a value needs a correction.
    pub(crate) fn is_open(&self) -> bool {
        let mut inputs = self.dates.iter();
        let mut selects = self.selects.iter();
        inputs.any(|one| one.fault.is_some()) || selects.any(|one| one.fault.is_some())
    }
}

/// A field of the form.
#[derive(Debug, Default)]
pub(crate) struct Input {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) value: String,
    /// The message for a bad value.
    pub(crate) fault: Option<String>,
}

/// A field with choices, of which the first one stands for all.
#[derive(Debug)]
pub(crate) struct Select {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) options: Vec<SelectOption>,
    /// The message for a bad value.
    pub(crate) fault: Option<String>,
}

/// A choice of a field.
#[derive(Clone, Debug)]
pub(crate) struct SelectOption {
    pub(crate) value: String,
    pub(crate) text: String,
    /// The number of choices above it in their tree.
    pub(crate) depth: usize,
    /// The number of events of the list to which the choice leads, if it is known.
    pub(crate) count: Option<u64>,
    pub(crate) is_selected: bool,
}

impl SelectOption {
    /// The blanks before the text of a choice in a tree.
    pub(crate) fn indent(&self) -> String {
        "\u{2003}".repeat(self.depth)
    }
}

/// A way from an empty list to one that may have events.
#[derive(Debug)]
pub(crate) struct Widening {
    pub(crate) text: &'static str,
    /// The label of the filter that it drops; empty if it drops none, or dates.
    pub(crate) label: &'static str,
    /// The text of its values.
    pub(crate) value: String,
    pub(crate) url: String,
    /// The number of events, if it was counted.
    pub(crate) count: Option<u64>,
    /// Whether search engines follow the link.
    pub(crate) is_followed: bool,
}

/// An active filter.
#[derive(Debug)]
pub(crate) struct Chip {
    pub(crate) label: &'static str,
    /// Its value, with the URL without it.
    pub(crate) link: Link,
    /// Whether search engines follow the link.
    pub(crate) is_followed: bool,
}
