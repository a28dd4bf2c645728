//! Feeds that break off, and feeds that a client does not read.

use adapters_ical::ICalendar;
use api_http::{AppState, router};
use app::{
    Calendar,
    auth::Accounts,
    ports::{Media, MockEventRepository, RelatedRecords, Store, StoreError},
    site::Site,
    test_support::{FixedClock, StoreDouble, event},
};
use domain::{EventId, Stored, page::Page};

use super::*;

/// The events of a long feed, of more than 100 MB.
const EVENTS: i64 = 50_000;

/// The end of a chunked body.
const LAST_CHUNK: &[u8] = b"\r\n0\r\n\r\n";

/// A store with a long list of events.
struct Events {
    store: Arc<dyn Store>,
    /// The number of batches that were read.
    read: Arc<AtomicUsize>,
}

impl Events {
    /// Reading the batch of this number fails, once.
    fn new(count: i64, failing: Option<usize>) -> Self {
        let read = Arc::<AtomicUsize>::default();
        let counter = Arc::clone(&read);
        let content = event("Walk").description(&"river ".repeat(400)).build();
        let mut events = MockEventRepository::new();
        events.expect_page().returning(move |query| {
            let rows = (1..=count).map(EventId::from_raw).collect();
            Ok(Page {
                rows,
                total: count.unsigned_abs(),
                request: query.page,
            })
        });
        events.expect_find_many().returning(move |ids| {
            let is_batch = !ids.is_empty();
            let number = counter.fetch_add(usize::from(is_batch), Ordering::SeqCst) + 1;
            if is_batch && Some(number) == failing {
                return Err(StoreError::Unavailable("the database is gone".to_owned()));
            }
            let stored = |&id| Stored {
                id,
                revision: 1,
                content: content.clone(),
            };
            Ok(ids.iter().map(stored).collect())
        });
        let related = |_: &_, _| Ok(RelatedRecords::default());
        events.expect_load_related().returning(related);
        events
            .expect_linkable_ids()
            .returning(|_, _| Ok(Vec::new()));
        let store = Arc::new(StoreDouble::default().with_events(events));
        Self { store, read }
    }

    /// A server of the store.
    async fn serve(&self, change: impl FnOnce(&mut ConnectionTimeouts)) -> Running {
        let clock = Arc::new(FixedClock::default());
        let calendar = Calendar::new(
            self.store.clone(),
            clock.clone(),
            Media::none(),
            Site::default(),
        );
        let accounts = Accounts::new(self.store.clone(), clock);
        let state = AppState::new(calendar.await.unwrap(), accounts, "https://cal.example");
        Running::over(router(state.with_calendar_files(ICalendar)), 1024, change)
    }

    fn read(&self) -> usize {
        self.read.load(Ordering::SeqCst)
    }
}

/// Sends a request for the feed, and reads until the end of the body or of the connection.
async fn feed(server: &Running, encoding: &str) -> Vec<u8> {
    let mut stream = server.connect().await;
    let head = format!(
        "GET /cal/events/v1/events.ics HTTP/1.1\r\nhost: x\r\naccept-encoding: {encoding}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    let read = async {
        // A reset ends the connection too.
        while !bytes.ends_with(LAST_CHUNK)
            && !matches!(stream.read_buf(&mut bytes).await, Ok(0) | Err(_))
        {}
    };
    timeout(NEVER, read).await.unwrap();
    bytes
}

/// F-47: the feed of a client that reads nothing is read no further than the buffers of the system reach. The
/// connection is closed after the time for a stalled client, and holds nothing of the store.
#[tokio::test]
async fn a_feed_that_is_not_read_stops() {
    assert_eq!(ConnectionTimeouts::default().stall, Duration::from_secs(30));
    let events = Events::new(EVENTS, None);
    let server = events.serve(|timeouts| timeouts.stall = SOON).await;
    let at_rest = Arc::strong_count(&events.store);
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(server.address).await.unwrap();
    ask(&mut stream, "/cal/events/v1/events.ics").await;
    let stopped = async {
        while events.read() == 0 || Arc::strong_count(&events.store) > at_rest {
            sleep(SOON / 10).await;
        }
    };
    timeout(NEVER, stopped).await.unwrap();
    // A batch has about 40 kB; the system buffers at most some MB.
    assert!(events.read() <= 200, "{} batches were read", events.read());
    let text = rest(&mut stream).await;
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    assert!(!text.as_bytes().ends_with(LAST_CHUNK));
}

/// F-48: a feed that the database breaks off ends without the last chunk, and the next one is whole.
#[tokio::test]
async fn a_feed_that_breaks_off_does_not_look_whole() {
    for encoding in ["identity", "gzip"] {
        let events = Events::new(1500, Some(40));
        let server = events.serve(|_| ()).await;
        let broken = feed(&server, encoding).await;
        // A short beginning, as of a compressed file, may not be on its way yet.
        let is_begun = broken.starts_with(b"HTTP/1.1 200") || encoding == "gzip";
        assert!(is_begun && !broken.ends_with(LAST_CHUNK), "{encoding}");
        assert_eq!(events.read(), 40);
        let whole = feed(&server, encoding).await;
        assert!(whole.starts_with(b"HTTP/1.1 200") && whole.ends_with(LAST_CHUNK));
        assert_eq!(events.read(), 40 + 94);
        let text = String::from_utf8(feed(&server, "identity").await).unwrap();
        assert_eq!(text.matches("BEGIN:VEVENT").count(), 1500);
        assert!(text.contains("END:VCALENDAR"));
    }
}

/// F-48: a feed that fails before its first byte is an error of the interface, and is not cached.
#[tokio::test]
async fn a_feed_that_does_not_begin_is_an_error() {
    let events = Events::new(3, Some(1));
    let server = events.serve(|_| ()).await;
    let mut stream = server.connect().await;
    ask(&mut stream, "/cal/events/v1/events.ics").await;
    let failed = until(&mut stream, "}}").await;
    assert!(failed.starts_with("HTTP/1.1 503"), "{failed}");
    assert!(
        failed.contains("content-type: application/json"),
        "{failed}"
    );
    assert!(failed.contains("\"data\":{\"status\":503}"), "{failed}");
    ask(&mut stream, "/cal/events/v1/events.ics").await;
    let whole = until(&mut stream, "END:VCALENDAR\r\n").await;
    assert!(whole.starts_with("HTTP/1.1 200"), "{whole}");
    assert_eq!(whole.matches("BEGIN:VEVENT").count(), 3);
}
