//! The face of a site: names, logo, colour and links on its pages.

use domain::{
    Language,
    site::{Logo, SiteValue, WeekStart},
};
use http_service::face::{FixedFace, Origin};
use tests::{app::TestApp, db::TestDb};

/// A face that the program fixes.
fn fixed(values: impl IntoIterator<Item = SiteValue>) -> FixedFace {
    let face = FixedFace::default();
    values.into_iter().fold(face, |face, value| face.with(value, Origin::Program))
}

#[tokio::test]
async fn pages_show_the_face() {
    let logo = Logo::new(b"\x89PNG\r\n\x1a\n<logo>".to_vec()).unwrap();
    let values = [
        SiteValue::Name("Springfield".parse().unwrap()),
        SiteValue::NameIn(Language::French, "Ville de Springfield".parse().unwrap()),
        SiteValue::Colour("#7a1f3d".parse().unwrap()),
        SiteValue::Logo(logo),
        SiteValue::Footer("Town of <Springfield>".parse().unwrap()),
        SiteValue::Imprint("https://town.example/imprint?a=1&b=2".parse().unwrap()),
        SiteValue::Privacy("https://town.example/privacy".parse().unwrap()),
    ];
    let face = fixed(values).with_stylesheet(b"h1 { letter-spacing: 0 }".to_vec()).unwrap();
    let app = TestApp::builder(TestDb::sqlite().await).build_with(|state| state.with_face(face));
    let app = app.await;
    let page = app.anonymous().get("//").await.text();
    for part in [
        "· Springfield</title>",
        "<p dir=\"auto\">Town of &#60;Springfield&#62;</p>",
        "href=\"https://town.example/imprint?a=1&#38;b=2\">Imprint</a>",
        "href=\"https://town.example/privacy\">Privacy</a>",
        "For developers",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let page_in_french = app.anonymous().get("//fr/").await.text();
    assert!(page_in_french.contains("· Ville de Springfield</title>"), "{page_in_french}");
    assert!(page_in_french.contains(">Mentions légales</a>"), "{page_in_french}");

    let assets = page.split("\"/assets/").skip(1).map(|rest| rest.split('"').next().unwrap());
    let mut types = Vec::new();
    for name in assets {
        let asset = app.anonymous().get(&format!("//assets/{name}")).await;
        assert_eq!(asset.status, 200, "{name}");
        types.push((
            name.split('-').next().unwrap().to_owned(),
            asset.header("content-type").to_owned(),
        ));
    }
    let of = |stem: &str| types.iter().find(|(one, _)| one == stem).map(|(_, kind)| &**kind);
    assert_eq!(of("colour"), Some("text/css; charset=UTF-8"));
    assert_eq!(of("site"), Some("text/css; charset=UTF-8"));
    assert_eq!(of("logo"), Some("image/png"));
}

/// Without a face, no page loads its files or has an empty footer.
#[tokio::test]
async fn pages_without_a_face_have_none() {
    let app = TestApp::sqlite().await;
    let page = app.anonymous().get("//").await.text();
    for part in ["colour-", "logo", "Imprint", "<p dir"] {
        assert!(!page.contains(part), "{part}: {page}");
    }
}

#[tokio::test]
async fn weeks_begin_on_the_day_of_the_site() {
    let app = TestApp::builder(TestDb::sqlite().await)
        .build_with(|state| state.with_face(fixed([SiteValue::WeekStart(WeekStart::Sunday)])));
    let app = app.await;
    for language in ["ar", "en", "fr"] {
        let answer = app.anonymous().get(&format!("//{language}/events/week/2027-01-02/")).await;
        let week = format!("https://cal.example/{language}/events/week/2026-12-27/");
        assert_eq!((answer.status, answer.header("location")), (301, &*week));
    }
}
