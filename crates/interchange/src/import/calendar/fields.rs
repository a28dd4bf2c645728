//! The fields of an event of a file, as a write.

use app::write::{Builder, EventUpdate, NewEvent, NewOrganizer, NewVenue, Update};
use domain::{
    EmailAddress, Event, FieldName, Status,
    html::RichText,
    recurrence::{DateValue, RecurrenceParts},
    text::{InvalidTitle, Title, has_elements, without_references},
    time::EventTime,
    web_url::WebUrl,
};
use serde_json::{Map, Value, json};

use crate::{Finding, FindingCode, ReadEvent, ReadPlace};

pub(super) type EventBuilder = Builder<Event, Update>;

/// The properties whose absence, or blank value, removes the value of a field.
const REMOVABLE: [&str; 5] = ["DESCRIPTION", "LOCATION", "URL", "ORGANIZER", "CATEGORIES"];

/// The fields of a write.
pub(super) struct Fields<'a> {
    write: EventBuilder,
    /// The fields as the JSON of a request, of which digests are made: stored digests are of this form.
    pub(super) json: Map<String, Value>,
    /// Whether a field is set.
    takes: &'a (dyn Fn(FieldName) -> bool + Sync),
}

impl<'a> Fields<'a> {
    pub(super) fn taking(takes: &'a (dyn Fn(FieldName) -> bool + Sync)) -> Self {
        Self {
            write: EventUpdate::builder(),
            json: Map::new(),
            takes,
        }
    }

    pub(super) fn all() -> Self {
        Self::taking(&|_| true)
    }

    pub(super) fn update(&self) -> EventUpdate {
        self.write.clone().build()
    }

    /// The write of a new event, with a status if it has none of its own.
    pub(super) fn create(&self, status: Option<Status>) -> NewEvent {
        let has_status = self.json.contains_key(FieldName::Status.as_str());
        let write = match status.filter(|_| !has_status) {
            Some(status) => self.write.clone().status(status),
            None => self.write.clone(),
        };
        let EventUpdate { write, faults, .. } = write.build();
        NewEvent::new(write, faults)
    }

    pub(super) fn set(
        mut self,
        name: FieldName,
        json: impl Into<Value>,
        set: impl FnOnce(EventBuilder) -> EventBuilder,
    ) -> Self {
        if (self.takes)(name) {
            self.json.insert(name.as_str().to_owned(), json.into());
            self.write = set(self.write);
        }
        self
    }

    pub(super) fn title(self, title: &Title) -> Self {
        self.set(FieldName::Title, title.as_str(), |to| {
            to.title(title.clone())
        })
    }

    pub(super) fn status(self, status: Status) -> Self {
        self.set(FieldName::Status, status.name(), |to| to.status(status))
    }

    pub(super) fn time(self, when: &EventTime) -> Self {
        let [start, end] = [when.start(), when.end()].map(|moment| format!("{}Z", moment.utc));
        self.set(FieldName::TimeZone, when.zone().name(), |to| {
            to.time(when.clone())
        })
        .set(FieldName::StartDate, start, |to| to)
        .set(FieldName::EndDate, end, |to| to)
        .set(FieldName::AllDay, when.all_day(), |to| to)
    }

    pub(super) fn recurrence(self, parts: &RecurrenceParts) -> Self {
        let texts = |dates: &[DateValue]| dates.iter().map(ToString::to_string).collect::<Vec<_>>();
        let rule = parts.rule.as_ref().map(ToString::to_string);
        let json = json!({
            "rrule": rule.unwrap_or_default(),
            "rdate": texts(&parts.extra),
            "exdate": texts(&parts.deleted),
        });
        self.set(FieldName::Recurrence, json, |to| {
            to.recurrence(parts.clone())
        })
    }

    /// Removes what a file may have. Fields that are set later have their values nevertheless.
    pub(super) fn nothing(self) -> Self {
        let all = REMOVABLE.into_iter().fold(self, Self::remove);
        all.set(FieldName::Recurrence, "", EventBuilder::stop_repeating)
    }

