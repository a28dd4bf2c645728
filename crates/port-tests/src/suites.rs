//! The table of contents: each test, by its folder and file.

/// A `#[test]` for each test of the ports; the argument names a function `async fn(PortTest)` of the parent module.
///
/// The [documentation of the crate](crate) has an example.
#[macro_export]
macro_rules! port_tests {
    ($each:ident) => {
        $crate::suites! { $each
            records {
                deletion {
                    a_deleted_record_is_gone<R>,
                    its_slug_is_free<R>,
                    events_lose_their_venue,
                    events_lose_their_organizer,
                    events_lose_their_category,
                    events_lose_their_tag,
                    the_parts_of_an_event_stay,
                    links_of_an_event_go_with_it,
                    children_move_up,
                    the_import_of_an_event_is_remembered,
                }
                former_slugs {
                    the_last_record_is_found<R>,
                    a_former_slug_is_free<R>,
                    a_deleted_record_leaves_none<R>,
                    a_unit_undoes_its_notes<R>,
                }
                given_ids {
                    empty a_user_gets_a_given_id,
                    an_image_gets_a_given_id,
                    occurrences_get_given_ids,
                    ids_are_read_in_parts<R>,
                    the_ids_of_plain_occurrences_are_not_read,
                    former_slugs_are_read_by_record<R>,
                    a_snapshot_is_one_state<R>,
                }
                images {
                    an_image_is_found_as_it_was,
                    an_image_is_for_those_who_see_it,
                    lists_of_images,
                    an_image_gets_a_text,
                    names_and_addresses_are_used_once,
                    a_deleted_image_is_shown_by_nobody,
                }
                races {
                    one_slug_for_each<R>,
                    one_slug_for_each_among_many<R>,
                    one_record_of_a_name<R>,
                    no_circle_of_parents,
                    no_event_is_lost_on_the_move,
                    no_update_is_lost,
                    empty one_user_of_a_name,
                    empty one_user_of_an_address,
                    one_import_of_a_row,
                    one_setting_of_a_name,
                    one_change_of_a_revision_of_the_site,
                    one_answer_of_a_key,
                }
                found {
                    an_inserted_record_is_found<R>,
                    ids_count_from_one_and_are_not_used_again<R>,
                    a_record_gets_a_given_id<R>,
                    an_absent_record_is_not_found<R>,
                    many_are_found_in_the_order_asked<R>,
                    records_are_found_by_slug<R>,
                    records_are_found_by_folded_name<R>,
                    each_update_raises_the_revision<R>,
                    a_stale_update_conflicts<R>,
                    an_update_of_a_deleted_record_conflicts<R>,
                }
                round_trips {
                    events,
                    venues,
                    organizers,
                    categories,
                    tags,
                    empty users,
                }
                slugs {
                    the_request_decides<R>,
                    the_same_request_is_numbered<R>,
                    the_first_free_number_is_taken<R>,
                    a_reserved_slug_is_never_free<R>,
                    candidates_are_tried_in_order<R>,
                    long_slugs_are_cut_for_their_number<R>,
                    kinds_do_not_share_slugs,
                    an_entry_can_do_without<Event, Venue, Organizer>,
                    an_update_without_a_request_keeps_the_slug<R>,
                    an_update_with_a_request_gives_the_old_slug_back<R>,
                    its_own_slug_is_free_for_a_record<R>,
                    its_own_number_is_free_among_many<R>,
                    an_update_finds_other_slugs_taken<R>,
                }
                translations {
                    translations_are_kept<R>,
                    records_are_found_by_translated_names<R>,
                    slugs_are_unique_over_all_languages<R>,
                    slugs_of_translations_are_given_back<R>,
                    a_deleted_record_leaves_no_translation<R>,
                    an_original_can_do_without_a_slug<Event, Venue, Organizer>,
                }
                units {
                    a_unit_reads_what_it_wrote<R>,
                    a_unit_sees_announced_records_as_they_are,
                    a_unit_finds_names_as_they_are<R>,
                    a_committed_unit_is_kept<R>,
                    a_unit_that_is_rolled_back_leaves_nothing<R>,
                    a_dropped_unit_leaves_nothing<R>,
                    a_nested_unit_is_kept_with_the_outer_one,
                    a_nested_unit_is_undone_alone,
                    a_dropped_nested_unit_is_undone_alone,
                    a_nested_unit_is_undone_with_the_outer_one,
                    nested_units_nest,
                    a_conflict_in_a_nested_unit_spares_the_outer_one,
                    a_unit_holds_all_ports,
                    ping,
                }
            }
            lists {
                event_lists {
                    each_filter_for_each_reader,
                    many_words_are_excluded,
                    lists_follow_changes,
                }
                event_parents {
                    lineages,
                    linked_events,
                    lists_of_parts,
                }
                event_spans {
                    outlines_are_of_their_events,
                    spans_are_those_of_lists,
                    the_calendar_has_ends,
                    spans_are_bounded,
                }
                event_totals {
                    lists_tell_their_length,
                    lists_follow_the_tree,
                }
                indexes {
                    indexes,
                    events_have_no_index,
                }
                nearby {
                    events_near_a_point,
                    lists_follow_venues,
                }
                place_lists {
                    places<VenueDetails, OrganizerDetails>,
                }
                tallies {
                    each_number_is_that_of_a_list,
                    a_tally_of_nothing,
                }
                term_lists {
                    terms<Categories, Tags>,
                }
                terms {
                    counts_are_of_what_everybody_may_see,
                    counts_follow_changes,
                    ancestors,
                }
            }
            series {
                extension {
                    series_are_extended,
                    series_that_changed_are_not_extended,
                    overrides_are_those_of_a_series,
                }
                occurrence_records {
                    overrides_come_and_go,
                    revisions_only_grow,
                    overrides_follow_their_series,
                    a_detached_occurrence_is_an_event_of_its_own,
                    occurrences_show_as_their_series,
                    terms_count_a_series_once,
                    an_occurrence_has_parts,
                    occurrences_lose_a_parent_that_goes,
                }
                occurrences {
                    no_event_gets_the_id_of_an_occurrence,
                    added_occurrences_are_found,
                    a_slot_leads_to_its_occurrence,
                    windows_bound_the_occurrences_of_a_series,
                    occurrences_change_their_slots,
                    a_series_takes_occurrences_over,
                    a_series_goes_with_its_occurrences,
                    what_a_unit_did_not_commit_is_not_there,
                    unfinished_series_are_locked,
                    the_horizon_is_the_least_of_listed_series,
                    a_series_is_found_as_it_is,
                    an_event_begins_to_repeat_and_ends,
                    five_thousand_occurrences_are_one_change,
                }
                overrides {
                    overrides_change_together,
                    occurrences_get_records_together,
                }
            }
            search {
                writes {
                    each_change_is_found,
                    each_change_within_a_unit_is_found,
                    the_last_of_two_changes_counts,
                    a_deleted_event_is_not_found,
                    each_of_many_writes_is_found,
                }
                random {
                    random_searches_after_random_writes,
                }
            }
            journal {
                feeds {
                    tombstones_round_trip,
                    the_last_tombstone_is_found,
                    tombstones_are_read_by_pages,
                    tombstones_belong_to_units,
                    secret_feeds_round_trip,
                    secret_feeds_are_limited_by_owner,
                }
                duplicates {
                    pairs_round_trip,
                    pairs_are_listed_by_score,
                    pairs_go_with_their_records,
                    merged_records_are_not_listed,
                    records_are_kept,
                    the_position_of_comparisons,
                }
                sources {
                    sources_round_trip,
                    sources_are_limited,
                    a_source_has_one_lease,
                    a_leased_source_stays,
                    a_source_keeps_its_user,
                }
                indirect_journal {
                    a_venue_appears_and_disappears_in_events,
                    an_organizer_appears_and_disappears_in_events,
                    private_places_stay_private,
                    a_unit_keeps_the_state_before_it,
                    a_parent_appears_and_disappears_in_its_parts,
                    a_series_appears_and_disappears_in_its_neighbours,
                    an_occurrence_appears_and_disappears_in_its_parts,
                    events_of_a_deleted_term_have_entries,
                    records_of_a_described_image_have_entries,
                    a_path_changes_below_a_category,
                }
                entries {
                    each_change_has_an_entry,
                    all_kinds_have_entries,
                    a_rollback_leaves_no_entry,
                    a_range_has_the_first_entry_of_each_record,
                    private_changes_are_not_public,
                    the_last_visible_entry_is_of_the_reach,
                    scheduled_records_become_due,
                    publications_are_read_page_by_page,
                    entries_are_read_for_a_reach_and_for_kinds,
                    entries_are_read_for_records_and_by_pages,
                    a_cursor_is_checked,
                    the_last_entries_are_kept,
                }
            }
            administration {
                audit {
                    entries_are_found_as_they_were,
                    entries_are_filtered,
                    entries_belong_to_their_unit,
                    old_entries_are_pruned,
                    a_stored_difference_leads_back,
                    values_are_forgotten,
                    pages_are_bounded_in_bytes,
                }
                reviews {
                    a_remark_replaces_the_former,
                    a_remark_goes_with_its_event,
                    a_remark_outlives_its_author,
                    a_verification_goes_with_its_event,
                    events_are_to_be_verified,
                    proposals_are_counted_and_closed,
                }
                sign_ins {
                    empty a_password_replaces_the_former,
                    empty a_second_factor_replaces_the_former,
                    empty an_invitation_replaces_the_former,
                    empty sessions_end,
                    empty sign_ins_go_with_their_user,
                }
                accounts {
                    empty logins_are_found_in_any_letter_case,
                    empty logins_are_taken_in_any_letter_case,
                    empty an_address_is_replaced,
                    empty a_name_is_replaced,
                    empty records_are_given,
                    empty a_user_without_records_is_deleted,
                    empty a_taken_login_spares_the_unit,
                    empty users_are_listed_by_id,
                    empty roles_change,
                    empty users_are_disabled,
                    empty tokens_are_found_by_hash,
                    empty tokens_are_listed_by_id,
                    empty a_token_is_revoked_once,
                    empty an_expired_token_is_worth_nothing,
                }
                idempotency {
                    a_key_is_taken_once,
                    a_key_that_was_not_kept_is_free,
                    expired_keys_are_free,
                }
                imports_and_settings {
                    an_imported_row_is_remembered,
                    a_row_is_imported_once,
                    a_record_of_a_source_is_remembered,
                    the_records_of_a_source_come_in_pages,
                    a_deleted_record_has_no_source,
                    the_first_setting_stays,
                    events_are_found_by_uid,
                    events_are_found_by_title_and_start,
                }
                site_settings {
                    a_site_is_changed_at_its_revision,
                    a_site_outlives_its_users,
                    a_site_belongs_to_units,
                }
            }
        }
    };
}

