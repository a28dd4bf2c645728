//! Uploaded and fetched images.

use std::fmt::Display;

use app::ports::{ImageRepository, StoreError};
use async_trait::async_trait;
use domain::{
    Id, Image, ImageId, Kind, Stored,
    image::{AltTexts, Dimensions, FilePath, ImageFilter, ImageFormat, ImageName, ImageSize},
    page::{Page, PageRequest},
    policy::{Caller, Capability, Collection, Visibility},
    time::Timestamp,
    web_url::WebUrl,
};
use sea_orm::{
    ActiveValue::{self, NotSet, Set},
    ColumnTrait, EntityName, EntityTrait, ExprTrait, IntoSimpleExpr, QueryFilter, QueryOrder,
    QuerySelect, QueryTrait, Select,
    sea_query::{Condition, Expr, Query, SimpleExpr},
};
use serde::{Deserialize, Serialize};

use crate::{
    cache::BatchLookup,
    entity::{
        EntryColumn,
        image::{ActiveModel, Column, Entity, Model},
        image_name,
    },
    error::{broken_column, store_error},
    session::Session,
    sql::{List, Part, Total, condition, from, parse_optional_column, time_column},
};

/// The kinds whose records show images; their tables have their names.
const SHOWING: [Kind; 3] = [Kind::Event, Kind::Venue, Kind::Organizer];

/// See [`Caller::may_see_image_of`](domain::policy::Caller::may_see_image_of).
fn may_see(caller: Caller) -> SimpleExpr {
    if caller.can_in(Collection::Images, Capability::EditOthers) {
        return Expr::val(true);
    }
    match caller.within(Collection::Images).user() {
        Some(user) => Column::UploaderId.eq(user.get()),
        None => Expr::val(false),
    }
}

/// Whether an entry of a kind shows the image to the caller.
fn is_shown_by(kind: Kind, visibility: &Visibility) -> SimpleExpr {
    let table = kind.name();
    let mut entries = from(table);
    entries
        .expr(Expr::val(1))
        .and_where(Expr::col((table, EntryColumn::ImageId)).equals(Column::Id.as_column_ref()))
        .cond_where(condition::is_linkable(visibility, kind));
    // Only events have passwords.
    if kind == Kind::Event {
        entries.cond_where(condition::opens(visibility));
    }
    Expr::exists(entries)
}

/// Whether the caller may see an image: it is the caller's, or an entry shows it to the caller.
fn is_visible(visibility: &Visibility) -> Condition {
    let visibility = visibility.within(Collection::Images);
    let own = Condition::any().add(may_see(visibility.caller));
    let by_entries = SHOWING.map(|kind| is_shown_by(kind, &visibility));
    by_entries.into_iter().fold(own, Condition::add)
}

/// Parses the name of a format.
fn format(word: &str) -> Option<ImageFormat> {
    let mut all = ImageFormat::ALL.into_iter();
    all.find(|format| format.extension() == word)
}

fn read(row: &Model) -> Result<Stored<Image>, StoreError> {
    fn number<T: TryFrom<i64, Error: Display>>(
        column: Column,
        number: i64,
    ) -> Result<T, StoreError> {
        T::try_from(number).map_err(|error| broken_column(column, error))
    }
    let broken = |column, error| broken_column(column, error);
    let size = Dimensions::new(
        number(Column::Width, row.width)?,
        number(Column::Height, row.height)?,
    );
    let content = Image {
        uploader: Id::from_raw(row.uploader_id),
        name: ImageName::from_stored(&row.name)
            .ok_or_else(|| broken(Column::Name, "not a name"))?,
        format: format(&row.format).ok_or_else(|| broken(Column::Format, "unknown word"))?,
        dimensions: size.map_err(|error| broken_column(Column::Width, error))?,
        filesize: number(Column::Filesize, row.filesize)?,
        sizes: read_sizes(&row.sizes)
            .ok_or_else(|| broken(Column::Sizes, "not the sizes of an image"))?,
        created: time_column(Column::CreatedUtc, row.created_utc)?,
        modified: time_column(Column::ModifiedUtc, row.modified_utc)?,
        alt: read_alt(&row.alt).ok_or_else(|| broken(Column::Alt, "not texts by language"))?,
        source: parse_optional_column(Column::Source, row.source.as_deref())?,
    };
    Ok(Stored {
        id: Id::from_raw(row.id),
        revision: row.revision,
        content,
    })
}

/// An alternative text, as stored in JSON.
#[derive(Deserialize, Serialize)]
struct StoredAlt {
    language: String,
    text: String,
}

fn read_alt(stored: &str) -> Option<AltTexts> {
    let texts: Vec<StoredAlt> = serde_json::from_str(stored).ok()?;
    let read = |alt: StoredAlt| Some((alt.language.parse().ok()?, alt.text.parse().ok()?));
    texts.into_iter().map(read).collect()
}

