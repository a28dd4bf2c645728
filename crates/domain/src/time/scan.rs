//! A scanner of text.

/// The unread rest of a text. Each method reads a part from its front.
///
/// A copy marks a position to return to. Letters must be in lower case.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scan<'a> {
    rest: &'a str,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    pub(super) fn is_done(self) -> bool {
        self.rest.is_empty()
    }

    /// Reads `expected` if it comes next, and returns whether it did.
    pub(super) fn eat(&mut self, expected: char) -> bool {
        match self.rest.strip_prefix(expected) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Reads blanks, and returns whether there were any.
    pub(super) fn blanks(&mut self) -> bool {
        !self.take_while(|c| c == ' ' || c == '\t').is_empty()
    }

    /// Reads all digits that come next, possibly none.
    pub(super) fn digits(&mut self) -> &'a str {
        self.take_while(|c| c.is_ascii_digit())
    }

    /// Reads all ASCII letters that come next, possibly none.
    pub(super) fn word(&mut self) -> &'a str {
        self.take_while(|c| c.is_ascii_alphabetic())
    }

    /// Reads a number of one or two digits.
    pub(super) fn short_number(&mut self) -> Option<u32> {
        let digits = self.digits();
        if digits.len() > 2 {
            return None;
        }
        digits.parse().ok()
    }

    /// Reads a number of exactly two digits.
    pub(super) fn two_digits(&mut self) -> Option<u32> {
        let digits = self.digits();
        if digits.len() != 2 {
            return None;
        }
        digits.parse().ok()
    }

    /// Reads a plus (+1) or a minus (-1).
    pub(super) fn sign(&mut self) -> Option<i32> {
        if self.eat('+') {
            Some(1)
        } else {
            self.eat('-').then_some(-1)
        }
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_off_the_front() {
        let mut scan = Scan::new("+12ab  é");
        assert_eq!(scan.sign(), Some(1));
        assert_eq!(scan.two_digits(), Some(12));
        assert_eq!(scan.digits(), "");
        assert_eq!(scan.word(), "ab");
        assert!(scan.blanks() && !scan.blanks());
        assert_eq!(scan.word(), "");
        assert!(!scan.is_done());
        assert!(scan.eat('é') && scan.is_done());
    }

    #[test]
    fn numbers_have_the_digits_asked_for() {
        assert_eq!(Scan::new("7").short_number(), Some(7));
        assert_eq!(Scan::new("123").short_number(), None);
        assert_eq!(Scan::new("").short_number(), None);
        assert_eq!(Scan::new("7").two_digits(), None);
        assert_eq!(Scan::new("-").sign(), Some(-1));
        assert_eq!(Scan::new("7").sign(), None);
    }
}
