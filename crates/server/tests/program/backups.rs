//! `backup` with images, `backup --verify`, `restore`, and `doctor`.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sea_orm::{ConnectionTrait, Database};

use crate::{
    archive::{answers, files_below, filled, upload},
    server::{Installation, block_on, mode},
    together::{Tried, created, try_create},
};

/// The output of `doctor` for a sound calendar.
pub(crate) const SOUND: &str = "nothing differs\n";

/// Ends the writers, also after a failure.
struct OnDrop<'a>(&'a AtomicBool);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A calendar under writes at 50 a second, with a picture each few writes: its backup is sound, restores with
/// all pictures, and has every write that was acknowledged before it began.
fn restores_what_was_acknowledged(installation: &Installation, target: &Installation) {
    const WRITERS: usize = 5;
    // Five writers, each with ten writes a second.
    const PAUSE: Duration = Duration::from_millis(80);

    let server = installation.serve(&[]);
    let token = installation.token();
    let acknowledged = Mutex::new(BTreeSet::new());
    let pictures = Mutex::new(Vec::new());
    let done = AtomicBool::new(false);
    let count = || acknowledged.lock().unwrap().len();
    let mut before = BTreeSet::new();
    std::thread::scope(|scope| {
        let _end = OnDrop(&done);
        for writer in 0..WRITERS {
            let (server, token, pictures, done) = (&server, &token, &pictures, &done);
            let acknowledged = &acknowledged;
            scope.spawn(move || {
                for number in 0.. {
                    if done.load(Ordering::Relaxed) {
                        break;
                    }
                    let title = format!("Event-{writer}-{number}");
                    if let Some(Tried::Added(id)) = try_create(&server.address, token, &title) {
                        acknowledged.lock().unwrap().insert(id);
                    }
                    if number % 8 == 0 {
                        pictures.lock().unwrap().push(upload(server, token));
                    }
                    std::thread::sleep(PAUSE);
                }
            });
        }
        while count() < 30 {
            std::thread::sleep(PAUSE);
        }
        before.clone_from(&acknowledged.lock().unwrap());
        let shown = pictures.lock().unwrap().len();
        installation.said(&["backup", "copy", "--images", "pictures"]);
        let verified = installation.said(&["backup", "copy", "--images", "pictures", "--verify"]);
        assert_eq!(verified, SOUND);
        assert!(shown > 0, "pictures were uploaded before");
        // The calendar itself is sound, beside its writers.
        assert_eq!(installation.said(&["doctor"]), SOUND);
        let reached = count();
        while count() < reached + 5 {
            std::thread::sleep(PAUSE);
        }
    });
    server.stop();

    let (copy, folder) = (installation.path("copy"), installation.path("pictures"));
    let [copy, folder] = [&copy, &folder].map(|path| path.to_str().unwrap());
    target.said(&["restore", copy, "--images", folder]);
    assert_eq!(target.said(&["doctor"]), SOUND);
    let restored = target.serve(&[]);
    let copied = created(&restored);
    let lost: Vec<_> = before.difference(&copied).collect();
    assert!(
        lost.is_empty(),
        "acknowledged before the backup began: {lost:?}"
    );
    assert!(!files_below(&target.path("media")).is_empty());
    restored.stop();
    assert!(
        count() > copied.len(),
        "events were added behind the backup"
    );
}

#[test]
fn a_backup_under_writes_restores_with_its_images_on_sqlite() {
    restores_what_was_acknowledged(&Installation::sqlite(), &Installation::sqlite());
}

/// The backup of a PostgreSQL database is an archive, which SQLite reads, too.
#[test]
fn a_backup_under_writes_restores_with_its_images_on_postgres() {
    if let Some(installation) = Installation::postgres() {
        restores_what_was_acknowledged(&installation, &Installation::sqlite());
    }
}

