//! Images: metadata, lookups, deletion.

use std::slice;

use app::{
    ports::{Store, StoreError},
    test_support::{at, caller, event, organizer, venue},
};
use domain::{
    Event, Id, Image, ImageId, Language, Organizer, Role, Status, Stored, UserId, Venue,
    entry::PasswordHash,
    image::{
        AltText, AltTexts, Dimensions, FilePath, ImageFilter, ImageFormat, ImageName, ImageSize,
        SizeName,
    },
    page::{Page, PageRequest},
    policy::{Caller, Visibility},
    web_url::WebUrl,
};

use crate::{
    Dice,
    lists::{RIGHT, WRONG, readers},
    sample::{all, ids, in_unit, staged, try_in_unit, user_id},
};

fn alt(text: &str) -> AltText {
    text.parse().unwrap()
}

pub fn image(name: &str, source: Option<&str>) -> Image {
    let dimensions = Dimensions::new(1200, 800).unwrap();
    let size = |name: SizeName| ImageSize {
        name,
        format: ImageFormat::Png,
        dimensions: name.of(dimensions).unwrap(),
        filesize: 6011,
    };
    Image {
        uploader: user_id(0),
        name: ImageName::from_stored(name).unwrap(),
        format: ImageFormat::Gif,
        dimensions,
        filesize: 91_822,
        sizes: SizeName::ALL.map(size).to_vec(),
        created: at("2029-05-06 07:08:09"),
        modified: at("2029-05-07 08:09:10"),
        alt: [(Language::French, alt("Un banc")), (Language::Arabic, alt("مقعد"))]
            .into_iter()
            .collect(),
        source: source.map(|url| url.parse::<WebUrl>().unwrap()),
    }
}

async fn try_add(store: &dyn Store, image: Image) -> Result<Stored<Image>, StoreError> {
    try_in_unit(store, async |to| to.images().insert(image).await).await
}

async fn add(store: &dyn Store, image: Image) -> Stored<Image> {
    try_add(store, image).await.unwrap()
}

/// An image is found by its ID, its URL and each of its files, as it was added.
pub async fn an_image_is_found_as_it_was(store: &dyn Store) {
    let content = image("2029/05/bank", Some("https://a.example/Bank.gif?x=1"));
    let plain =
        Image { sizes: Vec::new(), format: ImageFormat::Webp, ..image("2029/05/bank-2", None) };
    let one = add(store, content.clone()).await;
    let two = add(store, plain).await;
    assert_eq!((one.id, two.id), (Id::from_raw(1), Id::from_raw(2)));
    assert_eq!(one.content, content);
    let images = store.images();
    let all = images.find_many(&[two.id, one.id, Id::from_raw(9)]).await;
    let mut all = all.unwrap();
    all.sort_by_key(|image| image.id);
    assert_eq!(all, [one.clone(), two.clone()]);
    assert_eq!(images.find_many(&[]).await.unwrap(), []);
    let editor = Visibility::new(caller(user_id(1), Role::Editor), at("2030-01-01 00:00:00"));
    for (include, slug, page, (ids, total)) in [
        (None, None, 1, (vec![two.id], 2)),
        (None, None, 2, (vec![one.id], 2)),
        (None, None, 3, (vec![], 2)),
        (Some(vec![one.id, Id::from_raw(9)]), None, 1, (vec![one.id], 1)),
        (None, Some("bank-2"), 1, (vec![two.id], 1)),
        (None, Some("2"), 1, (vec![], 0)),
        (Some(vec![one.id]), Some("bank-2"), 1, (vec![], 0)),
    ] {
        let slugs = slug.map(|slug: &str| vec![slug.to_owned()]);
        let filter = ImageFilter { include, slugs, ..ImageFilter::default() };
        let page = PageRequest::new(page, 1, 100);
        let list = images.list_visible(&filter, &page, &editor).await.unwrap();
        assert_eq!((list.rows, list.total), (ids, total), "{filter:?} {page:?}");
    }
    for (words, ids) in
        [(&["bank"][..], vec![two.id, one.id]), (&["2", "ban"], vec![two.id]), (&["ank"], vec![])]
    {
        let words = words.iter().map(|&word| word.to_owned()).collect();
        let filter = ImageFilter { words, ..ImageFilter::default() };
        let page = PageRequest::new(1, 9, 100);
        let list = images.list_visible(&filter, &page, &editor).await.unwrap();
        assert_eq!(list.rows, ids, "{filter:?}");
    }
    assert_eq!(images.lock(one.id).await.unwrap(), Some(one.clone()));
    assert_eq!(images.lock(Id::from_raw(9)).await.unwrap(), None);
    for (source, found) in [
        ("https://a.example/Bank.gif?x=1", Some(one.clone())),
        ("https://a.example/bank.gif?x=1", None),
    ] {
        let source = source.parse::<WebUrl>().unwrap();
        assert_eq!(images.lock_by_source(&source).await.unwrap(), found);
    }
    for path in one.paths() {
        assert_eq!(images.lock_by_file(&path).await.unwrap(), Some(one.clone()));
    }
    assert_eq!(images.lock_by_file(&two.path()).await.unwrap(), Some(two.clone()));
    let other = FilePath::parse("2029/05/bank-9x9.png").unwrap();
    assert_eq!(images.lock_by_file(&other).await.unwrap(), None);
    let mut paths = images.paths().await.unwrap();
    let mut wanted = [one.paths(), two.paths()].concat();
    paths.sort();
    wanted.sort();
    assert_eq!(paths, wanted);
}

