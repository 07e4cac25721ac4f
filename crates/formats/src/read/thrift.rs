//! A check of the metadata of a Parquet file before the library reads it.
//!
//! The library trusts the length of every list that it skips. A list of truth values takes no bytes there, so that
//! six bytes can say "two thousand million of them" and keep the library busy for ten seconds, and a small file for
//! hours. No structure of the format has such a list. This walk refuses them, and any list that is longer than the
//! bytes left. A field that the library knows must have its own type: the library reads such fields without looking
//! at the type in the file, and would then be at another place in the file than this walk.

/// Reason why the metadata is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// Metadata that ends too early, or that the library refuses as well.
    Broken,
    /// A list longer than the file, or a field whose type is not the format's.
    False,
}

/// Type of a field, by the format.
#[derive(Clone, Copy)]
enum Shape {
    Bool,
    Byte,
    I16,
    I32,
    I64,
    Double,
    Binary,
    List(&'static Shape),
    Struct(&'static [(i16, Shape)]),
}

use Shape::{Binary, Bool, Byte, Double, I16, I32, I64, List, Struct};

const EMPTY: Shape = Struct(&[]);
const KEY_VALUE: Shape = Struct(&[(1, Binary), (2, Binary)]);
const STATISTICS: Shape = Struct(&[
    (1, Binary),
    (2, Binary),
    (3, I64),
    (4, I64),
    (5, Binary),
    (6, Binary),
    (7, Bool),
    (8, Bool),
    (9, I64),
]);
const TIME: Shape = Struct(&[(1, Bool), (2, Struct(&[(1, EMPTY), (2, EMPTY), (3, EMPTY)]))]);
const LOGICAL_TYPE: Shape = Struct(&[
    (1, EMPTY),
    (2, EMPTY),
    (3, EMPTY),
    (4, EMPTY),
    (5, Struct(&[(1, I32), (2, I32)])),
    (6, EMPTY),
    (7, TIME),
    (8, TIME),
    (10, Struct(&[(1, Byte), (2, Bool)])),
    (11, EMPTY),
    (12, EMPTY),
    (13, EMPTY),
    (14, EMPTY),
    (15, EMPTY),
    (16, Struct(&[(1, Byte)])),
    (17, Struct(&[(1, Binary)])),
    (18, Struct(&[(1, Binary), (2, I32)])),
]);
const SCHEMA_ELEMENT: Shape = Struct(&[
    (1, I32),
    (2, I32),
    (3, I32),
    (4, Binary),
    (5, I32),
    (6, I32),
    (7, I32),
    (8, I32),
    (9, I32),
    (10, LOGICAL_TYPE),
]);
const SIZES: Shape = Struct(&[(1, I64), (2, List(&I64)), (3, List(&I64))]);
const BOX: Shape = Struct(&[
    (1, Double),
    (2, Double),
    (3, Double),
    (4, Double),
    (5, Double),
    (6, Double),
    (7, Double),
    (8, Double),
]);
const COLUMN: Shape = Struct(&[
    (1, I32),
    (2, List(&I32)),
    (3, List(&Binary)),
    (4, I32),
    (5, I64),
    (6, I64),
    (7, I64),
    (8, List(&KEY_VALUE)),
    (9, I64),
    (10, I64),
    (11, I64),
    (12, STATISTICS),
    (13, List(&Struct(&[(1, I32), (2, I32), (3, I32)]))),
    (14, I64),
    (15, I32),
    (16, SIZES),
    (17, Struct(&[(1, BOX), (2, List(&I32))])),
]);
const CHUNK: Shape = Struct(&[(1, Binary), (2, I64), (3, COLUMN), (4, I64), (5, I32), (6, I64), (7, I32)]);
const SORTING: Shape = Struct(&[(1, I32), (2, Bool), (3, Bool)]);
const ROW_GROUP: Shape =
    Struct(&[(1, List(&CHUNK)), (2, I64), (3, I64), (4, List(&SORTING)), (5, I64), (6, I64), (7, I16)]);
/// Fields of the metadata at the end of a file, `FileMetaData`.
const FILE: &[(i16, Shape)] = &[
    (1, I32),
    (2, List(&SCHEMA_ELEMENT)),
    (3, I64),
    (4, List(&ROW_GROUP)),
    (5, List(&KEY_VALUE)),
    (6, Binary),
    (7, List(&Struct(&[(1, EMPTY), (2, EMPTY)]))),
];
/// Fields of a page header, `PageHeader`; field 3 is the length of the page.
const PAGE: &[(i16, Shape)] = &[
    (1, I32),
    (2, I32),
    (3, I32),
    (4, I32),
    (5, Struct(&[(1, I32), (2, I32), (3, I32), (4, I32), (5, STATISTICS)])),
    (6, EMPTY),
    (7, Struct(&[(1, I32), (2, I32), (3, Bool)])),
    (8, Struct(&[(1, I32), (2, I32), (3, I32), (4, I32), (5, I32), (6, I32), (7, Bool), (8, STATISTICS)])),
];
const PAGE_LENGTH: i16 = 3;

/// Checks the metadata at the end of a file.
pub(super) fn check_file(bytes: &[u8]) -> Result<(), Refused> {
    Walk { bytes, left: bytes.len(), page_length: 0 }.structure(FILE, DEPTH)
}

/// Checks a page header at the beginning of `bytes`, when `left` bytes are left in the file. Returns the length of
/// the header and that of the page.
pub(super) fn check_page(bytes: &[u8], left: usize) -> Result<(usize, i64), Refused> {
    let mut walk = Walk { bytes, left, page_length: 0 };
    walk.structure(PAGE, DEPTH)?;
    Ok((bytes.len() - walk.bytes.len(), walk.page_length))
}

/// Deepest nesting of structures; the library's limit, too.
const DEPTH: u32 = 64;

struct Walk<'a> {
    bytes: &'a [u8],
    /// Bytes from the start of the walk to the end of the file.
    left: usize,
    page_length: i64,
}

impl Walk<'_> {
    fn byte(&mut self) -> Result<u8, Refused> {
        let (first, rest) = self.bytes.split_first().ok_or(Refused::Broken)?;
        self.bytes = rest;
        Ok(*first)
    }

