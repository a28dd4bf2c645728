//! Building blocks of statements, and readers of their rows.

mod cell;
pub(crate) mod condition;
mod insert_batch;
mod json;
mod localized;
mod page;
mod row;
mod text_list;
mod update_batch;
mod write_batch;

pub(crate) use self::{
    cell::{Cell, FromCell},
    insert_batch::{ColumnValue, InsertBatch, insert_selected, json as cell_json, set},
    json::{Json, Shape, as_number, read_json},
    localized::LocalizedColumns,
    page::{List, Part, Total, from},
    row::{Row, optional_time_column, parse_column, parse_optional_column, time_column},
    text_list::TextList,
    update_batch::UpdateBatch,
};