    /// Removes the values of the properties that are blank.
    pub(super) fn blanks(self, blanks: &[String]) -> Self {
        let is_blank = |property: &&str| blanks.iter().any(|name| name == property);
        REMOVABLE
            .into_iter()
            .filter(is_blank)
            .fold(self, Self::remove)
    }

    fn remove(self, property: &str) -> Self {
        let none = || Value::Array(Vec::new());
        match property {
            "DESCRIPTION" => self.set(FieldName::Description, "", |to| to.description("")),
            "LOCATION" => self.set(FieldName::Venue, "", EventBuilder::clear_venue),
            "URL" => self.set(FieldName::Website, "", EventBuilder::clear_website),
            "ORGANIZER" => self.set(FieldName::Organizer, none(), EventBuilder::clear_organizers),
            _ => self.set(
                FieldName::Categories,
                none(),
                EventBuilder::clear_categories,
            ),
        }
    }

    /// Sets the fields that the file has, but for title, time, status and recurrence.
    pub(super) fn texts(
        mut self,
        event: &ReadEvent,
        warnings: &mut Vec<Finding>,
    ) -> Result<Self, Finding> {
        if let Some(text) = &event.description {
            let html = if has_elements(text) {
                text.clone()
            } else {
                let text = RichText::from_plain(&without_references(text));
                let bad = |_| event.finding("DESCRIPTION", FindingCode::BadValue);
                text.map_err(bad)?.as_str().to_owned()
            };
            self = self.set(FieldName::Description, &*html, |to| to.description(&*html));
        }
        let of_place = event.place.as_ref().map(|place| &place.url);
        let of_place = of_place.filter(|url| !url.is_empty());
        match event
            .url
            .as_ref()
            .or(of_place)
            .map(|url| url.parse::<WebUrl>())
        {
            Some(Ok(url)) => {
                self = self.set(FieldName::Website, url.as_str(), |to| {
                    to.website(url.clone())
                });
            }
            Some(Err(_)) => warnings.push(event.finding("URL", FindingCode::BadValue)),
            None => {}
        }
        if let Some(place) = event.place.as_ref().filter(|one| !one.name.is_empty()) {
            self = self.venue(event, place)?;
        }
        self = self.organizer(event)?;
        let categories = event.categories.iter();
        let categories = categories.filter_map(|name| without_references(name).parse().ok());
        let categories: Vec<Title> = categories.collect();
        if !categories.is_empty() {
            // In the JSON of a request, the markup says that digits are a name.
            let json: Vec<_> = categories.iter().map(|name| format!("<b>{name}")).collect();
            self = self.set(FieldName::Categories, json, |to| to.categories(categories));
        }
        Ok(self)
    }

    fn venue(self, event: &ReadEvent, place: &ReadPlace) -> Result<Self, Finding> {
        let name = name(event, "LOCATION", &place.name)?;
        let mut json = json!({ "venue": name.as_str() });
        let mut venue = NewVenue::builder(name);
        if !place.address.is_empty() {
            let address = without_references(&place.address);
            let lines = address.lines().map(str::trim);
            let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
            json["address"] = lines.join(", ").into();
            venue = venue.address(lines.join(", "));
        }
        if let Some(position) = event.position {
            json["geo_lat"] = position.latitude().into();
            json["geo_lng"] = position.longitude().into();
            venue = venue.position(position);
        }
        Ok(self.set(FieldName::Venue, json, |to| to.venue(venue.build())))
    }

    /// Sets the organizer by its name, or else its e-mail address.
    fn organizer(self, event: &ReadEvent) -> Result<Self, Finding> {
        let names = event
            .organizer
            .iter()
            .flat_map(|one| [(one, &one.name), (one, &one.email)]);
        let mut names = names.filter(|(_, name)| !name.trim().is_empty());
        let Some((read, name)) = names.next() else {
            return Ok(self);
        };
        let name = self::name(event, "ORGANIZER", name)?;
        let mut json = json!({ "organizer": name.as_str() });
        let mut organizer = NewOrganizer::builder(name);
        if read.email.parse::<EmailAddress>().is_ok() {
            json["email"] = (&*read.email).into();
            organizer = organizer.email(&*read.email);
        }
        Ok(self.set(FieldName::Organizer, vec![json], |to| {
            to.organizers([organizer.build()])
        }))
    }
}

