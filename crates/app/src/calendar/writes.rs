//! Creating and changing one record: its write is checked, its images are fetched, then a unit of work stores it.

use async_trait::async_trait;
use domain::{Language, Secret, policy::Caller};

use super::{
    Calendar, IdempotencyKey, Idempotent, IdempotentWork, Precondition, Work, find,
    find_for_change, require_write, view,
};
use crate::{
    error::AppError,
    fault::Warnings,
    ports::UnitOfWork,
    request::{FetchedImages, Purpose, RecordKey, Request},
    resource::{Changed, Located, Resource},
    write::{self, New, Upload, WriteInput},
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

/// Creates a record, and answers with its view. The view is loaded before the commit, so that a committed
/// write is never answered with an error.
struct Create<'a, R: Resource> {
    request: Request<'a>,
    write: &'a R::Write,
}

#[async_trait]
impl<R: Resource> Work for Create<'_, R> {
    type Output = R::View;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<R::View, AppError> {
        let warnings = Warnings::default();
        let request = Request {
            warnings: Some(&warnings),
            ..self.request
        };
        let record = R::create(self.write.clone(), &request, unit).await?;
        view(unit, &request, record, None).await
    }
}

/// Changes a record, for a caller who may write such records.
struct Update<'a, R: Resource> {
    request: Request<'a>,
    key: &'a RecordKey<R>,
    expected: &'a Precondition,
    write: &'a R::Write,
}

#[async_trait]
impl<R: Resource> Work for Update<'_, R> {
    type Output = R::View;

    async fn run(&self, unit: &dyn UnitOfWork) -> Result<R::View, AppError> {
        let warnings = Warnings::default();
        let request = Request {
            warnings: Some(&warnings),
            ..self.request
        };
        let (write, key) = (self.write, self.key);
        let (before, request) = begin_change(write, key, self.expected, request, unit).await?;
        let Changed { record, slots } = R::change(write.clone(), before, &request, unit).await?;
        view(unit, &request, record, slots).await
    }
}

