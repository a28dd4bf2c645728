//! Readers of single values.

use std::net::IpAddr;

use domain::cost::SiteCurrency;
use http_service::{BasePathPattern, InvalidBasePath, parse_base_path};
use ipnet::IpNet;

use super::{
    checked, checked_text, database::DatabaseUrl, invalid::InvalidSetting, public_url::PublicUrl,
};
use crate::endpoints;

/// Reads a base path of the interface.
pub(super) fn base_path(text: &str) -> Result<BasePathPattern, InvalidBasePath> {
    parse_base_path(text, &endpoints::all())
}

/// Reads the path of old addresses of events.
pub(super) fn old_events(text: &str) -> Result<BasePathPattern, String> {
    let path = match base_path(text) {
        Err(InvalidBasePath::NoPath) => None,
        read => Some(read.map_err(|error| error.to_string())?),
    };
    path.filter(|path| path.below_language().is_some())
        .ok_or_else(|| "must be a path such as /agenda, of letters, digits and `-._~`".to_owned())
}

/// Reads an origin: a URL without a path.
pub(super) fn origin(text: &str) -> Result<String, String> {
    let url = PublicUrl::parse(text)?;
    if url.has_path() {
        return Err("must not have a path".to_owned());
    }
    Ok(url.as_str().to_owned())
}

/// Reads the address of a proxy, or a network of proxies such as `10.0.0.0/8`.
pub(super) fn network(text: &str) -> Result<IpNet, &'static str> {
    let network = text.parse().ok();
    let address = || text.parse::<IpAddr>().ok().map(IpNet::from);
    network
        .or_else(address)
        .ok_or("is neither an IP address nor a network such as 10.0.0.0/8")
}

/// Reads the replica of a database.
pub(super) fn replica(
    text: Option<&str>,
    database: &DatabaseUrl,
) -> Result<Option<DatabaseUrl>, InvalidSetting> {
    let Some(text) = text else { return Ok(None) };
    let replica = DatabaseUrl::parse(text).and_then(|replica| {
        if replica.is_file() || database.is_file() {
            return Err(
                "only PostgreSQL has replicas: both databases must be postgres://…".to_owned(),
            );
        }
        Ok(replica)
    });
    checked("read-database-url", replica).map(Some)
}

/// Reads the currency of prices without one.
pub(super) fn currency(text: &str) -> Result<SiteCurrency, InvalidSetting> {
    checked_text("currency", text, |text| {
        text.parse()
            .map_err(|_| "is neither the three letters of a currency, such as EUR, nor `none`")
    })
}

/// Reads the URL of a site, if it is set.
pub(super) fn url(flag: &str, text: Option<&str>) -> Result<Option<PublicUrl>, InvalidSetting> {
    checked(flag, text.map(PublicUrl::parse).transpose())
}
