//! What every store must do: one function for each rule of the ports.
//!
//! [`port_suite!`](crate::port_suite) names them all and makes a test of each. Every function starts
//! from an empty store. None reads past a unit of work that is under way: a store with one
//! connection could not answer.

pub mod accounts;
pub mod deletion;
pub mod event_lists;
pub mod event_parents;
pub mod event_totals;
pub mod former_slugs;
pub mod idempotency;
pub mod images;
pub mod imports_and_settings;
mod lists;
pub mod nearby;
pub mod place_lists;
pub mod races;
pub mod records;
pub mod round_trips;
mod sample;
pub mod slugs;
pub mod term_lists;
pub mod terms;
pub mod translations;
pub mod units;

/// Makes a module of tests, one for each rule, over one kind of store.
///
/// Its arguments are the name of the module, how to set a store up, and how to get the
/// `&dyn Store` from that. The set-up is an `Option`: where there is none (a database server that
/// nobody started), the tests pass without doing anything.
///
/// ```
/// tests::port_suite!(memory, store = Some(app::test_support::InMemoryStore::new()) => &store);
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! port_suite {
    ($name:ident, $kept:ident = $set_up:expr => $store:expr) => {
        mod $name {
            #[allow(
                unused_imports,
                reason = "the set-up may, but need not, use what the caller sees"
            )]
            use super::*;

            $crate::port_suite! {
                @rules $kept = $set_up => $store;
                records {
                    an_inserted_record_is_found
                    ids_count_from_one_and_are_not_used_again
                    an_absent_record_is_not_found
                    many_are_found_in_the_order_asked
                    records_are_found_by_slug
                    records_are_found_by_folded_name
                    each_update_raises_the_revision
                    a_stale_update_conflicts
                    an_update_of_a_deleted_record_conflicts
                }
                images {
                    an_image_is_found_as_it_was
                    an_image_is_for_those_who_see_it
                    names_and_addresses_are_used_once
                    a_deleted_image_is_shown_by_nobody
                }
                slugs {
                    the_wish_decides
                    the_same_wish_is_numbered
                    the_first_free_number_is_taken
                    a_reserved_slug_is_never_free
                    candidates_are_tried_in_order
                    long_slugs_are_cut_for_their_number
                    kinds_do_not_share_slugs
                    an_entry_can_do_without
                    an_update_without_a_wish_keeps_the_slug
                    an_update_with_a_wish_gives_the_old_slug_back
                    its_own_slug_is_free_for_a_record
                    its_own_number_is_free_among_many
                    an_update_finds_other_slugs_taken
                }
                former_slugs {
                    the_last_record_is_found
                    a_former_slug_is_free
                    a_deleted_record_leaves_none
                    a_unit_undoes_its_notes
                }
                round_trips {
                    events
                    venues
                    organizers
                    categories
                    tags
                    users
                }
                event_lists {
                    each_filter_for_each_reader
                    lists_follow_changes
                    many_words_are_excluded
                }
                event_parents {
                    lineages
                    linked_events
                    lists_of_parts
                }
                place_lists {
                    venues
                    organizers
                }
                event_totals {
                    lists_tell_their_length
                    lists_follow_the_tree
                }
                nearby {
                    events_near_a_point
                    lists_follow_venues
                }
                term_lists {
                    categories
                    tags
                }
                terms {
                    counts_are_of_what_everybody_may_see
                    counts_follow_changes
                    ancestors
                }
                translations {
                    translations_are_kept
                    records_are_found_by_translated_names
                    slugs_are_unique_over_all_languages
                    slugs_of_translations_are_given_back
                    a_deleted_record_leaves_no_translation
                    an_original_can_do_without_a_slug
                }
                deletion {
                    a_deleted_record_is_gone
                    its_slug_is_free
                    events_lose_their_venue
                    events_lose_their_organizer
                    events_lose_their_category
                    events_lose_their_tag
                    the_parts_of_an_event_stay
                    links_of_an_event_go_with_it
                    children_move_up
                    the_import_of_an_event_is_remembered
                }
                units {
                    a_unit_reads_what_it_wrote
                    a_unit_finds_names_as_they_are
                    a_committed_unit_is_kept
                    a_unit_that_is_rolled_back_leaves_nothing
                    a_dropped_unit_leaves_nothing
                    a_nested_unit_is_kept_with_the_outer_one
                    a_nested_unit_is_undone_alone
                    a_dropped_nested_unit_is_undone_alone
                    a_nested_unit_is_undone_with_the_outer_one
                    nested_units_nest
                    a_conflict_in_a_nested_unit_spares_the_outer_one
                    a_unit_holds_all_ports
                    ping
                }
                accounts {
                    logins_are_found_in_any_letter_case
                    logins_are_taken_in_any_letter_case
                    a_taken_login_spares_the_unit
                    users_are_listed_by_id
                    roles_change
                    users_are_disabled
                    tokens_are_found_by_hash
                    tokens_are_listed_by_id
                    a_token_is_revoked_once
                    an_expired_token_is_worth_nothing
                }
                imports_and_settings {
                    an_imported_row_is_remembered
                    a_row_is_imported_once
                    the_first_setting_stays
                }
                idempotency {
                    a_key_is_taken_once
                    a_key_that_was_not_kept_is_free
                    expired_keys_are_free
                }
                races {
                    one_answer_of_a_key
                    one_slug_for_each
                    one_slug_for_each_among_many
                    one_record_of_a_name
                    no_circle_of_parents
                    no_event_is_lost_on_the_move
                    no_update_is_lost
                    one_user_of_a_name
                    one_user_of_an_address
                    one_import_of_a_row
                    one_setting_of_a_name
                }
            }
        }
    };
    (@rules $kept:ident = $set_up:expr => $store:expr; $($topic:ident { $($rule:ident)* })*) => {
        $(
            mod $topic {
                #[allow(
                    unused_imports,
                    reason = "the set-up may, but need not, use what the caller sees"
                )]
                use super::*;

                $(
                    #[tokio::test]
                    async fn $rule() {
                        let Some($kept) = $set_up else { return };
                        $crate::ports::$topic::$rule($store).await;
                    }
                )*
            }
        )*
    };
}
