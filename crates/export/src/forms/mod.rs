//! Models and forms that other systems run: decision tables, questionnaires, tree models.

mod dmn;
mod fhir;
mod onnx;
mod pmml;
mod protobuf;

pub(crate) use dmn::write as dmn;
pub(crate) use fhir::write as fhir;
pub(crate) use onnx::write as onnx;
pub(crate) use pmml::write as pmml;

/// Text of XML, within an element or between quotes. Characters that XML does not have become U+FFFD.
fn xml(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            // As they are, these would be read as blanks between quotes.
            '\n' | '\r' | '\t' => safe += &format!("&#{};", u32::from(letter)),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {
                safe.push('\u{fffd}')
            }
            letter => safe.push(letter),
        }
    }
    safe
}
