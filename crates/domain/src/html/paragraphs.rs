//! Paragraphs and line breaks in filtered HTML.

use super::token::{Token, decode, is_block, is_void, tokens};

/// Arranges filtered HTML: paragraphs at the top level and in containers with blank lines, `<br />`
/// for line ends. Empty if nothing is visible.
pub(super) fn arrange(html: &str) -> String {
    let tokens = tokens(html);
    if !is_visible(&tokens) {
        return String::new();
    }
    let blocks = blocks(&tokens);
    let mut writer = Writer {
        out: String::with_capacity(html.len() + html.len() / 8),
        open: Vec::new(),
    };
    let mut at = 0;
    while at < tokens.len() {
        let run = (at..tokens.len())
            .find(|&next| blocks[next])
            .unwrap_or(tokens.len());
        if run > at {
            writer.run(&tokens[at..run]);
            at = run;
            continue;
        }
        if let Token::Tag { raw, name, closing } = tokens[at] {
            let end = (at + 1..tokens.len())
                .find(|&next| blocks[next])
                .unwrap_or(at);
            if name == "p"
                && !closing
                && matches!(
                    tokens[end],
                    Token::Tag {
                        name: "p",
                        closing: true,
                        ..
                    }
                )
            {
                writer.paragraphs(raw, &tokens[at + 1..end]);
                at = end;
            } else {
                writer.block(raw, name, closing);
            }
        }
        at += 1;
    }
    writer.out
}

/// Filtered HTML with its lines unchanged. Empty if nothing is visible.
#[cfg(feature = "html")]
pub(super) fn keep(html: &str) -> String {
    let tokens = tokens(html);
    if !is_visible(&tokens) {
        return String::new();
    }
    let mut out = String::with_capacity(html.len());
    let mut in_fresh_pre = false;
    for token in tokens {
        match token {
            Token::Text(text) => {
                // A parser skips the first line end in a `pre`: double it.
                if in_fresh_pre && text.starts_with('\n') {
                    out.push('\n');
                }
                out.push_str(text);
            }
            Token::Tag { raw, name, .. } => push_tag(&mut out, raw, name),
        }
        in_fresh_pre = matches!(
            token,
            Token::Tag {
                name: "pre",
                closing: false,
                ..
            }
        );
    }
    out
}

