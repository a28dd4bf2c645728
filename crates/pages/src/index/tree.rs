//! The markup of nested lists.

/// The deepest level that is indented.
const MAX_DEPTH: usize = 6;

/// The tags around an entry of a nested list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Nesting {
    /// The tags between the entry before and this one.
    pub(super) before: String,
    /// The tags after the entry.
    pub(super) after: String,
}

/// The tags around the entries of a list, by the number of entries above each. A list that begins within a tree
/// keeps its indentation.
pub(super) fn nest(depths: &[usize]) -> Vec<Nesting> {
    let depth_of = |index: usize| depths.get(index).map(|depth| (*depth).min(MAX_DEPTH));
    let nested = |index| {
        let depth = depth_of(index).unwrap_or(0);
        let next = depth_of(index + 1).unwrap_or(0);
        let opened = match index.checked_sub(1).and_then(depth_of) {
            None => Levels::of(depth),
            Some(last) if last < depth => Levels {
                within_entry: true,
                ..Levels::of(depth - last)
            },
            Some(_) => Levels::of(0),
        };
        let after = match depth.checked_sub(next) {
            Some(levels) => format!("</li>\n{}", "</ul>\n</li>\n".repeat(levels)),
            None => String::new(),
        };
        Nesting {
            before: opened.tags(),
            after,
        }
    };
    (0..depths.len()).map(nested).collect()
}

/// Levels of a list that open.
struct Levels {
    number: usize,
    /// Whether the first one is within an entry.
    within_entry: bool,
}

impl Levels {
    fn of(number: usize) -> Self {
        Self {
            number,
            within_entry: false,
        }
    }

    fn tags(&self) -> String {
        let tags = "<li>\n<ul>\n".repeat(self.number);
        if self.within_entry {
            tags.replacen("<li>\n", "", 1)
        } else {
            tags
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tags of a list whose entries are `x`.
    fn list(depths: &[usize]) -> String {
        let entries = nest(depths).into_iter();
        let tags = entries.map(|one| format!("{}<li>x{}", one.before, one.after));
        tags.collect::<String>().replace('\n', "")
    }

    #[test]
    fn entries_are_nested() {
        for (depths, tags) in [
            (&[][..], ""),
            (&[0, 0], "<li>x</li><li>x</li>"),
            (&[0, 1, 0], "<li>x<ul><li>x</li></ul></li><li>x</li>"),
            (
                &[0, 1, 2],
                "<li>x<ul><li>x<ul><li>x</li></ul></li></ul></li>",
            ),
            (&[1, 0], "<li><ul><li>x</li></ul></li><li>x</li>"),
            (&[0, 2], "<li>x<ul><li><ul><li>x</li></ul></li></ul></li>"),
        ] {
            assert_eq!(list(depths), tags, "{depths:?}");
        }
    }

    #[test]
    fn deep_entries_stay_on_the_page() {
        assert_eq!(list(&[9, 10]), list(&[MAX_DEPTH, MAX_DEPTH]));
    }
}
