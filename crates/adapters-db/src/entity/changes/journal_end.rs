//! The number of the last entry of the journal, on PostgreSQL. The lock of the only row orders those
//! who number entries.

use crate::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, DeriveActiveModelBehavior)]
#[sea_orm(table_name = "journal_end")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) n: i64,
}
