//! Files for the crawlers of search engines.

mod robots;
mod sitemap;

pub(crate) use robots::robots;
pub(crate) use sitemap::{part as sitemap_part, sitemap};
