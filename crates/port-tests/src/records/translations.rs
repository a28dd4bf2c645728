//! Texts in other languages than the original.

use app::ports::{SlugRequests, Store};
use domain::{
    Language, Stored, Translation, Translations, html::RichText, slug::Slug, text::Title,
};

use crate::sample::{
    Sample, add, add_requesting, change, edit, found, id_of_slug, remove, request, slug,
};

/// A translation of the title alone.
fn titled(title: &str) -> Translation {
    Translation { title: Some(title.parse::<Title>().unwrap()), ..Translation::default() }
}

/// A record of this name with a French title.
fn in_french<R: Sample>(name: &str, french: &str) -> R {
    let mut record = R::sample(name);
    record.translations_mut().put(Language::French, titled(french));
    record
}

/// Replaces a translation of a record, without requests for slugs; an empty one is removed.
async fn translate<R: Sample>(
    store: &dyn Store,
    before: &Stored<R>,
    language: Language,
    translation: Translation,
) -> Stored<R> {
    edit(store, before, |record| record.translations_mut().put(language, translation)).await
}

/// Requests for the slugs of the original and of its translations.
fn requests<const N: usize>(original: &str, translations: [(Language, &str); N]) -> SlugRequests {
    SlugRequests {
        original: Some(request(original)),
        translations: translations.map(|(language, text)| (language, request(text))).into(),
    }
}

/// The slug of a record in a language, if it has one.
fn slug_in(record: &impl Sample, language: Language) -> Option<&Slug> {
    let slugs = record.slugs().filter(|(one, _)| *one == language);
    slugs.map(|(_, slug)| slug).next()
}

/// Translations come back as they were stored, also after others were added or removed, in single
/// and in bulk reads.
pub async fn translations_are_kept<R: Sample>(store: &dyn Store) {
    let french = add(store, in_french::<R>("One", "Un"), "one").await;
    assert_eq!(found(store, french.id).await.as_ref(), Some(&french));
    let plain = add(store, R::sample("Two"), "two").await;
    let both = translate(store, &french, Language::Arabic, titled("واحد")).await;
    assert_eq!(both.languages(), [Language::English, Language::Arabic, Language::French]);
    let repository = R::repository(store.repositories());
    let many = repository.find_many(&[plain.id, both.id]).await.unwrap();
    assert_eq!(many, [plain.clone(), both.clone()]);

    let less = translate(store, &both, Language::French, Translation::default()).await;
    assert_eq!(found(store, both.id).await, Some(less.clone()));
    let none = edit(store, &less, |one| *one.translations_mut() = Translations::default()).await;
    assert_eq!(found(store, both.id).await, Some(none));
    assert_eq!(found(store, plain.id).await, Some(plain));
}

/// A record is found by its names in all languages, once.
pub async fn records_are_found_by_translated_names<R: Sample>(store: &dyn Store) {
    let record = add(store, in_french::<R>("Music", "Été"), "one").await;
    let other = add(store, R::sample("été"), "two").await;
    let repository = R::repository(store.repositories());
    let named = async |name: &str| {
        let named = repository.find_named(&[name.to_owned()]).await.unwrap();
        named.iter().map(|record| record.id).collect::<Vec<_>>()
    };
    assert_eq!(named("ete").await, [record.id, other.id]);
    assert_eq!(named("music").await, [record.id]);
    let both = ["music".to_owned(), "ete".to_owned()];
    assert_eq!(repository.find_named(&both).await.unwrap().len(), 2);

    let mut changed = record.content.clone().named("Noise");
    changed.translations_mut().put(Language::French, titled("Bruit"));
    change(store, &record, changed, None).await;
    assert_eq!(named("ete").await, [other.id]);
    assert_eq!(named("bruit").await, [record.id]);
    assert_eq!(named("noise").await, [record.id]);
    assert!(named("music").await.is_empty());
}

