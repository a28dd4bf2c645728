//! Request targets with characters that a URI must percent-encode, as some clients send them: `"`, `<`, `>`, and
//! bytes above 0x7E. The parser of hyper refuses them, so they are encoded before it reads them.

/// The longest request line that is looked at, in bytes: the limit of hyper for a head.
const MAX_LINE: usize = 32 * 1024;

/// Encodes the target in the first request line of a connection.
///
/// The first line alone can be told from a body without reading HTTP. A later request of the connection with such
/// a target is answered by 400.
#[derive(Debug, Default)]
pub(super) struct TargetEncoder {
    /// The bytes of the request line that were read.
    read: usize,
    is_past: bool,
}

impl TargetEncoder {
    /// Whether the request line has ended, so that bytes pass as they are.
    pub(super) fn is_past(&self) -> bool {
        self.is_past
    }

    /// Encodes the next bytes of the connection, up to the end of the request line.
    pub(super) fn encode(&mut self, bytes: &[u8], encoded: &mut Vec<u8>) {
        for (index, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' || self.read == MAX_LINE {
                self.is_past = true;
                encoded.extend_from_slice(&bytes[index..]);
                return;
            }
            self.read += 1;
            match byte {
                b'"' | b'<' | b'>' | 0x7F.. => {
                    const HEX: &[u8; 16] = b"0123456789ABCDEF";
                    let [high, low] = [byte >> 4, byte & 15].map(|digit| HEX[usize::from(digit)]);
                    encoded.extend_from_slice(&[b'%', high, low]);
                }
                byte => encoded.push(byte),
            }
        }
    }
}

/// The response of hyper to a head that it cannot read has no body. Returns the response with one, in the form of
/// the interface.
pub(super) fn with_body(response: &[u8]) -> Option<Vec<u8>> {
    const STATUS: &[u8] = b"HTTP/1.1 400 Bad Request\r\n";
    const EMPTY: &str = "content-length: 0\r\n";
    const BODY: &str = r#"{"code":"bad_request","message":"The request line or a header is malformed.","data":{"status":400}}"#;
    let head = std::str::from_utf8(response.strip_prefix(STATUS)?).ok()?;
    let others = head.strip_suffix("\r\n")?;
    if !others.contains(EMPTY) {
        return None;
    }
    let others = others.replace(EMPTY, "");
    let length = BODY.len();
    let text = format!(
        "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\n\
         content-length: {length}\r\n{others}\r\n{BODY}"
    );
    Some(text.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(parts: &[&[u8]]) -> Vec<u8> {
        let (mut encoder, mut bytes) = (TargetEncoder::default(), Vec::new());
        for part in parts {
            if encoder.is_past() {
                bytes.extend_from_slice(part);
            } else {
                encoder.encode(part, &mut bytes);
            }
        }
        bytes
    }

    #[test]
    fn the_first_line_is_encoded_and_nothing_else() {
        let line = "GET /a?q=\"é\"<b> HTTP/1.1\r\nhost: \"x\"\r\n\r\n\"".as_bytes();
        let expected = b"GET /a?q=%22%C3%A9%22%3Cb%3E HTTP/1.1\r\nhost: \"x\"\r\n\r\n\"";
        assert_eq!(encoded(&[line]), expected);
        let bytes: Vec<_> = line.chunks(1).collect();
        assert_eq!(encoded(&bytes), expected);
    }

    #[test]
    fn an_empty_400_gets_a_body() {
        let empty = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\ndate: x\r\n\r\n";
        let text = String::from_utf8(with_body(empty).unwrap()).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(
            head.contains(&format!("content-length: {}\r\n", body.len())),
            "{head}"
        );
        assert!(
            head.contains("connection: close\r\n") && head.ends_with("date: x"),
            "{head}"
        );
        assert!(body.contains("\"status\":400"));
        for other in [
            &b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"[..],
            b"HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}",
        ] {
            assert_eq!(with_body(other), None);
        }
    }
}
