//! What is known of images.

use app::ports::{ImageRepository, StoreError};
use async_trait::async_trait;
use domain::{
    Id, Image, ImageId, Stored,
    image::{Dimensions, FilePath, ImageFilter, ImageFormat, ImageName, ImageSize},
    page::{Page, PageRequest},
    policy::{Caller, Capability, Visibility},
    time::Timestamp,
    web_url::WebUrl,
};
use sea_orm::{
    ExprTrait,
    sea_query::{Asterisk, Condition, Expr, Query, SelectStatement, SimpleExpr},
};
use serde_json::{Value, json};

use crate::{
    cache::BatchLookup,
    connection::Connection,
    error::{broken_row, store_error},
    session::Session,
    sql::{List, Row, Total, condition},
};

const IMAGES: &str = "image";
const NAMES: &str = "image_name";

/// Tables whose records show images.
const SHOWING: [&str; 3] = ["event", "venue", "organizer"];

fn images() -> SelectStatement {
    Query::select()
        .expr(Expr::col(Asterisk))
        .from(IMAGES)
        .take()
}

/// See [`Caller::may_see_image_of`](domain::policy::Caller::may_see_image_of).
fn may_see(caller: Caller) -> SimpleExpr {
    if caller.can(Capability::EditOthers) {
        return Expr::val(true);
    }
    match caller.user() {
        Some(user) => Expr::col((IMAGES, "uploader_id")).eq(user.get()),
        None => Expr::val(false),
    }
}

/// Whether an entry of a table shows the image to who asks.
fn is_shown_by(table: &'static str, visibility: &Visibility) -> SimpleExpr {
    let mut entries = Query::select();
    entries
        .expr(Expr::val(1))
        .from(table)
        .and_where(Expr::col((table, "image_id")).equals((IMAGES, "id")))
        .cond_where(condition::links(visibility, table));
    // Nothing but events has a password.
    if table == "event" {
        entries.cond_where(condition::opens(visibility));
    }
    Expr::exists(entries)
}

/// Whether an image is for who asks: it is theirs, or an entry shows it to them.
fn is_shown(visibility: &Visibility) -> Condition {
    let entries = SHOWING.into_iter();
    entries.map(|table| is_shown_by(table, visibility)).fold(
        Condition::any().add(may_see(visibility.caller)),
        Condition::add,
    )
}

/// The word for a format.
fn format(word: &str) -> Option<ImageFormat> {
    let mut all = ImageFormat::ALL.into_iter();
    all.find(|format| format.extension() == word)
}

fn read(row: &Row<'_>) -> Result<Stored<Image>, StoreError> {
    let number = |column| {
        let number: i64 = row.get(column)?;
        u32::try_from(number).map_err(|error| broken_row(IMAGES, column, error))
    };
    let filesize: i64 = row.get("filesize")?;
    let sizes: String = row.get("sizes")?;
    let source: Option<String> = row.get("source")?;
    let content = Image {
        uploader: Id::from_raw(row.get("uploader_id")?),
        name: row.word("name", ImageName::from_stored)?,
        format: row.word("format", format)?,
        dimensions: Dimensions::new(number("width")?, number("height")?)
            .map_err(|error| broken_row(IMAGES, "width", error))?,
        filesize: u64::try_from(filesize).map_err(|error| broken_row(IMAGES, "filesize", error))?,
        sizes: read_sizes(&sizes)
            .ok_or_else(|| broken_row(IMAGES, "sizes", "not the sizes of an image"))?,
        created: row.moment("created_utc")?,
        source: source
            .map(|url| url.parse::<WebUrl>())
            .transpose()
            .map_err(|error| broken_row(IMAGES, "source", error))?,
    };
    Ok(Stored {
        id: Id::from_raw(row.get("id")?),
        revision: 1,
        content,
    })
}

