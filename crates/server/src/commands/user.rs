//! `user`: adds and changes users.

use app::auth::Accounts;
use domain::{Stored, User};

use crate::{cli::UserCommand, output, settings::Settings, wiring};

/// Runs a command about users. Returns the text to print.
///
/// # Errors
///
/// If the user does not exist, if the name is taken or invalid, or if the database fails.
pub(crate) async fn run(settings: &Settings, command: UserCommand) -> anyhow::Result<String> {
    if !matches!(command, UserCommand::Add { .. }) {
        wiring::require_database(settings)?;
    }
    let done = wiring::with_migrated_store(settings, async |store| {
        execute(&wiring::accounts(store), command).await
    });
    done.await
}

async fn execute(accounts: &Accounts, command: UserCommand) -> anyhow::Result<String> {
    Ok(match command {
        UserCommand::Add { name, role, email } => {
            let user = accounts.add_user(&name, role, email.as_deref()).await?;
            format!(
                "{} is user {} now, with the role {role}\n",
                user.name, user.id
            )
        }
        UserCommand::List => table(&accounts.users().await?),
        UserCommand::SetRole { name, role } => {
            accounts.set_role(&name, role).await?;
            format!("{name} has the role {role} now\n")
        }
        UserCommand::SetEmail { name, email } => {
            let email = (email != "none").then_some(email);
            accounts.set_email(&name, email.as_deref()).await?;
            match email {
                Some(email) => format!("{name} has the e-mail address {email} now\n"),
                None => format!("{name} has no e-mail address now\n"),
            }
        }
        UserCommand::Remove { name } => {
            accounts.remove_user(&name).await?;
            format!("{name} is removed\n")
        }
        UserCommand::Disable { name } => {
            accounts.set_disabled(&name, true).await?;
            format!("{name} cannot log in any more\n")
        }
        UserCommand::Enable { name } => {
            accounts.set_disabled(&name, false).await?;
            format!("{name} can log in again\n")
        }
    })
}

fn table(users: &[Stored<User>]) -> String {
    let rows = users.iter().map(|user| {
        let state = if user.disabled { "disabled" } else { "active" };
        let email = user.email.as_ref();
        [
            user.id.to_string(),
            user.name.to_string(),
            user.role.to_string(),
            state.to_owned(),
            email.map_or_else(String::new, ToString::to_string),
        ]
    });
    output::table(["ID", "NAME", "ROLE", "STATE", "E-MAIL"], rows.collect())
}

#[cfg(test)]
mod tests {
    use domain::{Role, UserId};

    use super::*;

    #[test]
    fn users_in_a_table() {
        let user = |id, name: &str, disabled: bool| Stored {
            id: UserId::from_raw(id),
            revision: 1,
            content: User {
                name: name.parse().unwrap(),
                email: disabled.then(|| format!("{name}@example.org").parse().unwrap()),
                role: Role::Editor,
                disabled,
            },
        };
        assert_eq!(
            table(&[user(1, "admin", false), user(2, "ann", true)]),
            "ID  NAME   ROLE    STATE     E-MAIL\n\
             1   admin  editor  active\n\
             2   ann    editor  disabled  ann@example.org\n"
        );
    }
}
