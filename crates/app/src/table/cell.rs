//! The texts of cells.

/// The mark before a text that a spreadsheet would take for a formula.
const GUARD: char = '\'';

/// Whether a spreadsheet may take a text for a formula, or for a guarded text.
fn is_formula(text: &str) -> bool {
    text.starts_with([
        '=', '+', '-', '@', GUARD, '\t', '\r', '\n', '＝', '＋', '－', '＠',
    ])
}

/// The text of a cell, which no spreadsheet takes for a formula.
pub(super) fn guarded(text: String) -> String {
    if is_formula(&text) {
        format!("{GUARD}{text}")
    } else {
        text
    }
}

/// The text of a cell, without the mark that guards it.
pub(crate) fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix(GUARD) {
        Some(text) if is_formula(text) => text,
        _ => cell,
    }
}

/// Texts in one cell, separated by commas. `instead` stands for a text that has a comma itself.
pub(super) fn listed(texts: impl Iterator<Item = (String, Option<String>)>) -> String {
    let texts = texts.map(|(text, instead)| match instead {
        Some(instead) if text.contains(',') => instead,
        _ => text,
    });
    texts.collect::<Vec<_>>().join(",")
}

/// The word for a flag.
pub(super) fn flag(value: bool) -> String {
    if value { "TRUE" } else { "FALSE" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_guarded() {
        for text in [
            "=1+1", "+33 1", "-x", "@x", "'x", "\tx", "\rx", "\nx", "＝x", "＋x", "－x", "＠x",
        ] {
            let cell = guarded(text.to_owned());
            assert_eq!((&*cell, unguarded(&cell)), (&*format!("'{text}"), text));
        }
        for text in ["", "x=1", "1", " =1", "–"] {
            assert_eq!((&*guarded(text.to_owned()), unguarded(text)), (text, text));
        }
    }

    #[test]
    fn a_text_with_a_comma_has_another_name() {
        let named =
            |text: &str, instead: Option<&str>| (text.to_owned(), instead.map(str::to_owned));
        let texts = [
            named("Jazz", Some("jazz")),
            named("Rock, Pop", Some("rock-pop")),
            named("a,b", None),
        ];
        assert_eq!(listed(texts.into_iter()), "Jazz,rock-pop,a,b");
        assert_eq!(listed([].into_iter()), "");
    }
}
