//! Random identifiers that cannot be guessed.

/// Random bytes from the operating system.
///
/// # Panics
/// When the system has no source of randomness: nothing safe can be done then.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

/// A new identifier of 128 random bits.
pub(crate) fn new_id() -> String {
    hex(&random::<16>())
}

/// Whether `text` has the form of an identifier of [`new_id`]: then it is short, and safe in a log or a message.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Hexadecimal digits of bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_are_recognised() {
        let (one, other) = (new_id(), new_id());
        assert_ne!(one, other);
        assert!(is_id(&one) && is_id(&other));
        assert!(
            !is_id("../../etc/passwd") && !is_id(&one.to_uppercase().replace('0', "G")) && !is_id(&one[1..])
        );
        assert_eq!(hex(&[0, 10, 255]), "000aff");
    }
}
