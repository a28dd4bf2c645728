use app::feed::{
    CalendarHeader, FeedContent, FeedEvent, FeedItem, FeedOverride, FeedPlace, FeedSeries,
    FeedStatus, InLanguage,
};
use app::ports::CalendarFormat as _;
use domain::{
    Language,
    html::RichText,
    recurrence::{Recurrence, RecurrenceParts},
    time::{EventTime, Timestamp, parse_civil},
};
use proptest::prelude::*;

use super::*;

fn event(when: EventTime, title: &str) -> FeedEvent {
    FeedEvent {
        uid: "1@cal.example".to_owned(),
        stamp: when.start().utc,
        when,
        sequence: 3,
        status: FeedStatus::Confirmed,
        title: InLanguage::new(title.to_owned(), Language::English),
        url: "https://x.example/".to_owned(),
        content: Some(Box::new(FeedContent::new(Timestamp::MIN))),
    }
}

fn written(item: &FeedItem) -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer = ICalendar.writer(CalendarHeader::default());
    writer.begin(&mut file).unwrap();
    writer.item(item, &mut file).unwrap();
    writer.end(&mut file).unwrap();
    file
}

/// A series that is written and read has the same rule, dates and occurrences of its own.
#[test]
fn a_written_series_is_read_as_it_was() {
    let [start, end] =
        ["2027-03-02 19:00:00", "2027-03-02 21:00:00"].map(|text| parse_civil(text).unwrap());
    for zone_name in ["Europe/Paris", "+05:30", "UTC"] {
        let first = EventTime::new(zone(zone_name), start, end, false).unwrap();
        let lines = [
            "RRULE:FREQ=WEEKLY;COUNT=6",
            "RDATE:20270501T150000",
            "EXDATE:20270316T190000",
        ];
        let parts = RecurrenceParts::from_lines(&lines, first.zone()).unwrap();
        let recurrence = Recurrence::new(first.clone(), parts).unwrap();
        let mut series = FeedSeries::new(
            event(first.clone(), "Jazz night"),
            recurrence.clone(),
            Timestamp::MAX,
        );
        let slot = "2027-03-23T19:00:00".parse().unwrap();
        let when = recurrence.time_at(slot).unwrap();
        series.overrides = vec![FeedOverride {
            slot,
            event: event(when.clone(), "Trio"),
        }];
        let items = items(written(&series.into()));
        assert_eq!(findings(&items), [], "{zone_name}");
        let [read, own] = events(&items)[..] else {
            panic!("{items:?}")
        };
        assert_eq!(read.when, first);
        let again = Recurrence::new(read.when.clone(), read.recurrence.clone()).unwrap();
        assert_eq!(again, recurrence);
        assert_eq!(
            (own.title.as_str(), own.uid.as_deref()),
            ("Trio", Some("1@cal.example"))
        );
        assert_eq!(own.when.start().utc, when.start().utc);
        let id = own.recurrence_id.as_ref().unwrap();
        assert_eq!(id.value_in(first.zone()).basic(), "20270323T190000");
    }
}

proptest! {
    /// F-73: A written event is read with the same texts and times.
    #[test]
    fn a_written_event_is_read_as_it_was(
        title in "[^\\pC\\s][\\PC\\n\t]{0,60}",
        name in "[^\\pC\\s,][^\\pC\\p{Zl}\\p{Zp},]{0,30}[^\\pC\\s,]",
        description in "[^\\pC\\s][\\PC\\n]{0,200}",
        category in "[^\\pC\\s]{1,20}",
        seconds in 0..4_000_000_000_i64,
        length in 0..1_000_000_i64,
        zone_name in prop::sample::select(vec!["Europe/Paris", "America/New_York", "Asia/Tokyo", "Africa/Casablanca", "Australia/Lord_Howe"]),
        all_day in any::<bool>(),
    ) {
        let zone = zone(zone_name);
        let [start, end] = [seconds, seconds + length].map(|at| zone.at(Timestamp::from_seconds(at).unwrap()));
        let when = EventTime::between(zone, start, end, all_day).unwrap();
        let mut written_event = event(when.clone(), &title);
        let content = written_event.content.as_mut().unwrap();
        let html = RichText::from_plain(&description).unwrap();
        content.description = Some(InLanguage::new(html.clone(), Language::English));
        content.categories = vec![category.clone()];
        let place = FeedPlace { name: name.clone(), address: "a, b".to_owned(), ..FeedPlace::default() };
        content.place = Some(InLanguage::new(place, Language::English));
        let items = items(written(&written_event.into()));
        prop_assert_eq!(findings(&items), vec![]);
        let [read] = events(&items)[..] else { panic!("{items:?}") };
        prop_assert_eq!(&read.title, &title.replace(['\u{2028}', '\u{2029}'], "\n"));
        prop_assert_eq!(read.description.clone().unwrap_or_default(), html.as_text(usize::MAX));
        prop_assert_eq!(&read.categories, &[category]);
        if !name.starts_with("http") {
            prop_assert_eq!(&read.place.as_ref().unwrap().name, &name);
            prop_assert_eq!(&read.place.as_ref().unwrap().address, "a, b");
        }
        if all_day {
            // The file has no zone for whole days.
            prop_assert_eq!(read.when.start().local.date(), when.start().local.date());
            prop_assert_eq!(read.when.end().local.date(), when.end().local.date());
        } else {
            prop_assert_eq!(read.when.start().utc, when.start().utc);
            prop_assert_eq!(read.when.end().utc, when.end().utc);
        }
        prop_assert_eq!((read.sequence, read.stamp), (3, Some(when.start().utc)));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        items(bytes);
    }

    #[test]
    fn nearly_readable_files_do_not_either(
        lines in prop::collection::vec(
            "(BEGIN|END):(VCALENDAR|VEVENT|VTIMEZONE|STANDARD|X)|(DTSTART|DTEND|RDATE|EXDATE|RECURRENCE-ID)(;TZID=(Europe/Paris|Z|X))?:[0-9]{4}(0[1-9]|1[0-3])[0-3][0-9](T[0-2][0-9]0000Z?)?|RRULE:FREQ=(DAILY|YEARLY)(;UNTIL=[0-9]{8})?(;COUNT=[0-9]{1,5})?|TZID:[XZ]|TZOFFSET(TO|FROM):[+-][0-9]{4,6}|SUMMARY:x|DURATION:-?P?[0-9]{1,12}[WDTHMS]|GEO:[-0-9.;]{1,9}| .{0,5}|\\PC{0,20}",
            0..30,
        ),
    ) {
        items(lines.join("\n"));
    }
}