/// Whether there is a text, an image or a rule.
fn is_visible(tokens: &[Token<'_>]) -> bool {
    tokens.iter().any(|token| match token {
        Token::Text(text) => !decode(text).trim().is_empty(),
        Token::Tag { name, .. } => matches!(*name, "img" | "hr"),
    })
}

/// Writes the tag of an inline element. A link that opens a window denies that window access to
/// this one.
fn push_tag(out: &mut String, raw: &str, name: &str) {
    match raw.strip_suffix('>') {
        Some(open) if name == "br" => {
            out.push_str(open.trim_end_matches([' ', '/']));
            out.push_str(" />");
        }
        Some(open) if name == "a" && raw.contains(" target=\"") && !raw.contains(" rel=\"") => {
            out.push_str(open);
            out.push_str(" rel=\"noopener\">");
        }
        _ => out.push_str(raw),
    }
}

/// For each token, whether it is the tag of a block, or of an inline element around a block.
fn blocks(tokens: &[Token<'_>]) -> Vec<bool> {
    let mut blocks = vec![false; tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Tag { name, closing, .. } = *token else {
            continue;
        };
        if closing {
            blocks[at] = open.pop().is_some_and(|opening| blocks[opening]);
            continue;
        }
        if is_block(name) {
            blocks[at] = true;
            for &around in open.iter().rev() {
                if blocks[around] {
                    break;
                }
                blocks[around] = true;
            }
        }
        if !is_void(name) {
            open.push(at);
        }
    }
    blocks
}

/// The treatment of the text directly in a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Blank lines separate paragraphs; line ends become breaks.
    Flow,
    /// Line ends become breaks.
    Line,
    /// The text stays unchanged.
    Verbatim,
}

fn content(name: &str) -> Content {
    match name {
        "article" | "aside" | "blockquote" | "center" | "dd" | "details" | "div" | "footer"
        | "header" | "li" | "main" | "nav" | "section" | "td" | "th" => Content::Flow,
        "colgroup" | "dl" | "ol" | "pre" | "table" | "tbody" | "tfoot" | "thead" | "tr" | "ul" => {
            Content::Verbatim
        }
        _ => Content::Line,
    }
}

/// The output so far.
struct Writer {
    out: String,
    /// The open blocks: the treatment of their text, and whether they are within a `pre`.
    open: Vec<(Content, bool)>,
}

impl Writer {
    /// Writes the tag of a block.
    fn block(&mut self, raw: &str, name: &str, closing: bool) {
        if !closing {
            self.separate();
        }
        self.out.push_str(raw);
        let preformatted = self
            .open
            .last()
            .is_some_and(|&(_, preformatted)| preformatted)
            || name == "pre";
        if closing {
            self.open.pop();
        } else if !is_void(name) {
            self.open.push((content(name), preformatted));
        }
    }

    /// Starts a new line at the top level.
    fn separate(&mut self) {
        if self.open.is_empty() && !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    /// Writes the paragraphs of `run`, each after `opening`.
    fn paragraphs(&mut self, opening: &str, run: &[Token<'_>]) {
        let preformatted = self
            .open
            .last()
            .is_some_and(|&(_, preformatted)| preformatted);
        let top = self.open.is_empty();
        for (index, paragraph) in split(run).iter().enumerate() {
            if top {
                self.separate();
            } else if index > 0 {
                self.out.push('\n');
            }
            self.out.push_str(opening);
            if preformatted {
                self.out.push_str(paragraph);
            } else {
                self.lines(paragraph);
            }
            self.out.push_str("</p>");
        }
    }

    /// Writes inline content directly in the open block, or at the top level.
    fn run(&mut self, run: &[Token<'_>]) {
        let Some(&(content, preformatted)) = self.open.last() else {
            return self.paragraphs("<p>", run);
        };
        let text: String = run.iter().map(raw).collect();
        if preformatted || content == Content::Verbatim {
            // A parser skips the first line end in a `pre`: double it.
            if preformatted
                && text.starts_with('\n')
                && self.out.ends_with('>')
                && self.in_fresh_pre()
            {
                self.out.push('\n');
            }
            self.out.push_str(&text);
        } else if content == Content::Flow && split(run).len() > 1 {
            self.paragraphs("<p>", run);
        } else {
            let start = text.len() - text.trim_ascii_start().len();
            let end = text.trim_ascii_end().len().max(start);
            self.out.push_str(&text[..start]);
            self.lines(&text[start..end]);
            self.out.push_str(&text[end..]);
        }
    }

    /// Whether the last thing written is the opening tag of a `pre`.
    fn in_fresh_pre(&self) -> bool {
        self.out.rfind('<').is_some_and(|start| {
            self.out[start + 1..]
                .strip_prefix("pre")
                .is_some_and(|rest| rest.starts_with([' ', '>']))
        })
    }

    /// Writes inline content with `<br />` at each line end that has none.
    fn lines(&mut self, html: &str) {
        let mut after_break = false;
        for token in tokens(html) {
            match token {
                Token::Tag { raw, name, .. } => {
                    after_break = name == "br";
                    push_tag(&mut self.out, raw, name);
                }
                Token::Text(text) => {
                    for (index, line) in text.split('\n').enumerate() {
                        if index > 0 {
                            self.out
                                .truncate(self.out.trim_end_matches([' ', '\t']).len());
                            self.out
                                .push_str(if after_break { "\n" } else { "<br />\n" });
                            after_break = false;
                        }
                        after_break &= line.trim_ascii().is_empty();
                        self.out.push_str(line);
                    }
                }
            }
        }
    }
}

/// The source text of a token.
fn raw<'a>(token: &Token<'a>) -> &'a str {
    match *token {
        Token::Text(raw) | Token::Tag { raw, .. } => raw,
    }
}

/// Splits inline content at the blank lines outside of its elements; blank parts are left out.
fn split(run: &[Token<'_>]) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0_usize;
    for token in run {
        match *token {
            Token::Text(text) if depth == 0 => {
                let last = text.matches('\n').count();
                for (index, line) in text.split('\n').enumerate() {
                    let inner = index > 0 && index < last;
                    if inner && line.trim_ascii().is_empty() {
                        parts.push(String::new());
                    } else if let Some(part) = parts.last_mut() {
                        if index > 0 {
                            part.push('\n');
                        }
                        part.push_str(line);
                    }
                }
            }
            token => {
                if let Token::Tag { name, closing, .. } = token {
                    if closing {
                        depth = depth.saturating_sub(1);
                    } else if !is_void(name) {
                        depth += 1;
                    }
                }
                if let Some(part) = parts.last_mut() {
                    part.push_str(raw(&token));
                }
            }
        }
    }
    let trimmed = parts.iter().map(|part| part.trim_ascii().to_owned());
    trimmed.filter(|part| !part.is_empty()).collect()
}
