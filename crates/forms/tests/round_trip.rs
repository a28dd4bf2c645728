//! A write that was written as the fields of a request is read as the same write.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::fmt::Debug;

use app::{
    entry::{EntryFields, EntryWrite, SentTexts},
    event::{
        CostWrite, EventFields, FlagChanges, PlaceRef, RecurrenceChange, Reset, Scope, SentRule,
        SeriesChange, ShownCost, TermRef, TicketFields,
    },
    fault::{FaultCollector, SentHtml},
    image::ImageRef,
    place::{OrganizerFields, VenueFields},
    site::Site,
    term::{TermKind, TermName, TermWrite},
    test_support::at,
    write::{Change, Update, WriteInput},
};
use domain::{
    Event, FieldName, Id, ImageId, Language, Organizer, Role, Secret, Status, Term, TextField,
    UserId, Venue,
    cost::{Cost, Currency},
    event::OverrideField,
    geo::Position,
    policy::Caller,
    recurrence::{MissingDay, Rule},
    slug::Slug,
    term::{Categories, Tags},
    text::{Title, collapsed_line},
    ticket::{OnSale, Price, Ticket},
    time::{SentDate, Timestamp, Zone, read_date},
    web_url::WebUrl,
};
use events_calendar_forms::{Fields, Form, Reading, update, written};
use proptest::{collection::vec, option::of, prelude::*, sample::select};
use serde_json::{Map, Value};

fn read<R: Form>(body: Map<String, Value>) -> WriteInput<R, Update> {
    let site = Site::default();
    let caller = Caller::of(UserId::from_raw(1), Role::Administrator);
    let mut fields = Fields::from_body(body);
    fields.strict = true;
    let reading = Reading {
        caller,
        site: &site,
        now: at("2030-01-01 09:00:00"),
    };
    update::<R>(&fields, reading)
}

fn check<R: Form>(write: R::Write, language: Option<Language>) {
    let mut sent = WriteInput::<R, Update>::new(write, FaultCollector::default());
    sent.language = language;
    let body = written(&sent);
    let read = read::<R>(body.clone());
    assert_eq!(read.faults.clone().finish(), Ok(()), "{body:?}");
    assert_eq!(read.language, language);
    assert_eq!(
        format!("{:?}", read.write),
        format!("{:?}", sent.write),
        "{body:?}"
    );
    // `Debug` hides secrets.
    assert_eq!(written(&read), body);
}

fn one_of<T: Clone + Debug + 'static>(values: impl Into<Vec<T>>) -> impl Strategy<Value = T> {
    select(values.into())
}

fn parsed<T>(texts: &[&str]) -> impl Strategy<Value = T> + use<T>
where
    T: Clone + Debug + std::str::FromStr + 'static,
    T::Err: Debug,
{
    let values: Vec<T> = texts.iter().map(|text| text.parse().unwrap()).collect();
    select(values)
}

fn change<T: Clone + Debug>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Change<T>> {
    of(of(value)).prop_map(|change| match change {
        None => Change::Keep,
        Some(None) => Change::Clear,
        Some(Some(value)) => Change::Set(value),
    })
}

fn title() -> impl Strategy<Value = Title> {
    "[ -~éб<>&;]{1,30}".prop_filter_map("a title", |text| text.parse().ok())
}

fn line() -> impl Strategy<Value = String> {
    "[ -~éб<>&;]{0,30}".prop_map(|text| collapsed_line(&text))
}

fn html(field: FieldName) -> impl Strategy<Value = Option<SentHtml>> {
    of("[ -~<>é]{0,40}").prop_map(move |text| FaultCollector::default().read_html(field, &text?))
}

fn slug() -> impl Strategy<Value = Slug> {
    "[a-z]{1,8}(-[a-z]{1,8})?".prop_filter_map("a slug", |text| Slug::typed(&text))
}

fn web_url() -> impl Strategy<Value = WebUrl> {
    parsed(&["https://mill.example/", "http://a.example/x?y=1,2#z"])
}

fn number() -> impl Strategy<Value = i64> {
    1..i64::MAX
}

fn id<R>() -> impl Strategy<Value = Id<R>> {
    number().prop_map(Id::from_raw)
}

fn image() -> impl Strategy<Value = ImageRef> {
    prop_oneof![
        number().prop_map(|id| ImageRef::Id(ImageId::from_raw(id))),
        web_url().prop_map(ImageRef::Url),
    ]
}

fn date() -> impl Strategy<Value = SentDate> {
    let texts = [
        "2030-03-10 09:00:00",
        "2030-03-10T09:00:00+01:00",
        "1999-12-31",
    ];
    let zone = Site::default().zone;
    let dates = texts.map(|text| read_date(text, &zone, Timestamp::MIN).unwrap());
    select(dates.to_vec())
}

