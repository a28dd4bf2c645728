//! Filters of lists of images.

use std::cmp::Reverse;

use crate::{Image, ImageId, Stored, UserId, policy::Visibility};

/// A filter of a list of images.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageFilter {
    /// Only these.
    pub include: Option<Vec<ImageId>>,
    /// Only images whose files have one of these names.
    pub slugs: Option<Vec<String>>,
    /// Only images in whose file names a word begins with each of these, in the form of slugs.
    pub words: Vec<String>,
    /// Only images of this uploader.
    pub uploader: Option<UserId>,
}

impl ImageFilter {
    /// Whether the list includes an image for a caller; `is_shown` tells whether an entry [shows
    /// images](Visibility::shows_image_of) to the caller, and shows this one.
    ///
    /// ```
    /// # use events_calendar_domain::{*, image::*, policy::*, time::Timestamp};
    /// # let created = Timestamp::from_seconds(1_800_000_000).unwrap();
    /// # let content = Image { uploader: UserId::from_raw(1), name: ImageName::new(created, "Bank.gif"),
    /// #     format: ImageFormat::Gif, dimensions: Dimensions::new(1200, 800)?, filesize: 9, sizes: vec![],
    /// #     created, modified: created, alt: AltTexts::default(), source: None };
    /// let image = Stored { id: ImageId::from_raw(1), revision: 1, content };
    /// let anybody = Visibility::new(Caller::Anonymous, created);
    /// assert!(ImageFilter::default().matches(&image, true, &anybody));
    /// assert!(!ImageFilter::default().matches(&image, false, &anybody));
    /// let other = ImageFilter { slugs: Some(vec!["mill".into()]), ..ImageFilter::default() };
    /// assert!(!other.matches(&image, true, &anybody));
    /// let found = ImageFilter { words: vec!["ban".into()], ..ImageFilter::default() };
    /// assert!(found.matches(&image, true, &anybody));
    /// let of_other = ImageFilter { uploader: Some(UserId::from_raw(2)), ..ImageFilter::default() };
    /// assert!(!of_other.matches(&image, true, &anybody));
    /// # Ok::<(), InvalidDimensions>(())
    /// ```
    pub fn matches(&self, image: &Stored<Image>, is_shown: bool, visibility: &Visibility) -> bool {
        let Self {
            include,
            slugs,
            words,
            uploader,
        } = self;
        let name = image.name.as_str();
        let begins = |word: &String| {
            ["/", "-"]
                .iter()
                .any(|before| name.contains(&format!("{before}{word}")))
        };
        (is_shown || visibility.caller.may_see_image_of(image.uploader))
            && include.as_ref().is_none_or(|ids| ids.contains(&image.id))
            && slugs
                .as_ref()
                .is_none_or(|slugs| slugs.iter().any(|slug| image.name.slug() == slug))
            && words.iter().all(begins)
            && uploader.is_none_or(|uploader| uploader == image.uploader)
    }

    /// The list for a caller: the images that match, those added last first.
    ///
    /// ```
    /// # use events_calendar_domain::{*, image::*, policy::*, time::Timestamp};
    /// # let created = Timestamp::from_seconds(1_800_000_000).unwrap();
    /// # let content = Image { uploader: UserId::from_raw(1), name: ImageName::new(created, "Bank.gif"),
    /// #     format: ImageFormat::Gif, dimensions: Dimensions::new(1200, 800)?, filesize: 9, sizes: vec![],
    /// #     created, modified: created, alt: AltTexts::default(), source: None };
    /// # let image = |id| Stored { id: ImageId::from_raw(id), revision: 1, content: content.clone() };
    /// let images = [image(1), image(2), image(3)];
    /// let anybody = Visibility::new(Caller::Anonymous, created);
    /// let shown = |image| image != images[1].id;
    /// let list = ImageFilter::default().list(&images, shown, &anybody);
    /// assert_eq!(list, [&images[2], &images[0]]);
    /// # Ok::<(), InvalidDimensions>(())
    /// ```
    pub fn list<'a>(
        &self,
        images: impl IntoIterator<Item = &'a Stored<Image>>,
        is_shown: impl Fn(ImageId) -> bool,
        visibility: &Visibility,
    ) -> Vec<&'a Stored<Image>> {
        let images = images.into_iter();
        let mut list: Vec<_> = images
            .filter(|image| self.matches(image, is_shown(image.id), visibility))
            .collect();
        list.sort_by_key(|image| Reverse(image.id));
        list
    }
}