/// An image is found by its uploader, by editors, and by readers of an entry that shows it.
pub async fn an_image_is_for_those_who_see_it(store: &dyn Store) {
    let id = add(store, image("2029/05/bank", None)).await.id;
    let now = at("2030-01-01 00:00:00");
    let found = async |caller: Caller, password: Option<&str>| {
        let visibility = Visibility {
            password: password.map(|hash| PasswordHash::from_stored(hash.to_owned())),
            ..Visibility::new(caller, now)
        };
        let found = store.images().find_visible(id, &visibility).await.unwrap();
        let (all, page) = (ImageFilter::default(), PageRequest::new(1, 10, 100));
        let list = store.images().list_visible(&all, &page, &visibility);
        assert_eq!(list.await.unwrap().rows.contains(&id), found.is_some());
        found.is_some()
    };
    let anonymous = Caller::Anonymous;
    let uploader = caller(user_id(0), Role::Author);
    let other = caller(user_id(1), Role::Author);
    let editor = caller(user_id(1), Role::Editor);
    assert!(!found(anonymous, None).await);
    assert!(!found(other, None).await);
    assert!(found(uploader, None).await);
    assert!(found(editor, None).await);
    in_unit(store, async |unit| {
        let draft = venue("Mill").author(user_id(1)).status(Status::Draft);
        draft.with(|entry| entry.image = Some(id)).insert(unit).await;
        let locked = event("Fair").author(user_id(0)).status(Status::Publish);
        let locked = locked.password_hash("5f");
        locked.with(|entry| entry.image = Some(id)).insert(unit).await;
    })
    .await;
    assert!(!found(anonymous, None).await);
    assert!(found(other, None).await);
    assert!(found(anonymous, Some("5f")).await);
    assert!(!found(anonymous, Some("60")).await);
    in_unit(store, async |unit| {
        let shown = organizer("Club").status(Status::Publish);
        shown.with(|entry| entry.image = Some(id)).insert(unit).await;
    })
    .await;
    assert!(found(anonymous, None).await);
    let visibility = Visibility::new(editor, now);
    let absent = store.images().find_visible(Id::from_raw(9), &visibility);
    assert_eq!(absent.await.unwrap(), None);
}