/// Each language gets the slug that it requests, unless another record has it in any language. The
/// languages of one record may share a slug.
pub async fn slugs_are_unique_over_all_languages<R: Sample>(store: &dyn Store) {
    let requested = requests("one", [(Language::French, "un"), (Language::Arabic, "one")]);
    let first = add_requesting(store, in_french::<R>("One", "Un"), requested).await;
    assert_eq!(slug_in(&first.content, Language::French), Some(&slug("un")));
    assert_eq!(slug_in(&first.content, Language::Arabic), Some(&slug("one")));
    assert_eq!(found(store, first.id).await.as_ref(), Some(&first));

    let requested = requests("un", [(Language::French, "one"), (Language::Arabic, "un")]);
    let second = add_requesting(store, R::sample("Two"), requested).await;
    assert_eq!(second.slug(), Some(&slug("un-2")));
    assert_eq!(slug_in(&second.content, Language::French), Some(&slug("one-2")));
    // The record's own slug is free for its other languages, before any other number.
    assert_eq!(slug_in(&second.content, Language::Arabic), Some(&slug("un-2")));
    for (text, id) in
        [("one", first.id), ("un", first.id), ("un-2", second.id), ("one-2", second.id)]
    {
        assert_eq!(id_of_slug::<R>(store, text).await, Some(id), "{text}");
    }
}

/// A slug is free once no language of the record has it.
pub async fn slugs_of_translations_are_given_back<R: Sample>(store: &dyn Store) {
    let requested = requests("one", [(Language::French, "un"), (Language::Arabic, "un")]);
    let record = add_requesting(store, R::sample("One"), requested).await;
    let record = translate(store, &record, Language::French, Translation::default()).await;
    assert_eq!(id_of_slug::<R>(store, "un").await, Some(record.id));

    let requested = SlugRequests {
        original: None,
        translations: [(Language::Arabic, request("wahid"))].into(),
    };
    let content = record.content.clone();
    let record = change(store, &record, content, requested).await;
    assert_eq!(record.slug(), Some(&slug("one")));
    assert_eq!(id_of_slug::<R>(store, "un").await, None);
    assert_eq!(id_of_slug::<R>(store, "wahid").await, Some(record.id));

    // Without a request the slug stays, unless the content has none.
    let other = Translation { slug: Some(slug("other")), ..titled("واحد") };
    let record = translate(store, &record, Language::Arabic, other).await;
    assert_eq!(slug_in(&record.content, Language::Arabic), Some(&slug("wahid")));
    let record = translate(store, &record, Language::Arabic, titled("واحد")).await;
    assert_eq!(slug_in(&record.content, Language::Arabic), None);
    assert_eq!(found(store, record.id).await.as_ref(), Some(&record));
    assert_eq!(id_of_slug::<R>(store, "wahid").await, None);
    assert_eq!(id_of_slug::<R>(store, "other").await, None);
}

/// A deleted record leaves no slug, no name and no text in any language.
pub async fn a_deleted_record_leaves_no_translation<R: Sample>(store: &dyn Store) {
    let requested = requests("one", [(Language::French, "un")]);
    let record = add_requesting(store, in_french::<R>("One", "Un"), requested).await;
    assert!(remove(store, record.id).await);
    assert_eq!(id_of_slug::<R>(store, "un").await, None);
    let repository = R::repository(store.repositories());
    let named = repository.find_named(&["un".to_owned()]).await.unwrap();
    assert!(named.is_empty());
    let other = add(store, R::sample("Un"), "un").await;
    assert_eq!(other.slug(), Some(&slug("un")));
}

/// An entry may be translated, and have a slug in another language, while its original has none.
pub async fn an_original_can_do_without_a_slug<R: Sample>(store: &dyn Store) {
    let mut content = in_french::<R>("One", "Un");
    let mut french = content.translations_mut().take(Language::French);
    french.description = Some(RichText::parse("Texte").unwrap());
    content.translations_mut().put(Language::French, french);
    let requested =
        SlugRequests { original: None, translations: [(Language::French, request("un"))].into() };
    let record = add_requesting(store, content, requested).await;
    assert_eq!(record.slug(), None);
    assert_eq!(found(store, record.id).await.as_ref(), Some(&record));
    assert_eq!(id_of_slug::<R>(store, "un").await, Some(record.id));
}
