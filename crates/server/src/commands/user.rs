//! `user`: adds and changes users.

use app::{
    auth::{AccountError, Accounts},
    sign_in::INVITATION_SECONDS,
};
use domain::{Stored, User};

use super::serve::invitation_url;
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
        execute(settings, &wiring::accounts(store), command).await
    });
    done.await
}

async fn execute(
    settings: &Settings,
    accounts: &Accounts,
    command: UserCommand,
) -> anyhow::Result<String> {
    Ok(match command {
        UserCommand::Add { name, role, email } => {
            let user = accounts.add_user(&name, role, email.as_deref()).await?;
            format!(
                "{} is user {} now, with the role {role}\n",
                user.name, user.id
            )
        }
        UserCommand::Invite { name } => {
            let user = accounts.user(&name).await?;
            if user.is_reserved() {
                return Err(AccountError::Reserved(name).into());
            }
            let sign_in = accounts.sign_in();
            let invitation = sign_in.invite(&user, INVITATION_SECONDS).await?;
            let url = settings.public_url(settings.listen.port());
            let url = invitation_url(&url, &invitation);
            let expires = invitation.expires;
            format!("{url}\n\nIt is shown only now, and valid once, until {expires} UTC.\n")
        }
        UserCommand::EndSecondFactor { name } => {
            let user = accounts.user(&name).await?;
            let is_ended = accounts.sign_in().remove_second_factor(user.id).await?;
            anyhow::ensure!(is_ended, "{name} has no second factor");
            format!("{name} signs in with the password alone now\n")
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
        UserCommand::Rename { name, new_name } => {
            accounts.rename_user(&name, &new_name).await?;
            format!("{name} has the name {new_name} now\n")
        }
        UserCommand::Remove {
            name,
            give_to: Some(successor),
        } => {
            let given = accounts.replace_user(&name, &successor).await?;
            format!("{name} is removed; records that belong to {successor} now: {given}\n")
        }
        UserCommand::Remove {
            name,
            give_to: None,
        } => {
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