    fn skip(&mut self, count: u64) -> Result<(), Refused> {
        let count = usize::try_from(count).map_err(|_| Refused::Broken)?;
        self.bytes = self.bytes.get(count..).ok_or(Refused::Broken)?;
        Ok(())
    }

    /// Reads a number in groups of seven bits, the lowest first.
    fn number(&mut self) -> Result<u64, Refused> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Refused::False)
    }

    fn signed(&mut self) -> Result<i64, Refused> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    fn structure(&mut self, fields: &[(i16, Shape)], depth: u32) -> Result<(), Refused> {
        let mut id = 0i16;
        loop {
            let head = self.byte()?;
            let kind = head & 0xf;
            if kind == 0 {
                return Ok(());
            }
            id = match head >> 4 {
                0 => self.signed()? as i16,
                step => id.wrapping_add(i16::from(step)),
            };
            match fields.iter().find(|(known, _)| *known == id) {
                // Only fields of the page header itself are at the top.
                Some((PAGE_LENGTH, I32)) if depth == DEPTH && kind == I32.kind() => {
                    self.page_length = self.signed()?;
                }
                Some((_, shape)) => self.known(kind, *shape, depth)?,
                None => self.unknown(kind, depth)?,
            }
        }
    }

    fn known(&mut self, kind: u8, shape: Shape, depth: u32) -> Result<(), Refused> {
        if depth == 0 || !shape.is(kind) {
            return Err(Refused::False);
        }
        match shape {
            Struct(fields) => self.structure(fields, depth - 1),
            List(of) => {
                let (count, kind) = self.list()?;
                (0..count).try_for_each(|_| self.known(kind, *of, depth - 1))
            }
            _ => self.unknown(kind, depth),
        }
    }

    fn unknown(&mut self, kind: u8, depth: u32) -> Result<(), Refused> {
        if depth == 0 {
            return Err(Refused::False);
        }
        match kind {
            1 | 2 => Ok(()),
            3 => self.skip(1),
            4..=6 => self.number().map(|_| ()),
            7 => self.skip(8),
            8 => {
                let length = self.number()?;
                self.skip(length)
            }
            9 | 10 => {
                let (count, kind) = self.list()?;
                (0..count).try_for_each(|_| self.unknown(kind, depth - 1))
            }
            11 => self.map(depth),
            12 => self.structure(&[], depth - 1),
            13 => self.skip(16),
            _ => Err(Refused::Broken),
        }
    }

    fn map(&mut self, depth: u32) -> Result<(), Refused> {
        let count = self.number()?;
        if count == 0 {
            return Ok(());
        }
        let kinds = self.byte()?;
        self.refuse_long(count, kinds >> 4)?;
        self.refuse_long(count, kinds & 0xf)?;
        (0..count).try_for_each(|_| {
            self.unknown(kinds >> 4, depth - 1)?;
            self.unknown(kinds & 0xf, depth - 1)
        })
    }

    /// Reads the beginning of a list: the number of items, and their type.
    fn list(&mut self) -> Result<(u64, u8), Refused> {
        let head = self.byte()?;
        let count = if head >> 4 == 15 { self.number()? } else { u64::from(head >> 4) };
        self.refuse_long(count, head & 0xf)?;
        Ok((count, head & 0xf))
    }

    /// Refuses a list that is longer than the bytes left: every item takes a byte, except truth values, which are
    /// refused.
    fn refuse_long(&self, count: u64, kind: u8) -> Result<(), Refused> {
        let is_long = count > self.left as u64 || (count > 0 && kind <= 2);
        if is_long { Err(Refused::False) } else { Ok(()) }
    }
}

