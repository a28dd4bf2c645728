//! Values as texts, and records as items of feeds.

use adapters_ical::ICalendar;
use app::{feed::*, ports::CalendarFormat as _, test_support::*, write::NewEvent};
use domain::{
    EventId, Role, event::EventSort, image::ImageFormat, policy::Capability, recurrence::*,
    slug::Slug, time::*,
};

type Tested = Result<(), Box<dyn std::error::Error>>;

#[tokio::test]
async fn what_is_displayed_is_read_back() -> Tested {
    assert_eq!("7".parse::<EventId>()?.to_string(), "7");
    let nine = "2030-03-10 09:00:00".parse::<Timestamp>()?;
    assert_eq!(nine.to_string(), "2030-03-10 09:00:00");
    assert_eq!("river-cleanup".parse::<Slug>()?.as_str(), "river-cleanup");
    assert_eq!("WebP".parse::<ImageFormat>()?, ImageFormat::Webp);
    for sort in EventSort::ALL {
        assert_eq!(sort.name().parse::<EventSort>()?, sort);
    }
    for right in Capability::ALL {
        assert_eq!(right.to_string().parse::<Capability>()?, right);
    }
    Ok(())
}

#[tokio::test]
async fn a_stored_event_becomes_a_calendar_file() -> Tested {
    let store = InMemoryStore::new();
    let editor = add_user(&store, "ada", Role::Editor).await;
    let nine = at("2030-03-10 09:00:00").civil();
    let when = EventTime::new(Zone::utc(), nine, nine, false)?;
    let fair = NewEvent::builder("Fair".parse()?, when).build();
    let stored = calendar(store).await.create(editor, &fair).await?;

    let item = FeedItem::from(&stored.event.stored()?);
    let (mut file, mut writer) = (Vec::new(), ICalendar.writer(CalendarHeader::default()));
    writer.begin(&mut file)?;
    writer.item(&item, &mut file)?;
    writer.end(&mut file)?;
    assert!(String::from_utf8(file)?.contains("SUMMARY;LANGUAGE=en:Fair"));
    Ok(())
}

#[tokio::test]
async fn an_endless_series_bounds_itself() -> Tested {
    let nine = at("2030-03-10 09:00:00").civil();
    let when = EventTime::new("Europe/Paris".parse()?, nine, nine, false)?;
    let parts = RecurrenceParts::from_lines(&["RRULE:FREQ=DAILY"], when.zone())?;
    let daily = Recurrence::new(when.clone(), parts)?;
    let event = FeedEvent {
        uid: "1@cal.example".to_owned(),
        stamp: when.start().utc,
        when,
        sequence: 0,
        status: FeedStatus::Confirmed,
        title: InLanguage::new("Swim".to_owned(), domain::Language::English),
        url: String::new(),
        content: None,
    };
    let series = FeedSeries::new(event, daily, Timestamp::MAX);
    assert!(series.horizon() < "2071-01-01 00:00:00".parse()?);
    Ok(())
}
