//! The tables of venues and organizers.

use app::{feed::FeedUrls, place::PlaceView};
use domain::{OrganizerDetails, VenueDetails, web_url::WebUrl};

use super::Column;

/// The columns of venues.
pub const VENUE_COLUMNS: &[Column<PlaceView<VenueDetails>>] = &[
    Column::new("Venue ID", "id", id),
    Column::new("Venue Name", "venue", name),
    Column::new("Venue Description", "description", description),
    Column::new("Venue Country", "country", |view, _| {
        view.entry.details.country.clone()
    }),
    Column::new("Venue Address", "address", |view, _| {
        view.entry.details.address.clone()
    }),
    Column::new("Venue City", "city", |view, _| {
        view.entry.details.city.clone()
    }),
    Column::new("Venue State/Province", "stateprovince", |view, _| {
        view.entry.details.stateprovince.clone()
    }),
    Column::new("Venue Zip", "zip", |view, _| view.entry.details.zip.clone()),
    Column::new("Venue Phone", "phone", |view, _| {
        view.entry.details.phone.clone()
    }),
    Column::new("Venue Website", "website", |view, _| {
        website(view.entry.details.website.as_ref())
    }),
    Column::new("Venue Featured Image", "image", image),
];

/// The columns of organizers.
pub const ORGANIZER_COLUMNS: &[Column<PlaceView<OrganizerDetails>>] = &[
    Column::new("Organizer ID", "id", id),
    Column::new("Organizer Name", "organizer", name),
    Column::new("Organizer Description", "description", description),
    Column::new("Organizer Email", "email", |view, _| {
        view.entry.details.email.clone()
    }),
    Column::new("Organizer Website", "website", |view, _| {
        website(view.entry.details.website.as_ref())
    }),
    Column::new("Organizer Phone", "phone", |view, _| {
        view.entry.details.phone.clone()
    }),
    Column::new("Organizer Featured Image", "image", image),
];

fn id<D>(view: &PlaceView<D>, _: &dyn FeedUrls) -> String {
    view.entry.id.to_string()
}

fn name<D>(view: &PlaceView<D>, _: &dyn FeedUrls) -> String {
    view.entry.title.as_str().to_owned()
}

fn description<D>(view: &PlaceView<D>, _: &dyn FeedUrls) -> String {
    view.entry.description.as_str().to_owned()
}

fn website(website: Option<&WebUrl>) -> String {
    website.map_or("", WebUrl::as_str).to_owned()
}

fn image<D>(view: &PlaceView<D>, urls: &dyn FeedUrls) -> String {
    let image = view.image.as_deref();
    image.map_or_else(String::new, |image| urls.image(image))
}

#[cfg(test)]
mod tests {
    use app::request::Purpose;
    use domain::{FieldName, Organizer, Venue};
    use forms::Form;

    use super::*;

    /// The fields that the tables of the sites that move here do not have either.
    const WITHOUT_COLUMN: [FieldName; 10] = [
        FieldName::Author,
        FieldName::Date,
        FieldName::DateUtc,
        FieldName::Latitude,
        FieldName::Longitude,
        FieldName::Province,
        FieldName::ShowMap,
        FieldName::ShowMapLink,
        FieldName::State,
        FieldName::Status,
    ];

    fn assert_decided<R: Form>(columns: &[&str]) {
        for field in R::fields(Purpose::Create) {
            let has_column = columns.contains(&field.name.as_str());
            let is_without = WITHOUT_COLUMN.contains(&field.name);
            assert_ne!(has_column, is_without, "{}: {}", R::KIND, field.name);
        }
    }

    #[test]
    fn every_field_of_a_write_has_a_column_or_none() {
        let columns: Vec<_> = VENUE_COLUMNS.iter().map(|one| one.field).collect();
        assert_decided::<Venue>(&columns);
        let columns: Vec<_> = ORGANIZER_COLUMNS.iter().map(|one| one.field).collect();
        assert_decided::<Organizer>(&columns);
    }
}
