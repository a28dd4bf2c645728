//! The names of the fields of writes and queries.

use super::{Kind, TextField};

named_enum! {
    /// The name of a field of writes or queries, as requests, files and messages spell it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum FieldName, as_str {
        /// Title of an event.
        Title = "title",
        /// Name of a venue, or the venue of an event.
        Venue = "venue",
        /// Name of an organizer, or the organizers of an event.
        Organizer = "organizer",
        /// Name of a category, a tag, a ticket or a secret feed.
        Name = "name",
        /// Long text.
        Description = "description",
        /// Short text.
        Excerpt = "excerpt",
        /// Part of the address of a record.
        Slug = "slug",
        /// Status of a record.
        Status = "status",
        /// Image of a record.
        Image = "image",
        /// Owner of a record.
        Author = "author",
        /// Publication date, in the zone of the site.
        Date = "date",
        /// Publication date in UTC.
        DateUtc = "date_utc",
        /// Start of an event.
        StartDate = "start_date",
        /// End of an event.
        EndDate = "end_date",
        /// Time zone of an event.
        TimeZone = "timezone",
        /// Whether an event takes whole days.
        AllDay = "all_day",
        /// When an event repeats.
        Recurrence = "recurrence",
        /// Occurrences that a write concerns.
        Scope = "scope",
        /// Whether occurrences keep their own fields.
        Overrides = "overrides",
        /// Fate of occurrences without a slot.
        Orphans = "orphans",
        /// Fields that follow the series again.
        Reset = "reset",
        /// Whether an occurrence becomes an event of its own.
        Detach = "detach",
        /// Price of an event.
        Cost = "cost",
        /// Price of an event, in parts.
        CostDetails = "cost_details",
        /// Currency of a price.
        Currency = "currency",
        /// Tickets of an event.
        Tickets = "tickets",
        /// Web site.
        Website = "website",
        /// Whether an event was called off.
        Cancelled = "cancelled",
        /// Whether pages show a map.
        ShowMap = "show_map",
        /// Whether pages link to a map.
        ShowMapLink = "show_map_link",
        /// Whether lists leave an event out.
        HideFromListings = "hide_from_listings",
        /// Whether an event is sticky.
        Sticky = "sticky",
        /// Whether an event is featured.
        Featured = "featured",
        /// Password of an event.
        Password = "password",
        /// Categories of an event.
        Categories = "categories",
        /// Tags of an event.
        Tags = "tags",
        /// Record above.
        Parent = "parent",
        /// Street and number.
        Address = "address",
        /// Town.
        City = "city",
        /// Country.
        Country = "country",
        /// Province.
        Province = "province",
        /// State.
        State = "state",
        /// State or province.
        StateProvince = "stateprovince",
        /// Postal code.
        Zip = "zip",
        /// Telephone number.
        Phone = "phone",
        /// Latitude.
        Latitude = "geo_lat",
        /// Longitude.
        Longitude = "geo_lng",
        /// E-mail address.
        Email = "email",
        /// Price of a ticket.
        Price = "price",
        /// Address of a shop.
        Url = "url",
        /// Start of a sale.
        AvailableFrom = "available_from",
        /// End of a sale.
        AvailableUntil = "available_until",
        /// Rule of a recurrence.
        RRule = "rrule",
        /// Extra dates of a recurrence.
        RDate = "rdate",
        /// Deleted dates of a recurrence.
        ExDate = "exdate",
        /// Substitute for a missing day of a month.
        MissingDay = "missing_day",
        /// Language of texts.
        Language = "ml_language",
        /// Whether a deletion is permanent.
        Force = "force",
        /// Number of a page.
        Page = "page",
        /// Size of a page.
        PerPage = "per_page",
        /// The state that a reader has who keeps a copy.
        SyncToken = "sync_token",
        /// The place at which a list of changes goes on.
        PageToken = "page_token",
        /// Kinds of records.
        Kinds = "kinds",
        /// Whether a list has its records.
        Records = "records",
        /// The languages of the texts of records.
        Texts = "texts",
        /// How long an answer waits for news, in seconds.
        Wait = "wait",
        /// Text to search for.
        Search = "search",
        /// IDs to which a list is restricted.
        Include = "include",
        /// IDs that a list leaves out.
        Exclude = "exclude",
        /// Sort key.
        OrderBy = "orderby",
        /// Sort direction.
        Order = "order",
        /// Whether terms without events are left out.
        HideEmpty = "hide_empty",
        /// Event whose terms are listed.
        Post = "post",
        /// Event whose records are listed.
        Event = "event",
        /// Whether places have events.
        HasEvents = "has_events",
        /// Whether places have events to come.
        OnlyWithUpcoming = "only_with_upcoming",
        /// Bound of starts.
        StartsAfter = "starts_after",
        /// Bound of starts.
        StartsBefore = "starts_before",
        /// Bound of ends.
        EndsAfter = "ends_after",
        /// Bound of ends.
        EndsBefore = "ends_before",
        /// Whether bounds are instants.
        StrictDates = "strict_dates",
        /// Bound of the last change.
        ModifiedAfter = "modified_after",
        /// Bound of the last change.
        ModifiedBefore = "modified_before",
        /// Whether events have a position.
        Located = "geoloc",
        /// Centre of a search.
        NearLatitude = "geoloc_lat",
        /// Centre of a search.
        NearLongitude = "geoloc_lng",
        /// Radius of a search.
        Distance = "geoloc_distance",
        /// Whether events have tickets.
        Ticketed = "ticketed",
        /// Whether events cost nothing.
        Free = "free",
        /// Parent of events.
        PostParent = "post_parent",
        /// Whether a list has single occurrences.
        Expand = "expand",
        /// Whether a list has the first occurrences alone.
        HideSubsequent = "hide_subsequent_recurrences",
        /// Whether occurrences have fields of their own.
        Own = "own",
        /// Query of a secret feed.
        Query = "query",
        /// The content of an image in words.
        Alt = "alt",
        /// File of an upload.
        File = "file",
        /// Source of an import.
        Source = "source",
        /// Effect of an import on known records.
        Policy = "policy",
        /// Whether an import removes what its source has no longer.
        Prune = "prune",
        /// Time between two runs of a source.
        Every = "every",
        /// User whose records a source brings.
        User = "user",
        /// Role of a user.
        Role = "role",
        /// Whether the login of a user is ended.
        Disabled = "disabled",
        /// Category of the events of a source.
        Category = "category",
        /// File with the headers of requests to a source.
        HeaderFile = "header_file",
        /// Fate of the events of a source that is removed.
        Events = "events",
        /// Whether an import writes nothing.
        DryRun = "dry_run",
        /// Kind of the rows of a table.
        Kind = "kind",
        /// Record of an entry of the trail.
        Record = "record",
        /// Effect of a write.
        Action = "action",
        /// Bound of the time of a write.
        After = "after",
        /// Bound of the time of a write.
        Before = "before",
        /// Number of an entry of the trail, below which entries are listed.
        BeforeId = "before_id",
        /// Instant at which a record is shown.
        AsOf = "as_of",
        /// Number of a revision in a path.
        Revision = "n",
        /// Record that stays in a merge.
        Keep = "keep",
        /// Records from which fields come in a merge.
        Fields = "fields",
        /// Duplicates that an import merges.
        MergeDuplicates = "merge_duplicates",
        /// Order of day and month.
        DateOrder = "date_order",
        /// ID of a record in a path.
        Id = "id",
        /// RECURRENCE-ID of an occurrence in a path.
        RecurrenceId = "recurrence_id",
        /// Namespace of the interface.
        Namespace = "namespace",
        /// Form of a list.
        Format = "format",
        /// Context of an answer.
        Context = "context",
        /// Unit of a recurrence.
        Frequency = "frequency",
        /// Units between the slots of a recurrence.
        Interval = "interval",
        /// Number of slots of a recurrence.
        Count = "count",
        /// Last day of a recurrence.
        Until = "until",
        /// Weekdays of a recurrence.
        Days = "days",
        /// Days of the month of a recurrence.
        DaysOfMonth = "days_of_month",
        /// Days of the year of a recurrence.
        DaysOfYear = "days_of_year",
        /// Weeks of a recurrence.
        Weeks = "weeks",
        /// Months of a recurrence.
        Months = "months",
        /// Hours of a recurrence.
        Hours = "hours",
        /// Minutes of a recurrence.
        Minutes = "minutes",
        /// Positions among the slots of a recurrence.
        Positions = "positions",
        /// First day of the week of a recurrence.
        WeekStart = "week_start",
    }
}

impl FieldName {
    /// The field with the title or name of records of a kind.
    ///
    /// ```
    /// use events_calendar_domain::{FieldName, Kind};
    /// assert_eq!(FieldName::title_of(Kind::Tag), FieldName::Name);
    /// ```
    pub const fn title_of(kind: Kind) -> Self {
        match kind {
            Kind::Event => Self::Title,
            Kind::Venue => Self::Venue,
            Kind::Organizer => Self::Organizer,
            Kind::Category | Kind::Tag => Self::Name,
        }
    }
}

impl From<TextField> for FieldName {
    fn from(field: TextField) -> Self {
        match field {
            TextField::Address => Self::Address,
            TextField::City => Self::City,
            TextField::Country => Self::Country,
            TextField::Province => Self::Province,
            TextField::State => Self::State,
            TextField::StateProvince => Self::StateProvince,
        }
    }
}
