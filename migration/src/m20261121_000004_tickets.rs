//! Tickets of events, and where venues lie on the earth.

use sea_orm_migration::{
    prelude::*,
    sea_orm::ConnectionTrait,
    sea_query::{ColumnDef, Query},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Where a venue lies as seen from the middle of the earth: by these, databases without trigonometry
/// compare distances.
const DIRECTION: [&str; 3] = ["direction_x", "direction_y", "direction_z"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in DIRECTION {
            let add = Table::alter()
                .table("venue")
                .add_column(ColumnDef::new(column).double())
                .take();
            manager.alter_table(add).await?;
        }
        fill_directions(manager).await?;
        // Venues near a point: those between two latitudes, and of these between two longitudes.
        let near = "CREATE INDEX venue_position ON venue (latitude, longitude)";
        manager.get_connection().execute_unprepared(near).await?;
        manager.create_table(ticket()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .drop_table(Table::drop().table("event_ticket").take())
            .await?;
        let drop = "DROP INDEX venue_position";
        manager.get_connection().execute_unprepared(drop).await?;
        for column in DIRECTION {
            let drop = Table::alter().table("venue").drop_column(column).take();
            manager.alter_table(drop).await?;
        }
        Ok(())
    }
}

/// What events offer to those who come, in order; moments are those between which it can be had.
fn ticket() -> TableCreateStatement {
    Table::create()
        .table("event_ticket")
        .col(ColumnDef::new("event_id").big_integer().not_null())
        .col(ColumnDef::new("position").big_integer().not_null())
        .col(ColumnDef::new("name").text().not_null())
        .col(ColumnDef::new("price").text().not_null())
        .col(ColumnDef::new("currency").text().not_null())
        .col(ColumnDef::new("url").text())
        .col(ColumnDef::new("available_from_utc").big_integer())
        .col(ColumnDef::new("available_until_utc").big_integer())
        .primary_key(Index::create().col("event_id").col("position"))
        .foreign_key(
            &mut ForeignKey::create()
                .from("event_ticket", "event_id")
                .to("event", "id")
                .on_delete(ForeignKeyAction::Cascade)
                .take(),
        )
        .take()
}

/// Works out the directions of the venues that have a position.
async fn fill_directions(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let located = Query::select()
        .columns(["id", "latitude", "longitude"])
        .from("venue")
        .and_where(Expr::col("latitude").is_not_null())
        .and_where(Expr::col("longitude").is_not_null())
        .take();
    for row in connection.query_all(&located).await? {
        let id: i64 = row.try_get("", "id")?;
        let degrees = |column| row.try_get::<f64>("", column);
        let latitude = degrees("latitude")?.to_radians();
        let longitude = degrees("longitude")?.to_radians();
        let direction = [
            latitude.cos() * longitude.cos(),
            latitude.cos() * longitude.sin(),
            latitude.sin(),
        ];
        let update = Query::update()
            .table("venue")
            .values(DIRECTION.into_iter().zip(direction.map(Expr::value)))
            .and_where(Expr::col("id").eq(id))
            .take();
        connection.execute(&update).await?;
    }
    Ok(())
}