impl Shape {
    /// Number that stands for this type in the file.
    const fn kind(self) -> u8 {
        match self {
            Bool => 1,
            Byte => 3,
            I16 => 4,
            I32 => 5,
            I64 => 6,
            Double => 7,
            Binary => 8,
            List(_) => 9,
            Struct(_) => 12,
        }
    }

    /// Whether `kind` stands for this type; 2 is the other truth value.
    const fn is(self, kind: u8) -> bool {
        self.kind() == kind || (self.kind() == 1 && kind == 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_truth_values_and_one_longer_than_the_file_are_refused() {
        // Field 100, a list of 2³¹ − 1 truth values; then the end.
        let endless = [0x09, 0xc8, 0x01, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07, 0x00];
        assert_eq!(check_file(&endless), Err(Refused::False));
        let numbers = [0x09, 0xc8, 0x01, 0xf5, 0xff, 0xff, 0xff, 0xff, 0x07, 0x00];
        assert_eq!(check_file(&numbers), Err(Refused::False));
        let map = [0x0b, 0xc8, 0x01, 0xff, 0xff, 0x03, 0x11, 0x00];
        assert_eq!(check_file(&map), Err(Refused::False));
    }

    #[test]
    fn a_known_field_of_another_type_is_refused() {
        // Field 1 of the file is a number. A text would hide what follows from this walk, but not from the library.
        assert_eq!(check_file(&[0x18, 0x02, 0x00, 0x00, 0x00]), Err(Refused::False));
        assert_eq!(check_file(&[0x15, 0x02, 0x00]), Ok(()));
    }

    #[test]
    fn a_page_says_how_long_it_is() {
        // Type 0, 10 bytes unpacked, 6 packed, and an unknown text.
        let header = [0x15, 0x00, 0x15, 0x14, 0x15, 0x0c, 0xf8, 0x01, b'x', 0x00, 0xff];
        assert_eq!(check_page(&header, header.len()), Ok((10, 6)));
        assert_eq!(check_page(&header[..7], 100), Err(Refused::Broken));
    }
}
