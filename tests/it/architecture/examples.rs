//! Each public item of a library has an example: a code block in its documentation, which `cargo
//! test` runs, or a line of an example close by that uses it.
//!
//! Close by means for a method: the examples of its type and of its module. For a function: those of
//! its module. For a type, a trait or a constant: all examples of the crate. Lines that the
//! documentation hides (`# use …`) use nothing.

use std::{fs, path::Path};

use syn::{Attribute, Expr, ImplItem, Item, Lit, Meta, TraitItem, Type, Visibility};

use super::imports::rust_files;

/// The libraries.
const CRATES: [&str; 1] = ["domain"];

/// A public item.
#[derive(Debug)]
struct Public {
    file: String,
    /// The type or the trait that a method belongs to.
    of: Option<String>,
    name: String,
    is_function: bool,
    /// The visible lines of the examples in its documentation.
    examples: String,
}

impl Public {
    fn path(&self) -> String {
        let of = self.of.as_ref().map_or_else(String::new, |of| format!("{of}::"));
        format!("{}: {of}{}", self.file, self.name)
    }

    /// Whether the examples of another item count for this one.
    fn shares_examples_of(&self, other: &Self) -> bool {
        let belongs = |item: &Self| item.of.clone().unwrap_or_else(|| item.name.clone());
        match (&self.of, self.is_function) {
            (Some(of), true) => *of == belongs(other),
            (None, true) => self.file == other.file,
            (_, false) => true,
        }
    }
}

#[test]
fn each_public_item_has_an_example() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("crates");
    let mut missing = Vec::new();
    for name in CRATES {
        let src = crates.join(name).join("src");
        let (mut items, mut modules) = (Vec::new(), String::new());
        for path in rust_files(&src) {
            let file = path.strip_prefix(&src).unwrap().to_str().unwrap();
            let syntax = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
            modules += &examples(&syntax.attrs);
            read(&syntax.items, file, &mut items);
        }
        assert!(items.len() > 50, "{name} has public items");
        let has_example = |item: &&Public| {
            let shared = items.iter().filter(|other| item.shares_examples_of(other));
            !item.examples.is_empty()
                || uses(&modules, &item.name)
                || shared.into_iter().any(|other| uses(&other.examples, &item.name))
        };
        let without = items.iter().filter(|item| !has_example(item));
        missing.extend(without.map(|item| format!("{name}/src/{}", item.path())));
    }
    assert!(missing.is_empty(), "{} without an example:\n{}", missing.len(), missing.join("\n"));
}

/// Collects the public items among these, except for those that macros write.
fn read(items: &[Item], file: &str, into: &mut Vec<Public>) {
    let mut add = |of: Option<&str>, name: String, is_function, attributes: &[Attribute]| {
        let (file, of) = (file.to_owned(), of.map(str::to_owned));
        into.push(Public { file, of, name, is_function, examples: examples(attributes) });
    };
    for item in items {
        match item {
            Item::Fn(item) if is_public(&item.vis) => {
                add(None, item.sig.ident.to_string(), true, &item.attrs);
            }
            Item::Struct(item) if is_public(&item.vis) => {
                add(None, item.ident.to_string(), false, &item.attrs);
            }
            Item::Enum(item) if is_public(&item.vis) => {
                add(None, item.ident.to_string(), false, &item.attrs);
            }
            Item::Type(item) if is_public(&item.vis) => {
                add(None, item.ident.to_string(), false, &item.attrs);
            }
            Item::Const(item) if is_public(&item.vis) => {
                add(None, item.ident.to_string(), false, &item.attrs);
            }
            Item::Trait(item) if is_public(&item.vis) => {
                let of = item.ident.to_string();
                add(None, of.clone(), false, &item.attrs);
                for member in &item.items {
                    match member {
                        TraitItem::Fn(member) => {
                            add(Some(&of), member.sig.ident.to_string(), true, &member.attrs);
                        }
                        TraitItem::Const(member) => {
                            add(Some(&of), member.ident.to_string(), false, &member.attrs);
                        }
                        _ => {}
                    }
                }
            }
            Item::Impl(item) => {
                let Type::Path(path) = &*item.self_ty else { continue };
                let of = path.path.segments.last().unwrap().ident.to_string();
                for member in &item.items {
                    match member {
                        // The examples of `FromStr` and the like are examples of the type.
                        ImplItem::Fn(member) if item.trait_.is_some() => {
                            let shown = examples(&member.attrs);
                            if !shown.is_empty() {
                                add(Some(&of), of.clone(), true, &member.attrs);
                            }
                        }
                        ImplItem::Fn(member) if is_public(&member.vis) => {
                            add(Some(&of), member.sig.ident.to_string(), true, &member.attrs);
                        }
                        ImplItem::Const(member) if is_public(&member.vis) => {
                            add(Some(&of), member.ident.to_string(), false, &member.attrs);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The visible lines of the examples in the documentation.
fn examples(attributes: &[Attribute]) -> String {
    let (mut lines, mut inside) = (String::new(), None);
    for line in attributes.iter().filter_map(doc_line) {
        let line = line.trim();
        if let Some(language) = line.strip_prefix("```") {
            inside = if inside.is_some() { None } else { Some(matches!(language, "" | "rust")) };
        } else if inside == Some(true) && !line.starts_with("# ") {
            lines += line;
            lines.push('\n');
        }
    }
    lines
}

/// The text of a line of documentation.
fn doc_line(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(value) => match &value.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Whether a name is a word of an example.
fn uses(example: &str, name: &str) -> bool {
    let mut words = example.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == name)
}