/// The record that a write changes, and the request about it: takes the locks, checks the right and the
/// precondition.
pub(super) async fn begin_change<'a, R: Resource>(
    write: &R::Write,
    key: &RecordKey<R>,
    expected: &Precondition,
    request: Request<'a>,
    unit: &dyn UnitOfWork,
) -> Result<(Located<R>, Request<'a>), AppError> {
    R::lock_for(Some(write), unit).await?;
    let before = find_for_change(unit, key, request.caller).await?;
    let request = request.about(key, &before.content);
    R::authorize(write, request.caller, Some(&before.content))?;
    expected.check(before.revision, before.modified())?;
    Ok((before, request))
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
        input: &WriteInput<R, write::Update>,
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

    /// Checks a write. A check of long texts waits for the CPU limiter.
    pub(super) async fn check_in_turn<R: Resource, P>(
        &self,
        input: &WriteInput<R, P>,
        check: impl FnOnce() -> Result<Prepared<R>, AppError>,
    ) -> Result<Prepared<R>, AppError> {
        let bytes = input.faults.sent_bytes();
        self.cpu_limiter.run(bytes, check).await?
    }

    /// Runs work in a unit of work, then discards the images that were fetched for it and that no record uses.
    async fn in_unit_with<W: Work>(
        &self,
        images: &FetchedImages,
        work: &W,
    ) -> Result<W::Output, AppError> {
        let done = self.in_unit(work).await;
        self.discard_unused(images).await;
        done
    }

    /// Fetches the images of the URLs of a write, and stores the file that was sent with it.
    async fn prepare_images<R: Resource>(
        &self,
        caller: Caller,
        prepared: Prepared<R>,
    ) -> Result<Prepared<R>, AppError> {
        let (urls, file) = (R::image_urls(&prepared.write), prepared.image_file.as_ref());
        let images = self.images_of_write(caller, urls, file).await?;
        Ok(prepared.with_images(images))
    }

    /// Adds a record.
    ///
    /// ```
    /// use events_calendar_app::{AppError, write::NewVenue};
    /// use domain::policy::Caller;
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let mill = NewVenue::builder("Old Mill".parse()?).city("Lyon").build();
    /// let view = calendar.create(editor, &mill).await?;
    /// assert_eq!(view.entry.details.city, "Lyon");
    /// let refused = calendar.create(Caller::Anonymous, &mill).await;
    /// assert!(matches!(refused, Err(AppError::Unauthenticated)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: missing fields, bad fields, no right, fields that
    /// name a record that does not exist.
    pub async fn create<R: Resource>(
        &self,
        caller: Caller,
        input: &WriteInput<R, New>,
    ) -> Result<R::View, AppError> {
        let check = || self.check_new(caller, input);
        let prepared = self.check_in_turn(input, check).await?;
        self.create_prepared(caller, prepared).await
    }

    /// Adds a record whose fields were checked before for the same caller.
    ///
    /// # Errors
    ///
    /// As for [`create`](Self::create).
    #[tracing::instrument(name = "app.create", skip_all, fields(kind = %R::KIND))]
    pub async fn create_prepared<R: Resource>(
        &self,
        caller: Caller,
        prepared: Prepared<R>,
    ) -> Result<R::View, AppError> {
        let prepared = self.prepare_images(caller, prepared).await?;
        let create = Create::<R> {
            request: prepared.request(self, caller),
            write: &prepared.write,
        };
        self.in_unit_with(prepared.images(), &create).await
    }

    /// Adds a record once per idempotency key. A repeated request, also a concurrent one, gets the
    /// stored answer of the first. `answer` makes the stored answer; refusals are not stored.
    ///
    /// ```
    /// use events_calendar_app::{calendar::{Idempotent, IdempotencyKey}, write::NewVenue};
    /// use domain::Venue;
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let mill = NewVenue::builder("Old Mill".parse()?).build();
    /// let key = IdempotencyKey::new("POST /venues", "a key of the client", b"the request".to_vec());
    /// let answer = |view: &events_calendar_app::place::PlaceView<_>| format!("created {}", view.entry.id);
    /// let first = calendar.create_idempotent::<Venue>(editor, &mill, &key, &answer).await?;
    /// assert!(matches!(first, Idempotent::Executed(_)));
    /// let second = calendar.create_idempotent::<Venue>(editor, &mill, &key, &answer).await?;
    /// assert_eq!(second, Idempotent::Replayed("created 1".to_owned()));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`create`](Self::create), and [`AppError::KeyReused`] if the key belongs to another
    /// request.
    pub async fn create_idempotent<R: Resource>(
        &self,
        caller: Caller,
        input: &WriteInput<R, New>,
        key: &IdempotencyKey,
        answer: &(dyn Fn(&R::View) -> String + Sync),
    ) -> Result<Idempotent<R::View>, AppError> {
        let check = || self.check_new(caller, input);
        let prepared = self.check_in_turn(input, check).await?;
        self.create_prepared_idempotent(caller, prepared, key, answer)
            .await
    }

    /// Adds a record whose fields were checked before for the same caller, once per idempotency key.
    ///
    /// # Errors
    ///
    /// As for [`create_idempotent`](Self::create_idempotent).
    #[tracing::instrument(name = "app.create_idempotent", skip_all, fields(kind = %R::KIND))]
    pub async fn create_prepared_idempotent<R: Resource>(
        &self,
        caller: Caller,
        prepared: Prepared<R>,
        key: &IdempotencyKey,
        answer: &(dyn Fn(&R::View) -> String + Sync),
    ) -> Result<Idempotent<R::View>, AppError> {
        let prepared = self.prepare_images(caller, prepared).await?;
        let request = prepared.request(self, caller);
        let write = &prepared.write;
        let once = IdempotentWork {
            request,
            work: Create::<R> { request, write },
            key,
            answer,
        };
        self.in_unit_with(prepared.images(), &once).await
    }

    /// Changes the fields of a record that were sent, and no others.
    ///
    /// ```
    /// use events_calendar_app::{AppError, calendar::Precondition, write::{NewVenue, VenueUpdate}};
    /// # use events_calendar_app::test_support::{InMemoryStore, add_user, calendar};
    /// # use domain::Role;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = InMemoryStore::new();
    /// # let editor = add_user(&store, "ada", Role::Editor).await;
    /// # let calendar = calendar(store).await;
    ///
    /// let mill = calendar.create(editor, &NewVenue::builder("Old Mill".parse()?).city("Lyon").build()).await?;
    /// let key = || mill.entry.id.into();
    /// let moved = VenueUpdate::builder().city("Vienne").build();
    /// let view = calendar.update(editor, key(), &Precondition::Any, &moved).await?;
    /// assert_eq!(view.entry.details.city, "Vienne");
    /// assert_eq!(view.entry.title.as_str(), "Old Mill");
    ///
    /// let expected = Precondition::OneOf(vec![mill.entry.revision]);
    /// let late = calendar.update(editor, key(), &expected, &moved).await;
    /// assert!(matches!(late, Err(AppError::PreconditionFailed)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`AppError`], in the order of its checks: bad fields, no right to change such records, no
    /// such record, no right to change this one, revision mismatch, fields that contradict stored
    /// data.
    pub async fn update<R: Resource>(
        &self,
        caller: Caller,
        key: RecordKey<R>,
        expected: &Precondition,
        input: &WriteInput<R, write::Update>,
    ) -> Result<R::View, AppError> {
        let check = || self.check_update(caller, input);
        let prepared = self.check_in_turn(input, check).await?;
        self.update_prepared(caller, key, expected, prepared).await
    }

    /// Changes the fields of a record by a write that was checked before for the same caller.
    ///
    /// # Errors
    ///
    /// As for [`update`](Self::update).
    #[tracing::instrument(name = "app.update", skip_all, fields(kind = %R::KIND))]
    pub async fn update_prepared<R: Resource>(
        &self,
        caller: Caller,
        key: RecordKey<R>,
        expected: &Precondition,
        prepared: Prepared<R>,
    ) -> Result<R::View, AppError> {
        let write = &prepared.write;
        if !R::image_urls(write).is_empty() || prepared.image_file.is_some() {
            // Nothing is fetched or stored for a caller who may not change the record.
            let before = find(&*self.store, &key).await?;
            if !before.may_edit(caller) {
                return Err(AppError::Forbidden);
            }
            R::authorize(write, caller, Some(&before.content))?;
        }
        let prepared = self.prepare_images(caller, prepared).await?;
        let update = Update {
            request: prepared.request(self, caller),
            key: &key,
            expected,
            write: &prepared.write,
        };
        self.in_unit_with(prepared.images(), &update).await
    }
}