/// Damage of the files of a calendar, and of a backup, is found; what is derived is mended.
#[test]
fn damaged_files_are_found() {
    let installation = filled();
    let execute = |sql: &str| {
        let url = installation.database().to_owned();
        block_on(async {
            let database = Database::connect(url).await.unwrap();
            database.execute_unprepared(sql).await.unwrap();
            database.close().await.unwrap();
        });
    };
    installation.said(&["maintain"]);
    assert_eq!(installation.said(&["doctor"]), SOUND);
    installation.said(&["backup", "copy.db", "--images", "pictures"]);
    let verify = ["backup", "copy.db", "--images", "pictures", "--verify"];
    assert_eq!(installation.said(&verify), SOUND);
    let list = installation.read("pictures/SHA256SUMS");
    assert_eq!(list.lines().count(), 3, "{list}");

    // A file of the backup with other bytes.
    let in_backup = files_below(&installation.path("pictures"));
    let one = in_backup
        .iter()
        .find(|file| file.ends_with("SHA256SUMS").eq(&false))
        .unwrap();
    let mut bytes = fs::read(one).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    // The file of the calendar is the same one by another name.
    fs::remove_file(one).unwrap();
    fs::write(one, bytes).unwrap();
    let damaged = installation.run(&verify);
    assert_eq!(damaged.code, Some(1), "{}", damaged.stderr);
    assert!(
        damaged.stdout.contains("expected the digest"),
        "{}",
        damaged.stdout
    );
    let other = Installation::sqlite();
    let (copy, folder) = (installation.path("copy.db"), installation.path("pictures"));
    let [copy, folder] = [&copy, &folder].map(|path| path.to_str().unwrap());
    let refused = other.run(&["restore", copy, "--images", folder]).failed(1);
    assert!(refused.contains("is damaged"), "{refused}");
    assert!(!other.path("calendar.db").exists(), "nothing was restored");

    // A counter, which is mended, and a file that has gone, which only a person can bring back.
    execute("UPDATE event_starts SET starts = starts + 1");
    let found = installation.run(&["doctor"]);
    assert_eq!(found.code, Some(1));
    assert!(
        found.stdout.contains("counters: event_starts"),
        "{}",
        found.stdout
    );
    let found = installation.run(&["doctor", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(report["differences"][0]["check"], "counters", "{report}");
    let mended = installation.said(&["doctor", "--repair"]);
    assert!(mended.contains("(mended)"), "{mended}");
    assert_eq!(installation.said(&["doctor"]), SOUND);
    fs::remove_file(&files_below(&installation.path("media"))[0]).unwrap();
    let found = installation.run(&["doctor", "--repair"]);
    assert_eq!(found.code, Some(1));
    assert!(
        found.stdout.contains("only a person can mend it"),
        "{}",
        found.stdout
    );

    // A database that exists is only replaced by request.
    let refused = installation.run(&["restore", "copy.db"]).failed(1);
    assert!(refused.contains("exists: stop the server"), "{refused}");
    installation.said(&["restore", "copy.db", "--force"]);
    assert_eq!(
        installation.run(&["doctor", "--json"]).code,
        Some(1),
        "a file is missing still"
    );
    // A database that cannot be read has an exit code of its own.
    let nowhere = Installation::sqlite();
    let refused = nowhere.run(&["doctor"]).failed(2);
    assert!(refused.contains("there is no database"), "{refused}");
}

/// The files in an archive `.tar`: name, position of the content, length.
fn entries(archive: &Path) -> Vec<(String, u64, u64)> {
    let mut archive = tar::Archive::new(fs::File::open(archive).unwrap());
    let entries = archive.entries().unwrap().map(|entry| {
        let entry = entry.unwrap();
        assert_eq!(entry.header().mode().unwrap(), 0o600);
        let name = entry.path().unwrap().to_str().unwrap().to_owned();
        (name, entry.raw_file_position(), entry.size())
    });
    entries.collect()
}

/// The names in the folder of an installation.
fn names(installation: &Installation) -> BTreeSet<String> {
    let folder = fs::read_dir(installation.path(".")).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

/// The images of a backup are in one archive, which is checked and restored as a folder is.
#[test]
fn images_are_backed_up_into_one_archive() {
    let installation = filled();
    let before = names(&installation);
    let backup = ["backup", "copy.db", "--images", "pictures.tar"];
    let said = installation.said(&backup);
    assert!(said.contains("3 files of images"), "{said}");
    let archive = installation.path("pictures.tar");
    assert_eq!(mode(&archive), 0o600, "only its owner may read the archive");
    let packed = entries(&archive);
    assert_eq!(packed.len(), 4, "{packed:?}");
    assert_eq!(packed[3].0, "SHA256SUMS");
    let verify = [&backup[..], &["--verify"]].concat();
    assert_eq!(installation.said(&verify), SOUND);
    let added: Vec<_> = names(&installation).difference(&before).cloned().collect();
    assert_eq!(added, ["copy.db", "pictures.tar"]);

    // Another backup does not replace the archive, and a refused one leaves no file.
    let whole = fs::read(&archive).unwrap();
    for (refused, reason) in [
        (
            ["backup", "new.db", "--images", "pictures.tar"],
            "exists: --force replaces it",
        ),
        (
            ["backup", "new.db", "--images", "nowhere/new.tar"],
            "cannot create a file beside",
        ),
        (
            ["backup", "nowhere/new.db", "--images", "new.tar"],
            "cannot create a file beside",
        ),
        (
            ["backup", "new.tar", "--images", "new.tar"],
            "is the copy itself",
        ),
    ] {
        let said = installation.run(&refused).failed(1);
        assert!(said.contains(reason), "{said}");
        let added: Vec<_> = names(&installation).difference(&before).cloned().collect();
        assert_eq!(added, ["copy.db", "pictures.tar"], "{refused:?}");
    }
    assert!(
        fs::read(&archive).unwrap() == whole,
        "the archive is as before"
    );
    installation.said(&[&backup[..], &["--force"]].concat());
    assert_eq!(installation.said(&verify), SOUND);

    let target = Installation::sqlite();
    let (copy, pictures) = (installation.path("copy.db"), archive.to_str().unwrap());
    let restore = ["restore", copy.to_str().unwrap(), "--images", pictures];
    let said = target.said(&restore);
    assert!(said.ends_with("restored, 3 files of images\n"), "{said}");
    assert_eq!(target.said(&["doctor"]), SOUND);
    assert_eq!(answers(&target), answers(&installation));

    // A file with another byte.
    let other = Installation::sqlite();
    let mut damaged = whole.clone();
    let (_, position, length) = packed[0];
    damaged[usize::try_from(position + length - 1).unwrap()] ^= 1;
    fs::write(&archive, &damaged).unwrap();
    let found = installation.run(&verify);
    assert_eq!(found.code, Some(1), "{}", found.stderr);
    assert!(
        found.stdout.contains("expected the digest"),
        "{}",
        found.stdout
    );
    let refused = other.run(&restore).failed(1);
    assert!(refused.contains("is damaged"), "{refused}");
    // Archives that end too early: between two files, and within each part of one.
    let second = usize::try_from(packed[1].1).unwrap();
    for end in [0, second - 512, second - 100, second, second + 100] {
        fs::write(&archive, &whole[..end]).unwrap();
        installation.run(&verify).failed(1);
        other.run(&restore).failed(1);
    }
    assert!(!other.path("calendar.db").exists(), "nothing was restored");
}

/// An archive of everything, as `export` and the backup of a PostgreSQL database are, has its images in one archive, too.
#[test]
fn images_of_an_export_are_in_one_archive() {
    let source = filled();
    source.said(&[
        "export",
        "calendar.jsonl",
        "--secrets",
        "--images",
        "pictures.tar",
    ]);
    let [calendar, pictures] = ["calendar.jsonl", "pictures.tar"].map(|name| source.path(name));
    let [calendar, pictures] = [&calendar, &pictures].map(|path| path.to_str().unwrap());
    let import = ["import", calendar, "--images", pictures];
    let target = Installation::sqlite();
    let said = target.said(&import);
    assert!(said.contains("3 files of images"), "{said}");
    assert_eq!(answers(&target), answers(&source));

    if let Some(postgres) = Installation::postgres() {
        postgres.said(&import);
        let backup = ["backup", "copy.jsonl", "--images", "pictures.tar"];
        postgres.said(&backup);
        let verify = [&backup[..], &["--verify"]].concat();
        assert_eq!(postgres.said(&verify), SOUND);
        let [copy, archive] = ["copy.jsonl", "pictures.tar"].map(|name| postgres.path(name));
        let [copy, pictures] = [&copy, &archive].map(|path| path.to_str().unwrap());
        let target = Installation::sqlite();
        target.said(&["restore", copy, "--images", pictures]);
        assert_eq!(answers(&target), answers(&source));
        // A file with another byte is found, and not restored.
        let (_, position, length) = entries(&archive)[0];
        let mut damaged = fs::read(&archive).unwrap();
        damaged[usize::try_from(position + length - 1).unwrap()] ^= 1;
        fs::write(&archive, damaged).unwrap();
        let found = postgres.run(&verify);
        assert!(
            found.stdout.contains("expected the digest"),
            "{}",
            found.stdout
        );
        let other = Installation::sqlite();
        // The schema is made first, which is told, too.
        let refused = other.run(&["restore", copy, "--images", pictures]);
        assert_eq!(refused.code, Some(1), "{}", refused.stderr);
        assert!(refused.stderr.contains("is damaged"), "{}", refused.stderr);
    }
}

/// `restore --force` refuses a database that a server uses. Nothing of the former database gets into the restored one, not
/// even from its write-ahead log, which a killed server leaves.
#[test]
fn a_database_in_use_is_not_replaced() {
    let installation = Installation::sqlite();
    let server = installation.serve(&[]);
    let token = installation.token();
    let add = |title| match try_create(&server.address, &token, title) {
        Some(Tried::Added(id)) => id,
        _ => panic!("{title} is not added"),
    };
    let before = add("Event-0-0");
    installation.said(&["backup", "copy.db"]);
    let behind = add("Event-0-1");
    let restore = ["restore", "copy.db", "--force"];
    let refused = installation.run(&restore).failed(1);
    assert!(refused.contains("stop the server first"), "{refused}");
    assert_eq!(created(&server), [before, behind].into());
    // The server is killed, and leaves its log.
    drop(server);
    let log = installation.path("calendar.db-wal");
    assert!(fs::metadata(&log).unwrap().len() > 0);

    installation.said(&restore);
    assert!(!log.exists());
    assert_eq!(installation.said(&["doctor"]), SOUND);
    let server = installation.serve(&[]);
    assert_eq!(created(&server), [before].into());
    server.stop();

    // A damaged backup replaces nothing.
    let mut damaged = fs::read(installation.path("copy.db")).unwrap();
    damaged[4096 * 20..4096 * 22].fill(0xa5);
    fs::write(installation.path("damaged.db"), damaged).unwrap();
    let refused = installation
        .run(&["restore", "damaged.db", "--force"])
        .failed(1);
    assert!(refused.contains("damaged.db is damaged"), "{refused}");
    assert_eq!(installation.said(&["doctor"]), SOUND);

    // A damaged file, and the log of another one, are replaced.
    fs::write(installation.path("calendar.db"), "no database").unwrap();
    fs::copy(installation.path("copy.db"), &log).unwrap();
    installation.said(&restore);
    assert!(!log.exists());
    assert_eq!(installation.said(&["doctor"]), SOUND);
}