fn read_sizes(text: &str) -> Option<Vec<ImageSize>> {
    let sizes: Vec<Value> = serde_json::from_str(text).ok()?;
    let read = |size: &Value| {
        let length = |name: &str| u32::try_from(size[name].as_u64()?).ok();
        Some(ImageSize {
            name: size["name"].as_str()?.parse().ok()?,
            format: format(size["format"].as_str()?)?,
            dimensions: Dimensions::new(length("width")?, length("height")?).ok()?,
            filesize: size["filesize"].as_u64()?,
        })
    };
    sizes.iter().map(read).collect()
}

fn write_sizes(sizes: &[ImageSize]) -> String {
    let write = |size: &ImageSize| {
        let ImageSize {
            name,
            format,
            dimensions,
            filesize,
        } = size;
        json!({
            "name": name.name(),
            "format": format.extension(),
            "width": dimensions.width(),
            "height": dimensions.height(),
            "filesize": filesize,
        })
    };
    sizes.iter().map(write).collect::<Value>().to_string()
}

impl<C: Connection> Session<C> {
    async fn images(&self, select: &SelectStatement) -> Result<Vec<Stored<Image>>, StoreError> {
        let rows = self.connection.rows(select).await?;
        rows.iter()
            .map(|result| read(&Row::new(IMAGES, result)))
            .collect()
    }

    /// The first image of a selection, which nobody deletes before the transaction ends.
    async fn held(&self, mut select: SelectStatement) -> Result<Option<Stored<Image>>, StoreError> {
        Ok(self.images(select.lock_shared()).await?.into_iter().next())
    }
}

