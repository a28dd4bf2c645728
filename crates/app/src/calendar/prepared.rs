//! Writes that are checked before their unit of work begins.

use domain::{
    Event, FieldName, Language, Secret, Stored, event::Repetition, policy::Caller, time::EventTime,
};

use super::{Calendar, require_write};
use crate::{
    error::AppError,
    fault::{Fault, FaultCollector},
    request::{FetchedImages, Purpose, Request},
    resource::Resource,
    write::{New, Update, Upload, WriteInput},
};

/// A write whose fields and formatted texts are checked, for a caller who may write such records.
#[derive(Debug)]
pub struct Prepared<R: Resource> {
    /// Boxed, as futures move it.
    pub(super) write: Box<R::Write>,
    pub(super) language: Option<Language>,
    password: Option<Secret>,
    pub(super) image_file: Option<Upload>,
    images: FetchedImages,
}

impl<R: Resource> Prepared<R> {
    /// The same write with images that were fetched for it.
    #[must_use]
    pub fn with_images(self, images: FetchedImages) -> Self {
        Self { images, ..self }
    }

    /// The images that were fetched for it.
    pub const fn images(&self) -> &FetchedImages {
        &self.images
    }

    /// A request made now, by this write.
    pub(super) fn request<'a>(&'a self, calendar: &'a Calendar, caller: Caller) -> Request<'a> {
        let password = self.password.as_ref();
        Request {
            password: password.map(|password| Secret::new(password.expose().as_str())),
            language: self.language,
            images: &self.images,
            ..calendar.request_of(caller)
        }
    }
}

impl Prepared<Event> {
    /// The time of the event after the write, and whether and how it repeats. Nothing is stored.
    ///
    /// ```
    /// use events_calendar_app::write::NewEvent;
    /// use domain::{event::Repetition, recurrence::RecurrenceParts, time::{EventTime, Zone, parse_civil}};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let start = parse_civil("2027-03-09 19:00:00").unwrap();
    /// let when = EventTime::new(Zone::utc(), start, start, false)?;
    /// let rule = Some("FREQ=WEEKLY;COUNT=6".parse()?);
    /// let six = RecurrenceParts { rule, ..RecurrenceParts::default() };
    /// let write = NewEvent::builder("Jazz night".parse()?, when.clone()).recurrence(six).build();
    /// let (time, repetition) = calendar.check_new(editor, &write)?.times(&calendar, editor, None)?;
    /// assert_eq!(time, when);
    /// assert!(matches!(repetition, Repetition::Series(series) if series.recurrence.total() == Some(6)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError::Invalid`] for a time or a rule that the write would be refused for.
    pub fn times(
        &self,
        calendar: &Calendar,
        caller: Caller,
        before: Option<&Stored<Event>>,
    ) -> Result<(EventTime, Repetition), AppError> {
        let mut faults = FaultCollector::default();
        let request = self.request(calendar, caller);
        let own = &self.write.own;
        let stored = before.map(|event| &event.details.when);
        let when = own.when(stored, &request, &mut faults);
        let when = when.or_else(|| stored.cloned());
        let when = when.ok_or_else(|| AppError::invalid(FieldName::StartDate, Fault::Empty));
        let repetition = match &when {
            Ok(when) => own.repetition(before, when, &request, &mut faults),
            Err(_) => None,
        };
        faults.finish()?;
        Ok((when?, repetition.unwrap_or(Repetition::Once)))
    }
}

impl Calendar {
    /// Checks the fields of a new record, and the right to add it. No image is fetched. The time grows with the
    /// length of the texts: [`Calendar::cpu_limiter`] bounds such work.
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: missing fields, bad fields, no right.
    pub fn check_new<R: Resource>(
        &self,
        caller: Caller,
        input: &WriteInput<R, New>,
    ) -> Result<Prepared<R>, AppError> {
        let right = require_write::<R>(caller);
        let right = right.and_then(|()| R::authorize(&input.write, caller, None));
        self.check(caller, input, Purpose::Create, right)
    }

    /// Checks the fields of a change, and the right to change such records. No image is fetched.
    ///
    /// # Errors
    ///
    /// As for [`check_new`](Self::check_new).
    pub fn check_update<R: Resource>(
        &self,
        caller: Caller,
        input: &WriteInput<R, Update>,
    ) -> Result<Prepared<R>, AppError> {
        self.check(caller, input, Purpose::Update, require_write::<R>(caller))
    }

    /// Formatted texts are parsed only if the caller has the right. All faults are reported together, and
    /// they take precedence over a missing right.
    fn check<R: Resource, P>(
        &self,
        caller: Caller,
        input: &WriteInput<R, P>,
        purpose: Purpose,
        right: Result<(), AppError>,
    ) -> Result<Prepared<R>, AppError> {
        let mut faults = input.faults.clone();
        let mut prepared = Prepared {
            write: Box::new(input.write.clone()),
            language: input.language,
            password: input.password.clone(),
            image_file: input.image_file.clone(),
            images: FetchedImages::default(),
        };
        let request = Request {
            language: input.language,
            ..self.request_of(caller)
        };
        R::check_alone(&prepared.write, purpose, &request, &mut faults);
        if right.is_ok() && faults.is_complete() {
            R::parse_html(&mut prepared.write, &mut faults);
        }
        faults.finish()?;
        right.map(|()| prepared)
    }

    /// The write with the images of its URLs, and of the file that was sent with it.
    pub(super) async fn with_images<R: Resource>(
        &self,
        caller: Caller,
        prepared: Prepared<R>,
    ) -> Result<Prepared<R>, AppError> {
        let (urls, file) = (R::image_urls(&prepared.write), prepared.image_file.as_ref());
        let images = self.images_of_write(caller, urls, file).await?;
        Ok(prepared.with_images(images))
    }
}
