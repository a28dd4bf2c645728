use std::{fs, os::unix::fs::PermissionsExt, sync::Arc};

use app::{
    auth::Credentials,
    test_support::{FixedClock, InMemoryStore},
};
use domain::Role;

use super::*;

struct Scene {
    accounts: Accounts,
    folder: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        let store = Arc::new(InMemoryStore::new());
        Self {
            accounts: Accounts::new(store, Arc::new(FixedClock::default())),
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(FILE_NAME)
    }

    async fn create(&self) -> anyhow::Result<bool> {
        create_in_file(&self.accounts, &self.path()).await
    }

    async fn has_no_users(&self) -> bool {
        self.accounts.users().await.unwrap().is_empty()
    }
}

#[tokio::test]
async fn the_file_holds_a_valid_token_and_is_private() {
    let scene = Scene::new();
    assert!(scene.create().await.unwrap());
    let token = fs::read_to_string(scene.path()).unwrap();
    let basic = Credentials::Basic {
        login: "admin".to_owned(),
        password: token.trim_end().to_owned().into(),
    };
    assert!(
        scene
            .accounts
            .authenticate(Some(&basic))
            .await
            .unwrap()
            .may_write
    );
    let mode = fs::metadata(scene.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn the_second_start_shows_nothing() {
    let scene = Scene::new();
    assert!(scene.create().await.unwrap());
    fs::remove_file(scene.path()).unwrap();
    assert!(!scene.create().await.unwrap());
    assert!(!scene.path().exists());
}

#[tokio::test]
async fn no_user_is_created_without_the_file() {
    let scene = Scene::new();
    let path = scene.folder.path().join("absent").join(FILE_NAME);
    let error = create_in_file(&scene.accounts, &path).await.unwrap_err();
    assert!(format!("{error:#}").contains("absent"), "{error:#}");
    assert!(scene.has_no_users().await);
}

#[tokio::test]
async fn the_token_of_another_database_is_left_alone() {
    let scene = Scene::new();
    fs::write(scene.path(), "5f2a\n").unwrap();
    let error = scene.create().await.unwrap_err().to_string();
    assert!(error.ends_with("move it away"), "{error}");
    assert_eq!(fs::read_to_string(scene.path()).unwrap(), "5f2a\n");
    assert!(scene.has_no_users().await);
}

#[tokio::test]
async fn the_empty_file_of_a_killed_start_is_used() {
    let scene = Scene::new();
    fs::write(scene.path(), "").unwrap();
    assert!(scene.create().await.unwrap());
    assert_ne!(fs::read_to_string(scene.path()).unwrap(), "");
}

#[tokio::test]
async fn one_of_two_servers_creates_the_administrator() {
    let scene = Scene::new();
    let (one, other) = tokio::join!(scene.create(), scene.create());
    assert!(one.unwrap() ^ other.unwrap());
    assert_eq!(scene.accounts.users().await.unwrap().len(), 1);
    assert_ne!(fs::read_to_string(scene.path()).unwrap(), "");
}

#[tokio::test]
async fn the_token_of_another_server_is_waited_for() {
    let scene = Scene::new();
    assert!(none_exists(&scene.accounts).await.unwrap());
    let (none, created) = tokio::join!(none_exists(&scene.accounts), async {
        // Before the second check.
        tokio::task::yield_now().await;
        scene.create().await
    });
    assert!(created.unwrap());
    assert!(!none.unwrap());
}

#[tokio::test]
async fn an_unused_file_is_removed() {
    let scene = Scene::new();
    let file = TokenFile::reserve(&scene.accounts, &scene.path())
        .await
        .unwrap();
    assert!(scene.path().exists());
    drop(file);
    assert!(!scene.path().exists());
}

#[tokio::test]
async fn a_token_that_was_not_shown_is_revoked() {
    let scene = Scene::new();
    let error = create(&scene.accounts, |_| Err(ErrorKind::StorageFull.into()))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("token create"), "{error}");
    let tokens = scene.accounts.tokens(None).await.unwrap();
    assert!(
        tokens.iter().all(|token| token.revoked.is_some()),
        "{tokens:?}"
    );
    let admin = scene.accounts.user("admin").await.unwrap();
    assert_eq!(admin.role, Role::Administrator);
}