#[async_trait]
impl<C: Connection> ImageRepository for Session<C> {
    async fn find_many(&self, ids: &[ImageId]) -> Result<Vec<Stored<Image>>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut ids: Vec<i64> = ids.iter().map(|id| id.get()).collect();
        ids.sort_unstable();
        let mut found = BatchLookup::new(self.cache().await?, IMAGES, &ids);
        if !found.missing.is_empty() {
            let wanted = Expr::col("id").is_in(found.missing.iter().copied());
            for image in self.images(&images().and_where(wanted).take()).await? {
                let weight = size_of_val(&*image.sizes);
                found.add(IMAGES, image.id.get(), image, weight);
            }
        }
        Ok(found.in_order(&ids))
    }

    async fn find_shown(
        &self,
        id: ImageId,
        visibility: &Visibility,
    ) -> Result<Option<Stored<Image>>, StoreError> {
        let select = images()
            .and_where(Expr::col((IMAGES, "id")).eq(id.get()))
            .cond_where(is_shown(visibility))
            .take();
        Ok(self.images(&select).await?.into_iter().next())
    }

    async fn list_shown(
        &self,
        filter: &ImageFilter,
        page: &PageRequest,
        visibility: &Visibility,
    ) -> Result<Page<ImageId>, StoreError> {
        let ImageFilter { include, slug } = filter;
        let mut rows = Query::select().from(IMAGES).take();
        rows.cond_where(is_shown(visibility));
        if let Some(ids) = include {
            let ids = ids.iter().map(|id| id.get());
            rows.and_where(Expr::col((IMAGES, "id")).is_in(ids));
        }
        if let Some(slug) = slug {
            let name = Expr::col((IMAGES, "name"));
            rows.and_where(condition::ends_with(name, &format!("/{slug}")));
        }
        let list = List {
            parts: vec![rows],
            id: (IMAGES.into(), "id".into()),
            order: None,
            descending: true,
            // Each image is looked for in the entries that show it.
            slow: true,
            total: Total::Count,
        };
        self.page_of(*page, list).await
    }

    async fn is_shown(&self, id: ImageId) -> Result<bool, StoreError> {
        let shows = |table| {
            let entries = Query::select()
                .expr(Expr::val(1))
                .from(table)
                .and_where(Expr::col((table, "image_id")).eq(id.get()))
                .take();
            Expr::exists(entries)
        };
        let any = SHOWING
            .into_iter()
            .map(shows)
            .fold(Condition::any(), Condition::add);
        let select = Query::select().expr(Expr::val(1)).cond_where(any).take();
        Ok(self.connection.row(&select).await?.is_some())
    }

    async fn lock(&self, id: ImageId) -> Result<Option<Stored<Image>>, StoreError> {
        let wanted = Expr::col("id").eq(id.get());
        self.held(images().and_where(wanted).take()).await
    }

    async fn lock_by_source(&self, source: &WebUrl) -> Result<Option<Stored<Image>>, StoreError> {
        let wanted = Expr::col("source").eq(source.as_str());
        self.held(images().and_where(wanted).take()).await
    }

    async fn lock_by_file(&self, path: &FilePath) -> Result<Option<Stored<Image>>, StoreError> {
        // Of a smaller size, the name ends before the last hyphen.
        let (name, _) = path.as_str().rsplit_once('.').unwrap_or_default();
        let names = [name, name.rsplit_once('-').map_or(name, |(name, _)| name)];
        let wanted = Expr::col("name").is_in(names);
        let found = self
            .images(images().and_where(wanted).lock_shared())
            .await?;
        let mut found = found.into_iter();
        Ok(found.find(|image| image.paths().contains(path)))
    }

    async fn is_name_used(&self, name: &ImageName) -> Result<bool, StoreError> {
        let select = Query::select()
            .column("name")
            .from(NAMES)
            .and_where(Expr::col("name").eq(name.as_str()))
            .take();
        Ok(self.connection.row(&select).await?.is_some())
    }

    async fn insert(&self, image: Image) -> Result<Stored<Image>, StoreError> {
        let Image {
            uploader,
            name,
            format,
            dimensions,
            filesize,
            sizes,
            created,
            source,
        } = &image;
        let filesize = i64::try_from(*filesize)
            .map_err(|error| StoreError::Internal(format!("a file is too long: {error}")))?;
        let used = Query::insert()
            .into_table(NAMES)
            .columns(["name"])
            .values_panic([name.as_str().into()])
            .take();
        self.connection.execute_deferred(&used).await?;
        let insert = Query::insert()
            .into_table(IMAGES)
            .columns([
                "uploader_id",
                "name",
                "format",
                "width",
                "height",
                "filesize",
                "sizes",
                "created_utc",
                "source",
            ])
            .values_panic([
                uploader.get().into(),
                name.as_str().into(),
                format.extension().into(),
                i64::from(dimensions.width()).into(),
                i64::from(dimensions.height()).into(),
                filesize.into(),
                write_sizes(sizes).into(),
                created.seconds().into(),
                source.as_ref().map(|url| url.as_str().to_owned()).into(),
            ])
            .returning_col("id")
            .take();
        let row = self.connection.row(&insert).await?;
        let row =
            row.ok_or_else(|| StoreError::Internal("an insertion answered no row".to_owned()))?;
        Ok(Stored {
            id: Id::from_raw(row.try_get("", "id").map_err(store_error)?),
            revision: 1,
            content: image,
        })
    }

    async fn delete(&self, id: ImageId, now: Timestamp) -> Result<bool, StoreError> {
        // First the image: who is about to show it waits, and does not find it then.
        let delete = Query::delete()
            .from_table(IMAGES)
            .and_where(Expr::col("id").eq(id.get()))
            .take();
        let deleted = self.connection.run(&delete).await?;
        if deleted.rows_affected() == 0 {
            return Ok(false);
        }
        if let Some(read) = self.connection.name_cache() {
            read.forget_all();
        }
        for table in SHOWING {
            let update = Query::update()
                .table(table)
                .value("image_id", Option::<i64>::None)
                .value("modified_utc", now.seconds())
                .value("revision", Expr::col("revision").add(1))
                .and_where(Expr::col("image_id").eq(id.get()))
                .take();
            self.connection.execute_deferred(&update).await?;
        }
        Ok(true)
    }

    async fn paths(&self) -> Result<Vec<FilePath>, StoreError> {
        let all = self.images(&images()).await?;
        Ok(all.iter().flat_map(|image| image.paths()).collect())
    }
}
