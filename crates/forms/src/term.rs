//! The fields of categories and tags, and the filters of their lists.

use app::{
    fault::Fault,
    request::Purpose,
    term::{TermKind, TermName, TermQuery, TermWrite},
};
use domain::{
    EventId, Term,
    slug::Slug,
    text::{InvalidTitle, Title, fold},
};
use serde_json::{Map, Value};

use crate::{
    field::TERM_ORDERS,
    field::{DefaultValue, Output, Param, Schema, values, written},
    input::{Input, Reading},
    kind::{Form, needed},
    list::{self, ORDER, Span},
};

declare! {
    /// The name. Markup is removed.
    NAME: Name, Schema::Title, example("Outdoor") => name, write_name as TermName;
    /// A description; empty for none.
    DESCRIPTION: Description, Schema::Html;
    /// The slug; by default made from the name.
    SLUG: Slug, Schema::Text, example("outdoor") => values::slug, written::text as Slug;
    /// The ID of the parent category; 0 for none.
    PARENT: Parent, Schema::Id => values::integer, written::json as i64;
    /// A text that the name or the slug contains.
    SEARCH: Search, Schema::Search, example("out") => search as String;
    /// IDs to exclude.
    EXCLUDE: Exclude, Schema::Ids => values::ids as Vec<i64>;
    /// IDs: only these.
    INCLUDE: Include, Schema::Ids => values::ids as Vec<i64>;
    /// The field to order by.
    ORDER_BY: OrderBy, Schema::OneOf(&TERM_ORDERS.words()), default(DefaultValue::Text("name"));
    /// Whether terms without a published event are left out.
    HIDE_EMPTY: HideEmpty, Schema::Boolean, default(DefaultValue::Flag(true)) => values::boolean as bool;
    /// The same as `event`, which takes precedence.
    POST: Post, Schema::Positive => list::event_id as EventId;
    /// The ID of an event: only its terms.
    EVENT: Event, Schema::Positive => list::event_id as EventId;
    /// A slug; in the namespace of the host, a list of slugs.
    OF_SLUG: Slug, Schema::Text => values::owned_text as String;
    /// The ID of a category: only its direct subcategories; 0 for the top level.
    CHILDREN_OF: Parent, Schema::Id => values::integer as i64;
}

impl<X: TermKind> Form for Term<X> {
    fn fields(purpose: Purpose) -> Vec<Param> {
        let mut fields = vec![needed(NAME.param, purpose), DESCRIPTION, SLUG.param];
        fields.extend(X::HIERARCHICAL.then_some(PARENT.param));
        fields
    }

    fn read(input: &mut Input<'_>, reading: Reading<'_>, purpose: Purpose) -> TermWrite<X> {
        if purpose == Purpose::Create {
            input.require(&NAME);
        }
        let may_translate = reading.may_translate(X::KIND, purpose);
        TermWrite {
            name: input.take_translatable(&NAME, may_translate),
            slug: input.take_translatable(&SLUG, may_translate),
            description: None,
            html: input.read_html(&DESCRIPTION),
            parent: input.take_parent(&PARENT),
        }
    }

    fn write(write: &TermWrite<X>) -> Map<String, Value> {
        let mut output = Output::default();
        let TermWrite {
            name,
            slug,
            description,
            html,
            parent,
        } = write;
        output.change(&NAME, name);
        output.change(&SLUG, slug);
        output.html(&DESCRIPTION, html.as_ref(), description.as_ref());
        output.parent(&PARENT, parent);
        output.into_fields()
    }

    fn filters() -> Vec<Param> {
        let mut filters = vec![
            SEARCH.param,
            EXCLUDE.param,
            INCLUDE.param,
            ORDER.param,
            ORDER_BY,
            HIDE_EMPTY.param,
            POST.param,
            EVENT.param,
            OF_SLUG.param,
        ];
        filters.extend(X::HIERARCHICAL.then_some(CHILDREN_OF.param));
        filters
    }

    fn read_query(input: &mut Input<'_>, _reading: Reading<'_>, _span: Span) -> TermQuery {
        let post = input.take(&POST).map(|id| (POST.name, id));
        let event = input.take(&EVENT).map(|id| (EVENT.name, id));
        TermQuery {
            search: input.take(&SEARCH),
            include: input.take_list(&INCLUDE),
            exclude: input.take_list(&EXCLUDE),
            parent: if X::HIERARCHICAL {
                input.take(&CHILDREN_OF)
            } else {
                None
            },
            slugs: list::slugs(input),
            slug: if input.takes_slugs() {
                None
            } else {
                input.take(&OF_SLUG)
            },
            event: event.or(post),
            hide_empty: input.take(&HIDE_EMPTY).unwrap_or(true),
            sort: input
                .read(&ORDER_BY, |value| TERM_ORDERS.read(value))
                .unwrap_or_default(),
            descending: input.take(&ORDER).unwrap_or(false),
        }
    }
}

fn name(value: &Value) -> Result<TermName, Fault> {
    match values::text(value)?.parse::<Title>() {
        Ok(name) => Ok(TermName::Usable(name)),
        Err(InvalidTitle::Empty) => Ok(TermName::Blank),
        Err(error) => Err(Fault::Title(error)),
    }
}

fn write_name(name: &TermName) -> Value {
    match name {
        TermName::Usable(name) => name.as_str().into(),
        TermName::Blank => " ".into(),
    }
}

fn search(value: &Value) -> Result<String, Fault> {
    values::search(value).map(fold)
}