/// The name in a property.
fn name(event: &ReadEvent, property: &str, text: &str) -> Result<Title, Finding> {
    let bad = |_| event.finding(property, FindingCode::BadValue);
    without_references(text).parse().map_err(bad)
}

/// The title of an event of a file.
pub(super) fn title(event: &ReadEvent) -> Result<Title, Finding> {
    let bad = |error| {
        let code = match error {
            InvalidTitle::Empty => FindingCode::NoTitle,
            InvalidTitle::TooLong { .. } => FindingCode::BadValue,
        };
        event.finding("SUMMARY", code)
    };
    without_references(&event.title).parse().map_err(bad)
}

#[cfg(test)]
mod tests {
    use domain::{
        geo::Position,
        time::{Zone, parse_civil},
    };

    use super::*;
    use crate::ReadOrganizer;
    use app::feed::FeedStatus;

    fn event() -> ReadEvent {
        let [nine, noon] =
            ["2030-03-10 09:00:00", "2030-03-10 12:00:00"].map(|text| parse_civil(text).unwrap());
        let zone: Zone = "Europe/Paris".parse().unwrap();
        ReadEvent {
            line: 2,
            uid: Some("a".to_owned()),
            sequence: 0,
            stamp: None,
            when: EventTime::new(zone, nine, noon, false).unwrap(),
            status: FeedStatus::Confirmed,
            title: "Fair".to_owned(),
            description: Some("One\n\nTwo".to_owned()),
            place: ReadPlace::parse("Mill, 3  Quai,\n Lyon"),
            position: Some(Position::new(45.5, 4.0).unwrap()),
            url: Some("https://fair.example".to_owned()),
            organizer: Some(ReadOrganizer {
                name: String::new(),
                email: "a@b.example".to_owned(),
            }),
            categories: vec!["2027".to_owned()],
            is_private: false,
            blanks: Vec::new(),
            parent_uid: None,
            recurrence: RecurrenceParts::default(),
            periods: Vec::new(),
            recurrence_id: None,
        }
    }

    /// With other bytes, an import would take each event of an unchanged file for changed.
    #[test]
    fn the_json_of_digests_keeps_its_bytes() {
        let event = event();
        let recurrence = RecurrenceParts {
            rule: Some("FREQ=DAILY;COUNT=2".parse().unwrap()),
            ..RecurrenceParts::default()
        };
        let fields = Fields::all()
            .title(&title(&event).unwrap())
            .time(&event.when);
        let fields = fields.texts(&event, &mut Vec::new()).unwrap();
        let fields = fields.status(Status::Private).recurrence(&recurrence);
        assert_eq!(
            Value::Object(fields.json).to_string(),
            concat!(
                r#"{"title":"Fair","timezone":"Europe/Paris","start_date":"2030-03-10 08:00:00Z","#,
                r#""end_date":"2030-03-10 11:00:00Z","all_day":false,"#,
                r#""description":"<p>One</p>\n<p>Two</p>","website":"https://fair.example","#,
                r#""venue":{"venue":"Mill","address":"3  Quai,, Lyon","geo_lat":45.5,"geo_lng":4.0},"#,
                r#""organizer":[{"organizer":"a@b.example","email":"a@b.example"}],"#,
                r#""categories":["<b>2027"],"status":"private","#,
                r#""recurrence":{"rrule":"FREQ=DAILY;COUNT=2","rdate":[],"exdate":[]}}"#,
            )
        );
        let blanks = ["URL", "DTSTAMP", "CATEGORIES", "ORGANIZER"].map(str::to_owned);
        let json = Fields::all().blanks(&blanks).json;
        let expected = r#"{"website":"","organizer":[],"categories":[]}"#;
        assert_eq!(Value::Object(json).to_string(), expected);
    }

    #[test]
    fn fields_that_are_not_taken_stay() {
        let event = event();
        let takes = |field| field == FieldName::Website;
        let fields = Fields::taking(&takes).nothing().time(&event.when);
        let fields = fields.texts(&event, &mut Vec::new()).unwrap();
        assert!(fields.update().names().eq([FieldName::Website]));
    }
}