fn write_alt(alt: &AltTexts) -> Result<String, StoreError> {
    let texts = alt.iter().map(|(language, text)| StoredAlt {
        language: language.code().to_owned(),
        text: text.as_str().to_owned(),
    });
    to_json(&texts.collect::<Vec<_>>())
}

fn to_json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Internal(error.to_string()))
}

/// A smaller size, as stored in JSON.
#[derive(Deserialize, Serialize)]
struct StoredSize {
    name: String,
    format: String,
    width: u32,
    height: u32,
    filesize: u64,
}

fn read_sizes(text: &str) -> Option<Vec<ImageSize>> {
    let sizes: Vec<StoredSize> = serde_json::from_str(text).ok()?;
    let read = |size: StoredSize| {
        Some(ImageSize {
            name: size.name.parse().ok()?,
            format: format(&size.format)?,
            dimensions: Dimensions::new(size.width, size.height).ok()?,
            filesize: size.filesize,
        })
    };
    sizes.into_iter().map(read).collect()
}

fn write_sizes(sizes: &[ImageSize]) -> Result<String, StoreError> {
    let sizes = sizes.iter().map(|size| StoredSize {
        name: size.name.name().to_owned(),
        format: size.format.extension().to_owned(),
        width: size.dimensions.width(),
        height: size.dimensions.height(),
        filesize: size.filesize,
    });
    to_json(&sizes.collect::<Vec<_>>())
}

impl Session {
    async fn images(&self, select: Select<Entity>) -> Result<Vec<Stored<Image>>, StoreError> {
        self.all(select).await?.iter().map(read).collect()
    }

    /// All images, in the order of their IDs.
    pub(crate) async fn all_images(&self) -> Result<Vec<Stored<Image>>, StoreError> {
        self.images(Entity::find().order_by_asc(Column::Id)).await
    }

    async fn image(&self, select: Select<Entity>) -> Result<Option<Stored<Image>>, StoreError> {
        self.one(select).await?.as_ref().map(read).transpose()
    }

    /// Adds an image.
    async fn insert_image(
        &self,
        id: ActiveValue<i64>,
        revision: i64,
        image: &Image,
    ) -> Result<ImageId, StoreError> {
        let Image {
            uploader,
            name,
            format,
            dimensions,
            filesize,
            sizes,
            created,
            modified,
            alt,
            source,
        } = image;
        let filesize = i64::try_from(*filesize)
            .map_err(|error| StoreError::Internal(format!("a file is too long: {error}")))?;
        let used = image_name::Entity::insert(image_name::ActiveModel {
            name: Set(name.as_str().to_owned()),
        });
        self.connection.execute_deferred(&used.into_query()).await?;
        let row = ActiveModel {
            id,
            uploader_id: Set(uploader.get()),
            name: Set(name.as_str().to_owned()),
            format: Set(format.extension().to_owned()),
            width: Set(dimensions.width().into()),
            height: Set(dimensions.height().into()),
            filesize: Set(filesize),
            sizes: Set(write_sizes(sizes)?),
            created_utc: Set(created.seconds()),
            source: Set(source.as_ref().map(|url| url.as_str().to_owned())),
            revision: Set(revision),
            modified_utc: Set(modified.seconds()),
            alt: Set(write_alt(alt)?),
        };
        let inserted = Entity::insert(row)
            .exec(&self.connection)
            .await
            .map_err(store_error)?;
        Ok(Id::from_raw(inserted.last_insert_id))
    }
}

