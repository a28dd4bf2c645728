//! `export`: writes the calendar as an archive, or its public records as a calendar file or a table.

use interchange::archive::{self, ExportOptions};
use std::{
    ffi::OsStr,
    fs,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};
use app::Calendar;
use axum::{
    body::{Body, HttpBody as _},
    http::Request,
};
use http_service::NAMESPACE;
use indicatif::HumanCount;
use tower::ServiceExt as _;

use super::{images::ImageTarget, serve};
use crate::{
    cli::{ExportArgs, ExportFormat, ExportKind},
    output,
    partial_file::PartialFile,
    settings::Settings,
    wiring,
};

/// Writes an export. Returns what it holds as text, if standard output is free for it.
///
/// # Errors
///
/// If the database does not answer, if the file cannot be written, or if it exists and may not be
/// replaced, or if the query is bad.
pub(crate) async fn run(settings: &Settings, args: &ExportArgs) -> anyhow::Result<String> {
    wiring::require_database(settings)?;
    let format = match args.format {
        Some(format) => format,
        None => format_of(&args.file)?,
    };
    if format == ExportFormat::Jsonl {
        ensure!(
            args.query.is_empty(),
            "an archive holds everything: --query is for ics and csv"
        );
    } else {
        ensure!(!args.audit, "--audit is for archives (jsonl)");
    }
    if args.file == Path::new("-") {
        let mut sink = BufWriter::new(io::stdout());
        let said = write(settings, args, format, &mut sink).await?;
        sink.flush().context("standard output")?;
        output::notice(&said);
        return Ok(String::new());
    }
    let file = &args.file;
    if file.is_dir() {
        bail!("{} is a folder: name a file", file.display());
    }
    if !args.force && fs::symlink_metadata(file).is_ok() {
        bail!("{} exists: --force replaces it", file.display());
    }
    let partial = PartialFile::create(file)
        .with_context(|| format!("cannot create a file beside {}", file.display()))?;
    let mut sink = BufWriter::new(&partial.file);
    let said = write(settings, args, format, &mut sink).await?;
    let context = || format!("cannot write {}", file.display());
    sink.flush().with_context(context)?;
    drop(sink);
    let bytes = HumanCount(partial.publish(file).with_context(context)?);
    Ok(format!("{}: {bytes} bytes: {said}\n", file.display()))
}

/// The format that the suffix of a file names. An archive holds private records: another suffix never
/// gets one.
fn format_of(file: &Path) -> anyhow::Result<ExportFormat> {
    let suffix = file.extension().and_then(OsStr::to_str);
    match suffix.map(str::to_ascii_lowercase).as_deref() {
        Some("jsonl") => Ok(ExportFormat::Jsonl),
        Some("ics") => Ok(ExportFormat::Ics),
        Some("csv") => Ok(ExportFormat::Csv),
        None if file == Path::new("-") => Ok(ExportFormat::Jsonl),
        _ => bail!(
            "{} has no suffix .jsonl, .ics or .csv: use --format",
            file.display()
        ),
    }
}

async fn write(
    settings: &Settings,
    args: &ExportArgs,
    format: ExportFormat,
    sink: &mut impl Write,
) -> anyhow::Result<String> {
    let done = wiring::with_migrated_store(settings, async |store| {
        let port = settings.listen.port();
        let calendar = wiring::calendar(store, settings, port).await?;
        if format == ExportFormat::Jsonl {
            return archive(&calendar, settings, args, sink).await;
        }
        let public_url = settings.public_url(port);
        let accounts = wiring::accounts(store);
        let router = api_http::router(serve::state(settings, calendar, accounts, &public_url));
        let path = match (format, args.kind) {
            (ExportFormat::Ics, ExportKind::Events) => "events.ics",
            (ExportFormat::Ics, _) => bail!("a calendar file has events alone: use --format csv"),
            (_, ExportKind::Events) => "events.csv",
            (_, ExportKind::Venues) => "venues.csv",
            (_, ExportKind::Organizers) => "organizers.csv",
        };
        let request = Request::get(format!("/{NAMESPACE}/{path}?{}", args.query));
        let request = request.body(Body::empty()).context("--query")?;
        public_file(router, request, sink).await
    });
    done.await
}

/// Writes what the service answers to everybody.
async fn public_file(
    router: axum::Router,
    request: Request<Body>,
    sink: &mut impl Write,
) -> anyhow::Result<String> {
    let answer = router.oneshot(request).await?;
    let status = answer.status();
    let total = answer.headers().get("x-tec-total").cloned();
    let mut body = Box::pin(answer.into_body());
    let mut refusal = Vec::new();
    while let Some(frame) = std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await
    {
        let Ok(part) = frame.context("the export is incomplete")?.into_data() else {
            continue;
        };
        if status.is_success() {
            sink.write_all(&part).context("cannot write")?;
        } else {
            refusal.extend_from_slice(&part);
        }
    }
    ensure!(
        status.is_success(),
        "refused: {}",
        String::from_utf8_lossy(&refusal)
    );
    let total = total.as_ref().and_then(|total| total.to_str().ok());
    Ok(total.map_or_else(
        || "public records".to_owned(),
        |total| format!("{total} public records"),
    ))
}

/// Writes an archive, and the files of images into a folder or an archive `.tar`.
async fn archive(
    calendar: &Calendar,
    settings: &Settings,
    args: &ExportArgs,
    sink: &mut impl Write,
) -> anyhow::Result<String> {
    let options = ExportOptions {
        secrets: args.secrets,
        audit: args.audit,
    };
    let mut export = archive::export(calendar, options).await?;
    let images = images_of(&args.file, args.images.as_deref());
    let images =
        images.map(|target| ImageTarget::begin(settings, &target, args.purpose, args.force));
    let mut images = images.transpose()?;
    let (mut lines, mut left_out) = (0, 0);
    while let Some(part) = export.next_part().await? {
        for line in &part.lines {
            writeln!(sink, "{line}").context("cannot write")?;
            lines += 1;
        }
        for event in part.made_drafts {
            output::notice(&format!(
                "event {event} has a password: it is a draft in the archive; --secrets exports the password"
            ));
        }
        for path in &part.files {
            match &mut images {
                Some(images) => ensure!(
                    images.add(path).await?,
                    "cannot read the image {}: there is no such file",
                    path.as_str()
                ),
                None => left_out += 1,
            }
        }
    }
    if left_out > 0 {
        output::notice(&format!(
            "{left_out} files of images are not exported: name a folder with --images"
        ));
    }
    let files = images.map(ImageTarget::finish).transpose()?;
    let files = files.unwrap_or_default();
    Ok(format!("{lines} lines, {files} files of images"))
}

/// The place of the files of images: a folder beside the archive by default.
pub(super) fn images_of(file: &Path, folder: Option<&Path>) -> Option<PathBuf> {
    match folder {
        Some(folder) => Some(folder.to_owned()),
        None if file == Path::new("-") => None,
        None => {
            let mut name = file.as_os_str().to_owned();
            name.push(".images");
            Some(name.into())
        }
    }
}
