//! Pages of lists.
//!
//! ```
//! use events_calendar_domain::page::{DEFAULT_PER_PAGE, MAX_PER_PAGE, Page, PageRequest};
//!
//! let request = PageRequest::new(2, DEFAULT_PER_PAGE.into(), MAX_PER_PAGE);
//! let page = Page::of((1..=25).collect(), request);
//! assert_eq!(page.rows, [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
//! assert_eq!((page.total, page.total_pages()), (25, 3));
//! ```

/// Default number of records on a page.
pub const DEFAULT_PER_PAGE: u32 = 10;

/// Default limit of the records on a page.
pub const MAX_PER_PAGE: u32 = 100;

/// The requested page of a list: number and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    number: u64,
    per_page: u32,
}

impl PageRequest {
    /// Page `number`, from 1, with `per_page` records, at most `max_per_page`.
    ///
    /// Zero counts as one.
    ///
    /// ```
    /// use events_calendar_domain::page::PageRequest;
    /// let page = PageRequest::new(3, 1000, 100);
    /// assert_eq!(page.per_page(), 100);
    /// assert_eq!(page.offset(), 200);
    /// ```
    pub fn new(number: u64, per_page: u64, max_per_page: u32) -> Self {
        let per_page = u32::try_from(per_page)
            .unwrap_or(u32::MAX)
            .clamp(1, max_per_page.max(1));
        Self {
            number: number.max(1),
            per_page,
        }
    }

    /// The number of the page, from 1.
    ///
    /// ```
    /// # use events_calendar_domain::page::PageRequest;
    /// assert_eq!(PageRequest::new(2, 10, 100).number(), 2);
    /// ```
    pub fn number(self) -> u64 {
        self.number
    }

    /// The number of records on a page, at least 1.
    ///
    /// ```
    /// # use events_calendar_domain::page::PageRequest;
    /// assert_eq!(PageRequest::new(2, 10, 100).per_page(), 10);
    /// ```
    pub fn per_page(self) -> u32 {
        self.per_page
    }

    /// The number of records before the page.
    ///
    /// ```
    /// # use events_calendar_domain::page::PageRequest;
    /// assert_eq!(PageRequest::new(1, 10, 100).offset(), 0);
    /// ```
    pub fn offset(self) -> u64 {
        (self.number - 1)
            .saturating_mul(u64::from(self.per_page))
            .min(i64::MAX.unsigned_abs())
    }
}

/// A page of a list, with the total of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows of the page, in order.
    pub rows: Vec<T>,
    /// The length of the whole list.
    pub total: u64,
    /// The requested page.
    pub request: PageRequest,
}

impl<T> Page<T> {
    /// The requested page of a whole list.
    ///
    /// ```
    /// use events_calendar_domain::page::{Page, PageRequest};
    /// let page = Page::of(vec!["a", "b", "c"], PageRequest::new(2, 2, 100));
    /// assert_eq!((page.rows, page.total), (vec!["c"], 3));
    /// ```
    pub fn of(list: Vec<T>, request: PageRequest) -> Self {
        let before = usize::try_from(request.offset()).unwrap_or(usize::MAX);
        let total = list.len() as u64;
        let rows = list.into_iter().skip(before);
        Self {
            rows: rows.take(request.per_page as usize).collect(),
            total,
            request,
        }
    }

    /// The number of pages of the list; zero if it is empty.
    ///
    /// ```
    /// use events_calendar_domain::page::{Page, PageRequest};
    /// let page = Page { rows: vec!["a", "b"], total: 5, request: PageRequest::new(1, 2, 100) };
    /// assert_eq!(page.total_pages(), 3);
    /// ```
    pub fn total_pages(&self) -> u64 {
        self.total.div_ceil(u64::from(self.request.per_page))
    }

    /// Whether there is a next page.
    ///
    /// ```
    /// # use events_calendar_domain::page::{Page, PageRequest};
    /// let page = Page { rows: vec!["a", "b"], total: 5, request: PageRequest::new(1, 2, 100) };
    /// assert!(page.has_next());
    /// ```
    pub fn has_next(&self) -> bool {
        self.request.number < self.total_pages()
    }

    /// The same page with each row mapped.
    ///
    /// ```
    /// # use events_calendar_domain::page::{Page, PageRequest};
    /// let page = Page { rows: vec![1, 2], total: 2, request: PageRequest::new(1, 2, 100) };
    /// assert_eq!(page.map(|n| n * 10).rows, [10, 20]);
    /// ```
    pub fn map<U>(self, row: impl FnMut(T) -> U) -> Page<U> {
        Page {
            rows: self.rows.into_iter().map(row).collect(),
            total: self.total,
            request: self.request,
        }
    }
}