fn shared(
    title: BoxedStrategy<Change<Title>>,
    slug: BoxedStrategy<Change<Slug>>,
    has_excerpt: bool,
) -> BoxedStrategy<EntryFields> {
    let texts = (html(FieldName::Description), html(FieldName::Excerpt));
    let moment = of(0_i64..4_000_000_000);
    let of_entry = (of(number()), of(date()), moment, of(one_of(Status::ALL)));
    (title, slug, texts, of_entry, change(image()))
        .prop_map(
            move |(
                title,
                slug,
                (description, excerpt),
                (author, date, date_utc, status),
                image,
            )| {
                EntryFields {
                    title,
                    author: author.map(UserId::from_raw),
                    date,
                    date_utc: date_utc.and_then(Timestamp::from_seconds),
                    html: SentTexts {
                        description,
                        excerpt: excerpt.filter(|_| has_excerpt),
                    },
                    slug,
                    status,
                    image,
                    ..EntryFields::default()
                }
            },
        )
        .boxed()
}

fn place(title: BoxedStrategy<Change<Title>>) -> BoxedStrategy<EntryFields> {
    shared(title, Just(Change::Keep).boxed(), false)
}

fn venue() -> BoxedStrategy<VenueFields> {
    let texts = vec((one_of(TextField::ALL), line()), 0..4);
    let degrees = (-90_f64..=90.0, -180_f64..=180.0);
    let position = degrees.prop_map(|(north, east)| Position::new(north, east).unwrap());
    let flags = (of(any::<bool>()), of(any::<bool>()));
    let lines = (of(line()), of(line()));
    (texts, lines, change(web_url()), flags, change(position))
        .prop_map(
            |(texts, (zip, phone), website, (show_map, show_map_link), position)| VenueFields {
                texts: texts.into_iter().collect(),
                zip,
                phone,
                website,
                show_map,
                show_map_link,
                position,
            },
        )
        .boxed()
}

fn organizer() -> BoxedStrategy<OrganizerFields> {
    (of(line()), change(web_url()), of(line()))
        .prop_map(|(phone, website, email)| OrganizerFields {
            phone,
            website,
            email,
        })
        .boxed()
}

fn term<X: TermKind>() -> impl Strategy<Value = TermWrite<X>> {
    let name = prop_oneof![title().prop_map(TermName::Usable), Just(TermName::Blank)];
    let parent = change(id::<Term<X>>());
    (
        change(name),
        change(slug()),
        html(FieldName::Description),
        parent,
    )
        .prop_map(|(name, slug, html, parent)| TermWrite {
            name,
            slug,
            description: None,
            html,
            // Tags have none.
            parent: if X::HIERARCHICAL {
                parent
            } else {
                Change::Keep
            },
        })
}

fn term_ref() -> impl Strategy<Value = TermRef> {
    let digits = (1..10_000_i64).prop_map(|id| TermRef::Digits {
        id,
        name: id.to_string().parse().unwrap(),
        creates: true,
    });
    // Digits alone are another reference.
    let name = title().prop_filter("a name", |name| name.as_str().contains(char::is_alphabetic));
    prop_oneof![
        number().prop_map(TermRef::Id),
        digits,
        name.prop_map(TermRef::Name)
    ]
}

fn rule() -> impl Strategy<Value = Rule> {
    parsed(&[
        "FREQ=WEEKLY;COUNT=6",
        "FREQ=MONTHLY;INTERVAL=2;UNTIL=20310101;BYDAY=-1FR,MO;WKST=SU",
    ])
}

fn recurrence() -> BoxedStrategy<RecurrenceChange> {
    let lines = ["RRULE:FREQ=DAILY;COUNT=3", "RDATE:20300312T190000"];
    let parts = (rule(), one_of([MissingDay::Skip, MissingDay::Last]));
    let parts = parts.prop_map(|(rule, missing)| SentRule::Parts(rule.parts().clone(), missing));
    let sent = prop_oneof![
        Just(SentRule::None),
        rule().prop_map(SentRule::Whole),
        parts
    ];
    let dates = || {
        of(vec(
            one_of(["2030-03-12", "2030-03-12T19:00:00"].map(str::to_owned)),
            0..3,
        ))
    };
    prop_oneof![
        Just(RecurrenceChange::Stop),
        rule().prop_map(RecurrenceChange::Rule),
        Just(RecurrenceChange::Lines(lines.map(str::to_owned).to_vec())),
        (of(sent), dates(), dates()).prop_map(|(rule, extra, deleted)| {
            RecurrenceChange::Members {
                rule,
                extra,
                deleted,
            }
        }),
    ]
    .boxed()
}

fn cost() -> BoxedStrategy<CostWrite> {
    let texts = || one_of(["5-10", "€5", "20 €", "Free", "15,50"]);
    let amounts = vec(texts(), 0..4).prop_map(|texts| CostWrite {
        shown: None,
        values: Cost::parse(&texts).unwrap(),
    });
    let text = texts().prop_map(|text| CostWrite {
        shown: Some(ShownCost::Text(text.to_owned())),
        values: Cost::parse(&[text]).unwrap(),
    });
    let parts =
        one_of([("€", "€ 5"), ("€", "5 €"), ("", "5")]).prop_map(|(symbol, text)| CostWrite {
            shown: Some(ShownCost::Parts {
                symbol: symbol.to_owned(),
                values: ["5".to_owned()].to_vec(),
            }),
            values: Cost::parse(&[text]).unwrap(),
        });
    prop_oneof![amounts, text, parts].boxed()
}

