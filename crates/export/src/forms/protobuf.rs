//! Messages of Protocol Buffers, as far as ONNX needs them.

/// A message that is being written: fields one after the other.
#[derive(Clone, Default)]
pub(super) struct Message(Vec<u8>);

/// Kinds of a field on the wire.
const NUMBER: u64 = 0;
const BYTES: u64 = 2;
const FOUR_BYTES: u64 = 5;

impl Message {
    pub(super) fn number(mut self, field: u64, value: i64) -> Self {
        self.varint(field << 3 | NUMBER);
        self.varint(value.cast_unsigned());
        self
    }

    pub(super) fn float(mut self, field: u64, value: f32) -> Self {
        self.varint(field << 3 | FOUR_BYTES);
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(super) fn bytes(mut self, field: u64, value: impl AsRef<[u8]>) -> Self {
        let value = value.as_ref();
        self.varint(field << 3 | BYTES);
        self.varint(u64::try_from(value.len()).unwrap_or(u64::MAX));
        self.0.extend(value);
        self
    }

    pub(super) fn message(self, field: u64, value: &Self) -> Self {
        self.bytes(field, &value.0)
    }

    /// The bytes of the message.
    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }

    /// Seven bits a byte, the lowest first.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(u8::try_from(value & 0x7f).unwrap_or(0) | 0x80);
            value >>= 7;
        }
        self.0.push(u8::try_from(value).unwrap_or(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_those_of_the_documentation() {
        // The examples of the encoding guide: field 1 is 150; field 2 is "testing"; field 3 is the first message.
        let first = Message::default().number(1, 150);
        assert_eq!(first.clone().finish(), [0x08, 0x96, 0x01]);
        let text = Message::default().bytes(2, "testing");
        assert_eq!(text.finish(), [0x12, 7, b't', b'e', b's', b't', b'i', b'n', b'g']);
        assert_eq!(Message::default().message(3, &first).finish(), [0x1a, 3, 0x08, 0x96, 0x01]);
        let negative = Message::default().number(1, -2).finish();
        assert_eq!(negative, [0x08, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
        assert_eq!(Message::default().float(1, 1.0).finish(), [0x0d, 0, 0, 0x80, 0x3f]);
    }
}