#[async_trait]
impl ImageRepository for Session {
    async fn find_many(&self, ids: &[ImageId]) -> Result<Vec<Stored<Image>>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        let mut found = BatchLookup::new(self.cache().await?, Entity.table_name(), ids);
        if !found.missing.is_empty() {
            let wanted = Column::Id.is_in(found.missing.iter().copied());
            for image in self.images(Entity::find().filter(wanted)).await? {
                let weight = size_of_val(&*image.sizes) + image.alt.text_bytes();
                found.add(image, weight);
            }
        }
        Ok(found.in_order())
    }

    async fn find_visible(
        &self,
        id: ImageId,
        visibility: &Visibility,
    ) -> Result<Option<Stored<Image>>, StoreError> {
        let select = Entity::find_by_id(id.get()).filter(is_visible(visibility));
        self.image(select).await
    }

    async fn list_visible(
        &self,
        filter: &ImageFilter,
        page: &PageRequest,
        visibility: &Visibility,
    ) -> Result<Page<ImageId>, StoreError> {
        let ImageFilter {
            include,
            slugs,
            words,
            uploader,
        } = filter;
        let mut rows = from(Entity);
        rows.cond_where(is_visible(visibility));
        if let Some(ids) = include {
            let ids = ids.iter().map(|id| id.get());
            rows.and_where(Column::Id.is_in(ids));
        }
        if let Some(slugs) = slugs {
            let ends = slugs.iter().map(|slug| {
                let name = Column::Name.into_simple_expr();
                condition::ends_with(name, &format!("/{slug}"))
            });
            // Without slugs, no image matches.
            let none = Condition::any().add(Expr::val(false));
            rows.cond_where(ends.fold(none, Condition::add));
        }
        if let Some(uploader) = uploader {
            rows.and_where(Column::UploaderId.eq(uploader.get()));
        }
        for word in words {
            let begins = ["/", "-"].map(|before| {
                let name = Column::Name.into_simple_expr();
                condition::contains(name, &format!("{before}{word}"))
            });
            rows.cond_where(begins.into_iter().fold(Condition::any(), Condition::add));
        }
        let list = List {
            parts: vec![Part {
                rows,
                id: Column::Id.as_column_ref(),
                order: None,
            }],
            is_disjoint: true,
            descending: true,
            // Each image is looked for in the entries that show it.
            slow: true,
            total: Total::Count,
        };
        self.page_of(*page, list).await
    }

    async fn is_used(&self, id: ImageId) -> Result<bool, StoreError> {
        let any = SHOWING
            .map(Kind::name)
            .into_iter()
            .fold(Condition::any(), |any, table| {
                let shows = Expr::col((table, EntryColumn::ImageId)).eq(id.get());
                let entries = from(table).expr(Expr::val(1)).and_where(shows).take();
                any.add(Expr::exists(entries))
            });
        let select = Query::select().expr(Expr::val(1)).cond_where(any).take();
        Ok(self.connection.row(&select).await?.is_some())
    }

    async fn lock(&self, id: ImageId) -> Result<Option<Stored<Image>>, StoreError> {
        self.image(Entity::find_by_id(id.get()).lock_shared()).await
    }

    async fn lock_by_source(&self, source: &WebUrl) -> Result<Option<Stored<Image>>, StoreError> {
        let select = Entity::find().filter(Column::Source.eq(source.as_str()));
        self.image(select.lock_shared()).await
    }

    async fn lock_by_file(&self, path: &FilePath) -> Result<Option<Stored<Image>>, StoreError> {
        // The file name of a smaller size is the image's name, a hyphen and the dimensions.
        let (name, _) = path.as_str().rsplit_once('.').unwrap_or_default();
        let names = [name, name.rsplit_once('-').map_or(name, |(name, _)| name)];
        let select = Entity::find()
            .filter(Column::Name.is_in(names))
            .lock_shared();
        let mut found = self.images(select).await?.into_iter();
        Ok(found.find(|image| image.paths().contains(path)))
    }

    async fn is_name_used(&self, name: &ImageName) -> Result<bool, StoreError> {
        let used = image_name::Entity::find_by_id(name.as_str());
        Ok(self.one(used).await?.is_some())
    }

    async fn insert(&self, image: Image) -> Result<Stored<Image>, StoreError> {
        let id = self.insert_image(NotSet, 1, &image).await?;
        Ok(Stored {
            id,
            revision: 1,
            content: image,
        })
    }

    async fn insert_at(&self, image: Stored<Image>) -> Result<(), StoreError> {
        let id = image.id.get();
        self.reserve_ids(Entity.table_name(), id).await?;
        let inserted = self.insert_image(Set(id), image.revision, &image.content);
        inserted.await.map(drop)
    }

    async fn set_alt(
        &self,
        image: &Stored<Image>,
        alt: AltTexts,
        now: Timestamp,
    ) -> Result<Stored<Image>, StoreError> {
        let revision = image.revision + 1;
        let update = Entity::update_many()
            .col_expr(Column::Alt, Expr::val(write_alt(&alt)?))
            .col_expr(Column::ModifiedUtc, Expr::val(now.seconds()))
            .col_expr(Column::Revision, Expr::val(revision))
            .filter(Column::Id.eq(image.id.get()))
            .filter(Column::Revision.eq(image.revision));
        if self.connection.change(update).await? == 0 {
            return Err(StoreError::Conflict);
        }
        let mut content = image.content.clone();
        (content.alt, content.modified) = (alt, now);
        Ok(Stored {
            id: image.id,
            revision,
            content,
        })
    }

    async fn delete(&self, id: ImageId, now: Timestamp) -> Result<bool, StoreError> {
        // The image goes first: a concurrent transaction that locks it waits, and then does not find it.
        let delete = Entity::delete_by_id(id.get());
        if self.connection.change(delete).await? == 0 {
            return Ok(false);
        }
        if let Some(read) = self.connection.name_cache() {
            read.forget_all();
        }
        for table in SHOWING.map(Kind::name) {
            let update = Query::update()
                .table(table)
                .value(EntryColumn::ImageId, Option::<i64>::None)
                .value(EntryColumn::ModifiedUtc, now.seconds())
                .value(
                    EntryColumn::Revision,
                    Expr::col(EntryColumn::Revision).add(1),
                )
                .and_where(Expr::col(EntryColumn::ImageId).eq(id.get()))
                .take();
            self.connection.execute_deferred(&update).await?;
        }
        Ok(true)
    }

    async fn paths(&self) -> Result<Vec<FilePath>, StoreError> {
        let all = self.images(Entity::find()).await?;
        Ok(all.iter().flat_map(|image| image.paths()).collect())
    }
}
