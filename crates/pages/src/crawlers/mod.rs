//! Files for the crawlers of search engines.

mod robots;
mod sitemap;

pub(crate) use robots::robots;
pub(crate) use sitemap::{file as sitemap_file, index as sitemap};