/// Lists of images hold what [`ImageFilter::list`] says, and an image is found by its ID if the list
/// of all images holds it.
pub async fn lists_of_images(store: &dyn Store) {
    let mut dice = Dice(8);
    let mut images = Vec::new();
    for number in 0..12 {
        let name = format!("2029/05/{number}/{}", dice.pick(&["bank", "mill"]));
        let uploader = user_id(dice.roll(3));
        images.push(add(store, Image { uploader, ..image(&name, None) }).await);
    }
    in_unit(store, async |unit| {
        for _ in 0..30 {
            // No entry shows the last images.
            let id = Some(dice.pick(&images[..9]).id);
            let fair = staged(&mut dice, event("Fair")).with(|entry| entry.image = id);
            let is_locked = dice.once_in(2);
            let fair =
                if is_locked { fair.password_hash(dice.pick(&[RIGHT, WRONG])) } else { fair };
            match dice.roll(3) {
                0 => drop(fair.insert(unit).await),
                1 => {
                    let mill = staged(&mut dice, venue("Mill")).with(|entry| entry.image = id);
                    drop(mill.insert(unit).await);
                }
                _ => {
                    let club = staged(&mut dice, organizer("Club")).with(|entry| entry.image = id);
                    drop(club.insert(unit).await);
                }
            }
        }
    })
    .await;
    let (events, venues) = (all::<Event>(store).await, all::<Venue>(store).await);
    let organizers = all::<Organizer>(store).await;
    for reader in readers() {
        let shown = |id| {
            let id = Some(id);
            events.iter().any(|entry| entry.image == id && reader.shows_image_of(entry))
                || venues.iter().any(|entry| entry.image == id && reader.shows_image_of(entry))
                || organizers.iter().any(|entry| entry.image == id && reader.shows_image_of(entry))
        };
        let list = |filter: &ImageFilter| {
            let list = filter.list(&images, shown, &reader).into_iter();
            list.map(|image| image.id).collect::<Vec<_>>()
        };
        let include = dice.once_in(2).then(|| dice.some(&ids(&images), 12));
        let slugs = dice.some(&["bank", "mill", "ill"].map(str::to_owned), 2);
        for filter in [
            ImageFilter::default(),
            ImageFilter { include: include.clone(), ..ImageFilter::default() },
            ImageFilter { include, slugs: Some(slugs), ..ImageFilter::default() },
            ImageFilter { uploader: Some(dice.pick(&images).uploader), ..ImageFilter::default() },
            ImageFilter {
                words: vec![dice.pick(&["b", "ban", "mil", "ill", "2"]).to_owned()],
                ..ImageFilter::default()
            },
        ] {
            for page in [(1, 100), (1, 4), (2, 4), (9, 4)] {
                let page = PageRequest::new(page.0, page.1, 100);
                let answer = store.images().list_visible(&filter, &page, &reader).await.unwrap();
                assert_eq!(answer, Page::of(list(&filter), page), "{filter:?} {reader:?}");
            }
        }
        let visible = list(&ImageFilter::default());
        for image in &images {
            let found = store.images().find_visible(image.id, &reader).await.unwrap();
            let expected = visible.contains(&image.id).then_some(image);
            assert_eq!(found.as_ref(), expected, "{reader:?}");
        }
    }
}

