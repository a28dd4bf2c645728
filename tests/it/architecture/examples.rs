//! Each public item of a library has an example: a code block in its documentation, which `cargo
//! test` runs, or a line of an example close by that uses it. A method has one where its use is not
//! evident, which no test decides.
//!
//! Close by means for a function: the examples of its file and module. For a type, a trait or a
//! constant: also those of the items beside it, in the same folder of `src`. Lines that the
//! documentation hides (`# use …`) use nothing.
//!
//! An item counts as public if other crates can name it: its modules are public, or a `pub use` names
//! it.

use std::{collections::BTreeSet, fs, path::Path};

use syn::{Attribute, Expr, ImplItem, Item, Lit, Meta, TraitItem, Type, UseTree, Visibility};

use super::imports::rust_files;

/// The libraries.
const CRATES: [&str; 2] = ["domain", "app"];

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
    fn is_method(&self) -> bool {
        self.of.is_some() && self.is_function
    }

    fn path(&self) -> String {
        let of = self.of.as_ref().map_or_else(String::new, |of| format!("{of}::"));
        format!("{}: {of}{}", self.file, self.name)
    }

    /// The name of the item itself, or of the type or trait that it belongs to.
    fn top(&self) -> &str {
        self.of.as_ref().unwrap_or(&self.name)
    }

    /// Whether the examples of another item count for this one.
    fn shares_examples_of(&self, other: &Self) -> bool {
        let folder = |item: &Self| item.file.split(['/', '.']).next().map(str::to_owned);
        match (&self.of, self.is_function) {
            (Some(of), true) => of == other.top() || self.file == other.file,
            (None, true) => self.file == other.file,
            (_, false) => self.file == "lib.rs" || folder(self) == folder(other),
        }
    }

    /// Whether the item is in the module that a file documents, or below it. The front page of the
    /// crate stands for itself alone.
    fn is_in(&self, module: &str) -> bool {
        let folder = module.strip_suffix("mod.rs").filter(|folder| !folder.is_empty());
        self.file == module || folder.is_some_and(|folder| self.file.starts_with(folder))
    }
}

/// The public items of a crate, and the examples of its modules.
#[derive(Debug, Default)]
struct Library {
    items: Vec<Public>,
    /// The examples of each module, with its file.
    modules: Vec<(String, String)>,
}

impl Library {
    fn read(src: &Path) -> Self {
        let (mut library, mut private) = (Self::default(), BTreeSet::new());
        let mut exported = BTreeSet::new();
        for path in rust_files(src) {
            let file = path.strip_prefix(src).unwrap().to_str().unwrap();
            let syntax = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
            library.modules.push((file.to_owned(), examples(&syntax.attrs)));
            read(&syntax.items, file, &mut library.items);
            let folder = file.strip_suffix("mod.rs").or(file.strip_suffix("lib.rs"));
            let folder = folder.map_or_else(|| file.replace(".rs", "/"), str::to_owned);
            for item in &syntax.items {
                match item {
                    Item::Use(item) if is_public(&item.vis) => names(&item.tree, &mut exported),
                    Item::Mod(item) if !is_public(&item.vis) => {
                        private.insert(format!("{folder}{}", item.ident));
                    }
                    _ => {}
                }
            }
        }
        let is_hidden = |file: &str| {
            let module = file.trim_end_matches(".rs").trim_end_matches("/mod");
            private.iter().any(|private| {
                module
                    .strip_prefix(&**private)
                    .is_some_and(|below| below.is_empty() || below.starts_with('/'))
            })
        };
        // Nobody reads the documentation of a private module.
        library.modules.retain(|(file, _)| !is_hidden(file));
        let tops = library.items.iter().filter(|item| item.of.is_none());
        let tops = tops.filter(|item| exported.contains(&item.name) || !is_hidden(&item.file));
        let tops: BTreeSet<_> = tops.map(|item| item.name.clone()).collect();
        library.items.retain(|item| {
            let is_named =
                item.of.is_some() || exported.contains(&item.name) || !is_hidden(&item.file);
            is_named && tops.contains(item.top())
        });
        library
    }

    fn has_example(&self, item: &Public) -> bool {
        let shared = self.items.iter().filter(|other| item.shares_examples_of(other));
        let modules = self.modules.iter().filter(|(file, _)| item.is_in(file));
        let modules = modules.map(|(_, examples)| examples);
        let mut close_by = shared.map(|other| &other.examples).chain(modules);
        !item.examples.is_empty() || close_by.any(|examples| uses(examples, &item.name))
    }
}

/// The names that a `pub use` exports.
fn names(tree: &UseTree, into: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => names(&path.tree, into),
        UseTree::Group(group) => group.items.iter().for_each(|tree| names(tree, into)),
        UseTree::Name(name) => drop(into.insert(name.ident.to_string())),
        UseTree::Rename(_) | UseTree::Glob(_) => panic!("an item is exported under its own name"),
    }
}

#[test]
fn each_public_item_has_an_example() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("crates");
    let mut missing = Vec::new();
    for name in CRATES {
        let library = Library::read(&crates.join(name).join("src"));
        assert!(library.items.len() > 50, "{name} has public items");
        let items = library.items.iter().filter(|item| !item.is_method());
        let without = items.filter(|item| !library.has_example(item));
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
