//! The indexes.

/// Returns the statements that create all indexes.
pub(crate) fn create(postgres: bool) -> String {
    // Folded names may be longer than PostgreSQL accepts in a B-tree; they are only compared for
    // equality. An index of SQLite ends with the row ID anyway.
    let (by_hash, at_venue, own) = if postgres {
        ("USING hash", "venue_id, start_utc, id", POSTGRES)
    } else {
        ("", "venue_id, start_utc", SQLITE)
    };
    // A query that reads nothing but indexed columns is answered from the index alone. SQLite does
    // so only if the columns of the condition are indexed, too.
    let listed = "start_utc, event_id, end_utc, published_utc, listed) WHERE listed";
    format!(
        "
    CREATE INDEX event_start ON event (start_utc, id);
    CREATE INDEX event_author ON event (author_id);
    CREATE INDEX event_venue ON event ({at_venue});
    CREATE INDEX event_parent ON event (parent_id);
    CREATE INDEX event_organizer_place ON event_organizer (place_id, event_id);
    CREATE INDEX venue_date ON venue (date_utc, id);
    CREATE INDEX organizer_date ON organizer (date_utc, id);
    CREATE INDEX category_parent ON category (parent_id);
    CREATE INDEX slug_record ON slug (kind, record_id);
    CREATE INDEX former_slug_record ON former_slug (kind, record_id);
    CREATE INDEX idempotency_key_expires ON idempotency_key (expires);
    CREATE INDEX category_path_below ON category_path (below_id, above_id);

    -- Names.
    CREATE INDEX event_title_key ON event {by_hash} (title_key);
    CREATE INDEX venue_title_key ON venue {by_hash} (title_key);
    CREATE INDEX organizer_title_key ON organizer {by_hash} (title_key);
    CREATE INDEX category_name_key ON category {by_hash} (name_key);
    CREATE INDEX tag_name_key ON tag {by_hash} (name_key);
    CREATE INDEX event_translation_key ON event_translation {by_hash} (title_key);
    CREATE INDEX venue_translation_key ON venue_translation {by_hash} (title_key);
    CREATE INDEX organizer_translation_key ON organizer_translation {by_hash} (title_key);
    CREATE INDEX category_translation_key ON category_translation {by_hash} (title_key);
    CREATE INDEX tag_translation_key ON tag_translation {by_hash} (title_key);

    -- Records that show an image, which are few.
    CREATE INDEX event_image ON event (image_id) WHERE image_id IS NOT NULL;
    CREATE INDEX venue_image ON venue (image_id) WHERE image_id IS NOT NULL;
    CREATE INDEX organizer_image ON organizer (image_id) WHERE image_id IS NOT NULL;

    -- Venues near a point: those between two latitudes, and of these between two longitudes.
    CREATE INDEX venue_position ON venue (latitude, longitude);

    -- Public lists.
    CREATE INDEX event_listed_start ON event (start_utc, id, end_utc, published_utc, listed)
        WHERE listed;
    CREATE INDEX event_listed_span ON event
        (span, start_utc, end_utc, id, published_utc, venue_id, password_hash, listed) WHERE listed;
    CREATE INDEX event_listed_venue ON event
        (venue_id, start_utc, id, end_utc, published_utc, listed, password_hash)
        WHERE listed AND password_hash IS NULL;
    CREATE INDEX event_in_category_listed ON event_in_category (term_id, {listed};
    CREATE INDEX event_tag_listed ON event_tag (term_id, {listed};
    CREATE INDEX event_organizer_listed ON event_organizer (place_id, {listed};
    CREATE INDEX venue_published ON venue (date_utc, id, published_utc, stage)
        WHERE stage = 'published';
    CREATE INDEX organizer_published ON organizer (date_utc, id, published_utc, stage)
        WHERE stage = 'published';

    -- Scheduled events, with the columns that counts need: of all events, and of a category or tag.
    CREATE INDEX event_scheduled ON event
        (published_utc, start_utc, end_utc, id, venue_id, listed, stage, password_hash);
    CREATE INDEX event_category_term ON event_category (term_id, published_utc, event_id);
    CREATE INDEX event_tag_term ON event_tag (term_id, published_utc, event_id);

    -- Events that a password protects.
    CREATE INDEX event_locked ON event (id) WHERE password_hash IS NOT NULL;
    {own}"
    )
}

/// Indexes of SQLite alone.
const SQLITE: &str = "
    CREATE UNIQUE INDEX event_text_event ON event_text (event_id);";

/// Indexes of PostgreSQL alone. A later migration deletes those of trigrams, so that it does not
/// matter whether the extension can be created.
const POSTGRES: &str = "
    CREATE INDEX change_xid ON change (xid);
    DO $$ BEGIN
        CREATE EXTENSION IF NOT EXISTS pg_trgm;
        CREATE INDEX event_search ON event USING gin (search_text gin_trgm_ops);
        CREATE INDEX event_translation_search ON event_translation USING gin (search_text gin_trgm_ops);
    EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object
        THEN NULL;
    END $$;";