/// A new alternative text raises the revision of the image, as it was read; records stay as they are.
pub async fn an_image_gets_a_text(store: &dyn Store) {
    let before = add(store, image("2029/05/bank", None)).await;
    let event = event("Fair").with(|entry| entry.image = Some(before.id));
    let event = in_unit(store, async |unit| event.insert(unit).await).await;
    let now = at("2031-02-03 04:05:06");
    let texts: AltTexts = [(Language::English, alt("A bench"))].into_iter().collect();
    let set = async |image: &Stored<Image>, texts: &AltTexts| {
        let texts = texts.clone();
        try_in_unit(store, async |to| to.images().set_alt(image, texts, now).await).await
    };
    let after = set(&before, &texts).await.unwrap();
    let expected = Image { alt: texts.clone(), modified: now, ..before.content.clone() };
    assert_eq!((after.revision, &after.content), (before.revision + 1, &expected));
    let found = store.images().find_many(&[before.id]).await.unwrap();
    assert_eq!(found, slice::from_ref(&after));
    assert_eq!(store.events().find(event.id).await.unwrap(), Some(event));
    assert!(matches!(set(&before, &texts).await, Err(StoreError::Conflict)));
    let none = AltTexts::default();
    let cleared = set(&after, &none).await.unwrap();
    assert_eq!((cleared.revision, &cleared.alt), (before.revision + 2, &none));
    assert!(in_unit(store, async |unit| unit.images().delete(before.id, now).await.unwrap()).await);
    assert!(matches!(set(&cleared, &texts).await, Err(StoreError::Conflict)));
}

/// A file name is used once, a source URL by one image at a time, and the uploader must exist.
pub async fn names_and_addresses_are_used_once(store: &dyn Store) {
    let url = "https://a.example/bank.gif";
    let first = add(store, image("2029/05/bank", Some(url))).await;
    let same_name = try_add(store, image("2029/05/bank", None)).await;
    assert!(matches!(same_name, Err(StoreError::Conflict)));
    let same_source = try_add(store, image("2029/05/other", Some(url))).await;
    assert!(matches!(same_source, Err(StoreError::Conflict)));
    assert!(!store.images().is_name_used(&image("2029/05/other", None).name).await.unwrap());
    let of_nobody = Image { uploader: UserId::from_raw(99), ..image("2029/05/nobody", None) };
    assert!(try_add(store, of_nobody).await.is_err());
    let now = at("2030-01-01 00:00:00");
    assert!(in_unit(store, async |unit| unit.images().delete(first.id, now).await.unwrap()).await);
    assert!(store.images().is_name_used(&first.name).await.unwrap());
    let again = try_add(store, image("2029/05/bank", None)).await;
    assert!(matches!(again, Err(StoreError::Conflict)));
    let other = add(store, image("2029/05/other", Some(url))).await;
    assert!(other.id > first.id);
}

/// Records that showed a deleted image show none, and count as changed; other records stay.
pub async fn a_deleted_image_is_shown_by_nobody(store: &dyn Store) {
    let gone = add(store, image("2029/05/gone", None)).await.id;
    let kept = add(store, image("2029/05/kept", None)).await.id;
    let now = at("2031-02-03 04:05:06");
    let showing = |id: ImageId| {
        async move |unit: &dyn app::ports::Repositories| {
            let event = event("Fair").with(|entry| entry.image = Some(id));
            let venue = venue("Mill").with(|entry| entry.image = Some(id));
            let organizer = organizer("Club").with(|entry| entry.image = Some(id));
            (event.insert(unit).await, venue.insert(unit).await, organizer.insert(unit).await)
        }
    };
    let (event, venue, organizer) = in_unit(store, showing(gone)).await;
    let others = in_unit(store, showing(kept)).await;
    assert!(in_unit(store, async |unit| unit.images().delete(gone, now).await.unwrap()).await);
    assert!(!in_unit(store, async |unit| unit.images().delete(gone, now).await.unwrap()).await);
    assert_eq!(store.images().find_many(&[gone]).await.unwrap(), []);
    macro_rules! check {
        ($repository:ident, $gone:expr, $kept:expr) => {
            let after = store.$repository().find($gone.id).await.unwrap().unwrap();
            let changed = (after.image, after.modified, after.revision);
            assert_eq!(changed, (None, now, $gone.revision + 1));
            let kept = store.$repository().find($kept.id).await.unwrap();
            assert_eq!(kept, Some($kept));
        };
    }
    check!(events, event, others.0);
    check!(venues, venue, others.1);
    check!(organizers, organizer, others.2);
}