/// The modules of [`port_tests!`]: folders, and files in them.
#[doc(hidden)]
#[macro_export]
macro_rules! suites {
    ($each:ident $($folder:ident { $($file:ident { $($tests:tt)* })* })*) => {
        $(mod $folder {
            $(mod $file {
                $crate::tests! { $each ($crate::$folder::$file) $($tests)* }
            })*
        })*
    };
}

/// The tests of a file: `name` runs once; `name<R>` for each kind of record in turn, on the same store;
/// `name<Event, Venue>` for these types; `empty name` on a store without users.
#[doc(hidden)]
#[macro_export]
macro_rules! tests {
    ($each:ident $file:tt) => {};
    ($each:ident $file:tt empty $name:ident, $($rest:tt)*) => {
        $crate::test! { $each $file $name false }
        $crate::tests! { $each $file $($rest)* }
    };
    ($each:ident $file:tt $name:ident, $($rest:tt)*) => {
        $crate::test! { $each $file $name true }
        $crate::tests! { $each $file $($rest)* }
    };
    ($each:ident $file:tt $name:ident<R>, $($rest:tt)*) => {
        $crate::tests! { $each $file $name<Event, Venue, Organizer, Category, Tag>, $($rest)* }
    };
    ($each:ident $file:tt $name:ident<$($kind:ident),+>, $($rest:tt)*) => {
        $crate::test! { $each $file $name true $($kind)+ }
        $crate::tests! { $each $file $($rest)* }
    };
}

/// One test.
#[doc(hidden)]
#[macro_export]
macro_rules! test {
    ($each:ident ($($file:tt)*) $name:ident $has_users:literal) => {
        #[test]
        fn $name() {
            let run = $crate::PortTest::new($has_users, |store| Box::pin($($file)*::$name(store)));
            $crate::block_on(super::super::$each(run));
        }
    };
    ($each:ident ($($file:tt)*) $name:ident $has_users:literal $($kind:ident)+) => {
        $crate::test! { @kinds $each { $($file)*::$name } $name $has_users $($kind)+ }
    };
    (@kinds $each:ident $function:tt $name:ident $has_users:literal $($kind:ident)+) => {
        #[test]
        fn $name() {
            let run = $crate::PortTest::new($has_users, |store| {
                Box::pin(async move {
                    $($crate::for_kind!($function $kind store);)+
                })
            });
            $crate::block_on(super::super::$each(run));
        }
    };
}

/// One test for one kind.
#[doc(hidden)]
#[macro_export]
macro_rules! for_kind {
    ({ $($function:tt)* } $kind:ident $store:ident) => {
        $($function)*::<$crate::kinds::$kind>($store).await
    };
}