fn ticket() -> BoxedStrategy<TicketFields> {
    let price = parsed::<Price>(&["12.50", "0"]);
    let time = || of(one_of(["2030-03-01 09:00", "2030-03-01T09:00:00Z"]));
    (title(), price, currency(), of(web_url()), time(), time())
        .prop_map(|(name, price, currency, url, from, until)| TicketFields {
            ticket: Ticket {
                name,
                price,
                currency,
                url,
                on_sale: OnSale::default(),
            },
            from: from.map(str::to_owned),
            until: until.map(str::to_owned),
        })
        .boxed()
}

fn currency() -> impl Strategy<Value = Currency> {
    parsed(&["EUR", "USD"])
}

fn series() -> impl Strategy<Value = SeriesChange> {
    let fields = vec(one_of(OverrideField::ALL.to_vec()), 1..3).prop_map(Reset::Fields);
    let reset = prop_oneof![Just(Reset::All), fields];
    (
        of(one_of(Scope::ALL)),
        any::<bool>(),
        any::<bool>(),
        of(reset),
        any::<bool>(),
    )
        .prop_map(
            |(scope, resets_overrides, keeps_orphans, reset, detach)| SeriesChange {
                scope,
                resets_overrides,
                keeps_orphans,
                reset,
                detach,
            },
        )
}

fn flags() -> impl Strategy<Value = FlagChanges> {
    any::<[Option<bool>; 6]>().prop_map(
        |[
            cancelled,
            show_map,
            show_map_link,
            hide_from_listings,
            sticky,
            featured,
        ]| FlagChanges {
            cancelled,
            show_map,
            show_map_link,
            hide_from_listings,
            sticky,
            featured,
        },
    )
}

fn event() -> BoxedStrategy<EventFields> {
    let time = || {
        of(one_of(
            ["2030-03-10 09:00", "tomorrow 9am", "1893456000"].map(str::to_owned),
        ))
    };
    let zone = of(parsed::<Zone>(&["Europe/Paris", "UTC", "UTC+2"]));
    let of_time = (
        zone,
        time(),
        time(),
        of(any::<bool>()),
        of(recurrence()),
        series(),
    )
        .boxed();
    let of_price = (
        of(cost()),
        change(currency()),
        of(vec(ticket(), 0..3)),
        change(web_url()),
    )
        .boxed();
    let password = change("[ -~]{1,12}".prop_map(Secret::new));
    let terms = || of(vec(term_ref(), 0..4));
    let inline = (place(title().prop_map(Change::Set).boxed()), venue());
    let inline = inline
        .prop_map(|(shared, own)| EntryWrite::new(shared, own))
        .boxed();
    let venue = prop_oneof![
        number().prop_map(PlaceRef::Id),
        inline.prop_map(|write| PlaceRef::New(Box::new(write))),
    ]
    .boxed();
    let inline = (place(title().prop_map(Change::Set).boxed()), organizer());
    let inline = inline
        .prop_map(|(shared, own)| EntryWrite::new(shared, own))
        .boxed();
    let organizer = prop_oneof![
        number().prop_map(PlaceRef::Id),
        inline.prop_map(|write| PlaceRef::New(Box::new(write))),
    ]
    .boxed();
    let links = (
        terms(),
        terms(),
        change(venue),
        of(vec(organizer, 0..3)),
        change(id::<Event>()),
    )
        .boxed();
    (of_time, of_price, flags(), password, links)
        .prop_map(
            |(
                (zone, start, end, all_day, recurrence, series),
                (cost, currency, tickets, website),
                flags,
                password,
                (categories, tags, venue, organizers, parent),
            )| EventFields {
                zone,
                start,
                end,
                all_day,
                series_start: None,
                recurrence,
                series,
                cost,
                currency,
                tickets,
                website,
                flags,
                password,
                categories,
                tags,
                venue,
                organizers,
                parent,
            },
        )
        .boxed()
}

fn language() -> impl Strategy<Value = Option<Language>> {
    // An empty title without a language is a doubt, which another fault alone reports.
    of(one_of(Language::ALL))
}

proptest! {
    #[test]
    fn events(
        shared in shared(change(title()).boxed(), change(slug()).boxed(), true),
        own in event(),
        language in language(),
    ) {
        check::<Event>(EntryWrite::new(shared, own), language);
    }

    #[test]
    fn venues(shared in place(change(title()).boxed()), own in venue(), language in language()) {
        check::<Venue>(EntryWrite::new(shared, own), language);
    }

    #[test]
    fn organizers(shared in place(change(title()).boxed()), own in organizer(), language in language()) {
        check::<Organizer>(EntryWrite::new(shared, own), language);
    }

    #[test]
    fn categories(write in term::<Categories>(), language in language()) {
        check::<Term<Categories>>(write, language);
    }

    #[test]
    fn tags(write in term::<Tags>(), language in language()) {
        check::<Term<Tags>>(write, language);
    }
}
