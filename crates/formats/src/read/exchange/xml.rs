//! An XML document in memory, within limits: no entities of its own, no deep nesting, no end of elements.

use super::super::Problem;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// Deepest nesting of elements.
const MOST_DEPTH: usize = 100;
/// Most elements of a document.
const MOST_ELEMENTS: usize = 4_000_000;

/// A document: its elements, the root first.
#[derive(Debug)]
pub(super) struct Document(Vec<Node>);

#[derive(Debug, Default)]
struct Node {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<u32>,
}

/// Element of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<'a> {
    document: &'a Document,
    at: usize,
}

impl Document {
    /// Parses a text; `format` is named in messages.
    pub(super) fn parse(text: &str, format: &'static str) -> Result<Self, Problem> {
        let mut reader = Reader::from_str(text);
        let broken = |reason: String| super::broken(format, reason);
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        loop {
            let position = reader.error_position() as usize;
            let event = reader.read_event().map_err(|error| {
                let at = (reader.error_position() as usize).max(position).min(text.len());
                broken(format!("line {}: {error}", line_of(text, at)))
            })?;
            match event {
                Event::Start(tag) => {
                    let at = push(&mut nodes, &open, &tag, format)?;
                    open.push(at);
                    if open.len() > MOST_DEPTH {
                        return Err(broken(format!("elements lie more than {MOST_DEPTH} deep")));
                    }
                }
                Event::Empty(tag) => _ = push(&mut nodes, &open, &tag, format)?,
                Event::End(_) => _ = open.pop(),
                Event::Text(words) => add(&mut nodes, &open, &words),
                Event::CData(words) => add(&mut nodes, &open, &words),
                Event::GeneralRef(entity) => {
                    let letter = entity.resolve_char_ref().ok().flatten();
                    match letter.map(String::from).or_else(|| named(&entity).map(str::to_owned)) {
                        Some(text) => add(&mut nodes, &open, &text),
                        None => {
                            return Err(broken(format!("the entity `&{};` is not known", short(&entity))));
                        }
                    }
                }
                Event::DocType(words) if words.contains('[') => {
                    return Err(broken("it defines entities of its own, which are not read".to_owned()));
                }
                Event::Eof => break,
                _ => {}
            }
        }
        if nodes.is_empty() || !open.is_empty() {
            return Err(broken("it ends before its elements do".to_owned()));
        }
        Ok(Self(nodes))
    }

    pub(super) fn root(&self) -> Element<'_> {
        Element { document: self, at: 0 }
    }
}

fn short(text: &str) -> String {
    super::super::error::short(text)
}

/// Line of a byte, counted from 1.
fn line_of(text: &str, at: usize) -> usize {
    1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count()
}

/// Entities that every XML document knows, and a few that writers of HTML forget to write out.
fn named(name: &str) -> Option<&'static str> {
    Some(match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        "nbsp" => " ",
        _ => return None,
    })
}

fn push(
    nodes: &mut Vec<Node>,
    open: &[usize],
    tag: &BytesStart<'_>,
    format: &'static str,
) -> Result<usize, Problem> {
    let at = nodes.len();
    if at >= MOST_ELEMENTS {
        return Err(super::broken(format, format!("it has more than {MOST_ELEMENTS} elements")));
    }
    if open.is_empty() && at > 0 {
        return Err(super::broken(format, "a second element follows the first"));
    }
    let mut node = Node { name: tag.local_name().as_ref().to_owned(), ..Node::default() };
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.map_err(|error| super::broken(format, error.to_string()))?;
        // A value that cannot be unescaped stays as it is: readers are lenient.
        let value = attribute
            .normalized_value(XmlVersion::Implicit1_0)
            .map_or_else(|_| String::from(&*attribute.value), String::from);
        node.attributes.push((attribute.key.local_name().as_ref().to_owned(), value));
    }
    nodes.push(node);
    if let Some(parent) = open.last() {
        nodes[*parent].children.push(at as u32);
    }
    Ok(at)
}

fn add(nodes: &mut [Node], open: &[usize], text: &str) {
    if let Some(at) = open.last() {
        nodes[*at].text.push_str(text);
    }
}

impl<'a> Element<'a> {
    /// Name without its prefix.
    pub(super) fn name(self) -> &'a str {
        &self.node().name
    }

    fn node(self) -> &'a Node {
        &self.document.0[self.at]
    }

    /// Text directly in this element.
    pub(super) fn text(self) -> &'a str {
        self.node().text.trim()
    }

    /// Value of an attribute, whatever its prefix; empty if there is none.
    pub(super) fn attribute(self, name: &str) -> &'a str {
        let found = self.node().attributes.iter().find(|(other, _)| other == name);
        found.map_or("", |(_, value)| value.trim())
    }

    /// Elements directly below.
    pub(super) fn elements(self) -> impl Iterator<Item = Element<'a>> {
        let document = self.document;
        self.node().children.iter().map(move |at| Element { document, at: *at as usize })
    }

    /// Elements of this name directly below.
    pub(super) fn all(self, name: &str) -> impl Iterator<Item = Element<'a>> {
        self.elements().filter(move |element| element.name() == name)
    }

    /// The first element of this name directly below.
    pub(super) fn first(self, name: &str) -> Option<Element<'a>> {
        self.all(name).next()
    }

    /// Elements of the last name, below the first element of each name before it.
    pub(super) fn below(self, path: &[&'a str]) -> Vec<Element<'a>> {
        let mut found = vec![self];
        for name in path {
            found = found.into_iter().flat_map(|element| element.all(name).collect::<Vec<_>>()).collect();
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        Document::parse(text, "SDD").unwrap_err().to_string()
    }

    #[test]
    fn elements_texts_and_attributes_are_found() {
        let text = "<?xml version=\"1.0\"?><a:r x:id='1 &amp; 2'><b>t&lt;<![CDATA[<i>]]>&#65;</b><b/><c><b>u</b></c></a:r>";
        let document = Document::parse(text, "SDD").unwrap();
        let root = document.root();
        assert_eq!((root.name(), root.attribute("id"), root.attribute("none")), ("r", "1 & 2", ""));
        assert_eq!(root.first("b").unwrap().text(), "t<<i>A");
        assert_eq!((root.all("b").count(), root.below(&["c", "b"]).len()), (2, 1));
    }

    #[test]
    fn what_could_grow_without_end_is_refused() {
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><x>&b;</x>";
        assert!(refused(bomb).contains("entities of its own"), "{}", refused(bomb));
        assert!(refused("<x>&b;</x>").contains("`&b;` is not known"));
        assert!(refused(&"<x>".repeat(MOST_DEPTH + 2)).contains("deep"));
        assert!(refused("<x><y></y>").contains("ends before"));
        assert!(refused("").contains("ends before"));
        assert!(refused("<x/><y/>").contains("second element"));
        assert!(refused("<x>\n<y></x>").contains("line 2"));
    }
}
