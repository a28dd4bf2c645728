//! Man pages and completions, made from the command line.

use std::{io, path::PathBuf};

use clap::Command;
use clap_complete::{
    Generator, generate,
    shells::{Bash, Fish, Zsh},
};
use clap_mangen::Man;

use super::{Cli, reading::with_own_flags_alone};

/// The name of the program.
const PROGRAM: &str = "events-calendar";

/// Man pages and completions, each with its path below a folder such as `/usr`. The page of the program has the settings;
/// the page of a command has its own flags.
///
/// # Errors
///
/// Never in practice: they are written into memory.
pub(crate) fn manual() -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut files = Vec::new();
    let definition = Cli::definition().disable_help_subcommand(true);
    let mut whole = definition.clone();
    whole.build();
    page(whole, &mut files)?;
    let mut commands = with_own_flags_alone(definition.clone());
    commands.build();
    pages_of_commands(&commands, &mut files)?;
    let folder = PathBuf::from("share");
    for (path, content) in [
        (
            folder.join("bash-completion/completions/events-calendar"),
            completions(Bash, &definition),
        ),
        (
            folder.join("zsh/vendor-completions/_events-calendar"),
            completions(Zsh, &definition),
        ),
        (
            folder.join("fish/vendor_completions.d/events-calendar.fish"),
            completions(Fish, &definition),
        ),
    ] {
        files.push((path, content));
    }
    Ok(files)
}

/// Adds the pages of the commands below a command.
fn pages_of_commands(command: &Command, files: &mut Vec<(PathBuf, Vec<u8>)>) -> io::Result<()> {
    for below in command.get_subcommands().filter(|one| !one.is_hide_set()) {
        page(below.clone(), files)?;
        pages_of_commands(below, files)?;
    }
    Ok(())
}

/// Adds the page of a command that is built.
fn page(command: Command, files: &mut Vec<(PathBuf, Vec<u8>)>) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or(PROGRAM).to_owned();
    let mut text = Vec::new();
    let title = name.to_uppercase();
    let page = Man::new(
        command
            .name(name.clone())
            .version(env!("CARGO_PKG_VERSION")),
    )
    .title(title)
    .source(concat!("events-calendar ", env!("CARGO_PKG_VERSION")))
    .manual("Events calendar");
    page.render(&mut text)?;
    files.push((PathBuf::from(format!("share/man/man1/{name}.1")), text));
    Ok(())
}

fn completions(shell: impl Generator, definition: &Command) -> Vec<u8> {
    let mut text = Vec::new();
    generate(shell, &mut definition.clone(), PROGRAM, &mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_has_a_page_with_its_flags() {
        let files = manual().unwrap();
        let text = |path: &str| {
            let found = files.iter().find(|(one, _)| one.as_os_str() == path);
            let (_, content) = found.unwrap_or_else(|| panic!("no {path}"));
            String::from_utf8(content.clone()).unwrap()
        };
        let program = text("share/man/man1/events-calendar.1");
        for part in [
            r"\-\-database\-url",
            "EVENTS_CALENDAR_LISTEN",
            "events\\-calendar\\-serve(1)",
        ] {
            assert!(program.contains(part), "{part} in {program}");
        }
        let backup = text("share/man/man1/events-calendar-backup.1");
        assert!(backup.contains(r"\-\-force"), "{backup}");
        assert!(!backup.contains(r"\-\-database\-url"), "{backup}");
        text("share/man/man1/events-calendar-user-set-role.1");
        for shell in [
            "share/bash-completion/completions/events-calendar",
            "share/zsh/vendor-completions/_events-calendar",
            "share/fish/vendor_completions.d/events-calendar.fish",
        ] {
            assert!(text(shell).contains("no-migrate"), "{shell}");
        }
        let hidden = |path: &PathBuf| path.to_string_lossy().contains("calendar-manual");
        assert!(!files.iter().any(|(path, _)| hidden(path)));
    }
}
