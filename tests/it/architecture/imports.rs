//! The modules of a crate, and which of them each one imports.
//!
//! The source is read as text. Every path that begins with `crate::` or `super::` counts, in `use`
//! and elsewhere, and is followed through re-exports (`pub use`) to the module that defines the
//! item. Unit tests do not count.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// A module: the names on its path from the root of the crate. The root has an empty path.
type Module = Vec<String>;

/// The modules of one crate.
pub(super) struct Crate {
    sources: BTreeMap<Module, String>,
    /// The source module of each re-exported name.
    exports: BTreeMap<Module, BTreeMap<String, Module>>,
}

impl Crate {
    /// Reads all files below a folder `src`.
    pub(super) fn read(src: &Path) -> Self {
        let mut sources = BTreeMap::new();
        for file in rust_files(src) {
            let text = fs::read_to_string(&file).expect("a source is UTF-8");
            let module = module_of(file.strip_prefix(src).unwrap());
            if module.iter().all(|name| name != "tests") {
                sources.insert(module, code_of(&text));
            }
        }
        let mut read = Self { sources, exports: BTreeMap::new() };
        for (module, text) in &read.sources {
            let mut names = BTreeMap::new();
            for part in text.split("pub use ").skip(1).chain(text.split("pub(crate) use ").skip(1))
            {
                for path in paths(part) {
                    let (target, rest) = read.locate(module, &path);
                    if target.len() > module.len() && !rest.is_empty() {
                        names.insert(rest[rest.len() - 1].clone(), target);
                    }
                }
            }
            read.exports.insert(module.clone(), names);
        }
        read
    }

    /// Each module with the modules whose items it names.
    pub(super) fn imports(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let imports_of = |module: &Module| {
            let text = &self.sources[module];
            let starts = ["crate::", "super::"].iter().flat_map(|start| text.match_indices(start));
            let starts = starts
                .filter(|(at, _)| !text[..*at].ends_with("super::") && !text[..*at].ends_with('$'));
            let paths = starts.flat_map(|(at, _)| paths(&text[at..]));
            paths.map(|path| self.defining(module, &path)).filter(|found| found != module).collect()
        };
        self.sources.keys().map(|module| (module, imports_of(module))).collect()
    }

    /// The module that defines the item of a path.
    fn defining(&self, from: &Module, path: &[String]) -> Module {
        let (mut module, mut rest) = self.locate(from, path);
        while let Some(next) = rest.first().and_then(|name| self.exports.get(&module)?.get(name)) {
            module.clone_from(next);
            rest.truncate(1);
        }
        module
    }

    /// The module that a path leads to, and the rest of the path, which names an item in that
    /// module.
    fn locate(&self, from: &Module, path: &[String]) -> (Module, Vec<String>) {
        let mut module = from.clone();
        let mut rest = path;
        while let Some((first, others)) = rest.split_first() {
            match &**first {
                "crate" => module.clear(),
                "self" => {}
                "super" => drop(module.pop()),
                name => {
                    module.push(name.to_owned());
                    if !self.sources.contains_key(&module) {
                        module.pop();
                        break;
                    }
                }
            }
            rest = others;
        }
        (module, rest.to_vec())
    }
}

/// All Rust files below a folder.
pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() {
            files.append(&mut rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

fn module_of(file: &Path) -> Module {
    let names = file.with_extension("");
    let mut module: Module = names.iter().map(|name| name.to_str().unwrap().to_owned()).collect();
    module.pop_if(|last| ["mod", "lib", "main"].contains(&&**last));
    module
}

/// A source without its comments and without the unit tests at its end.
pub(super) fn code_of(text: &str) -> String {
    let code = text.split("\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The paths of a use tree, or of one path, at the beginning of a text.
fn paths(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    tree(text, &[], &mut found);
    found
}

/// Reads one tree and returns what follows it.
fn tree<'a>(text: &'a str, prefix: &[String], found: &mut Vec<Vec<String>>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = tree(rest, prefix, found).trim_start();
            match rest.strip_prefix(',') {
                Some(next) if !next.trim_start().starts_with('}') => rest = next,
                Some(next) => return next.trim_start().strip_prefix('}').unwrap_or_default(),
                None => return rest.strip_prefix('}').unwrap_or_default(),
            }
        }
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let mut path = prefix.to_vec();
    if !name.is_empty() && (name != "self" || path.is_empty()) {
        path.push(name.to_owned());
    }
    if let Some(rest) = rest.strip_prefix("::") {
        return tree(rest, &path, found);
    }
    found.push(path);
    let alias = rest.trim_start().strip_prefix("as ").map(str::trim_start);
    alias.map_or(rest, |alias| alias.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_'))
}
