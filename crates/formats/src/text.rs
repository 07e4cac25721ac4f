//! A strategy drawn for people: branches as lines, wrapped to the terminal, deep parts folded.
//!
//! Styles are ANSI codes; the printer removes them where there is no colour.

use crate::{NamedNode, NamedTree, ShownAnswers};
use std::collections::BTreeSet;
use unicode_width::UnicodeWidthStr;

/// Layout of a drawn tree.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Columns of the terminal.
    pub width: usize,
    /// Depth to which questions are shown; each deeper part is summarised in a line.
    pub depth: Depth,
}

/// Depth of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// To the leaves, but at most 1000 questions deep.
    Full,
    /// At most this many questions in a row.
    Questions(usize),
    /// As deep as fits this many lines.
    Lines(usize),
}

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const GREEN: &str = "\x1b[32m";
const PLAIN: &str = "\x1b[0m";

/// Deepest drawing: indentation grows with depth, so a deeper one cannot be read and its size grows with the square.
const DEEPEST: usize = 1000;

/// The narrowest text column worth wrapping to.
const NARROWEST: usize = 24;

/// Most letters of a name or an answer that are drawn: a page of one name says no more than its beginning.
const LONGEST: usize = 500;

/// Draws `tree`, one line for each answer and more where a line must be wrapped.
pub fn draw(tree: &NamedTree, layout: Layout) -> String {
    let mut names = hashbrown::HashSet::new();
    let drawing = Drawing {
        tree,
        width: layout.width,
        deepest: deepest(tree, layout.depth),
        answers: ShownAnswers::of(tree),
        sizes: sizes(tree),
        repeats: tree.nodes.iter().any(|node| match node {
            NamedNode::Leaf { objects, .. } => objects.iter().any(|object| !names.insert(object)),
            NamedNode::Ask { .. } => false,
        }),
    };
    drawing.draw()
}

/// Size of the subtree at a node: its questions, and the objects of its leaves.
#[derive(Clone, Copy, Default)]
struct Size {
    questions: usize,
    objects: usize,
}

struct Drawing<'a> {
    tree: &'a NamedTree,
    width: usize,
    deepest: usize,
    answers: ShownAnswers<'a>,
    sizes: Vec<Size>,
    /// Whether an object ends in several leaves.
    repeats: bool,
}

impl Drawing<'_> {
    fn draw(&self) -> String {
        let mut text = String::new();
        // A node to draw: the lines to its left, whether it is the last of its siblings, its depth and its answer.
        let mut waiting = vec![(0usize, String::new(), None, 0usize)];
        while let Some((node, indent, branch, depth)) = waiting.pop() {
            let (first, rest, answer) = match branch {
                None => (String::new(), String::new(), ""),
                Some((answer, last)) => {
                    let (corner, line) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
                    (format!("{indent}{corner}"), format!("{indent}{line}"), answer)
                }
            };
            self.line(&mut text, &first, &rest, answer, &self.tree.nodes[node], self.describe(node, depth));
            if depth >= self.deepest {
                continue;
            }
            if let NamedNode::Ask { test, answers, .. } = &self.tree.nodes[node] {
                for (number, (answer, child)) in
                    self.answers.in_order(test, answers).into_iter().enumerate().rev()
                {
                    let last = number + 1 == answers.len();
                    waiting.push((child, rest.clone(), Some((answer, last)), depth + 1));
                }
            }
        }
        text
    }

    /// Text of a node, and its details: the question, the identified groups, or a summary of the part that is folded.
    fn describe(&self, node: usize, depth: usize) -> (String, String) {
        match &self.tree.nodes[node] {
            NamedNode::Ask { test, question, .. } if depth < self.deepest => {
                let asked = question
                    .clone()
                    .unwrap_or_else(|| if test.ends_with('?') { test.clone() } else { format!("{test}?") });
                (asked, String::new())
            }
            NamedNode::Ask { .. } => {
                let Size { questions, .. } = self.sizes[node];
                (
                    format!("… {}", count(questions, "more question")),
                    format!("for {}", count(self.objects(node), "object")),
                )
            }
            NamedNode::Leaf { groups, objects, .. } => {
                let alone = groups.iter().collect::<BTreeSet<_>>() == objects.iter().collect();
                let size = if alone { String::new() } else { count(objects.len(), "object") };
                (groups.join(" or "), size)
            }
        }
    }

    /// Number of different objects in the leaves below `node`. An object that may give several answers may be in
    /// several leaves.
    fn objects(&self, node: usize) -> usize {
        if !self.repeats {
            return self.sizes[node].objects;
        }
        let (mut seen, mut waiting) = (hashbrown::HashSet::new(), vec![node]);
        while let Some(at) = waiting.pop() {
            match &self.tree.nodes[at] {
                NamedNode::Leaf { objects, .. } => seen.extend(objects),
                node => waiting.extend(node.children()),
            }
        }
        seen.len()
    }

    fn line(
        &self,
        text: &mut String,
        first: &str,
        rest: &str,
        answer: &str,
        node: &NamedNode,
        what: (String, String),
    ) {
        let (name, size) = what;
        let (name, answer) = (one_line(&name, LONGEST), one_line(answer, LONGEST));
        let percent = percent(node.weight());
        let details = [size, if first.is_empty() { String::new() } else { percent }];
        let details: Vec<&str> = details.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        let style = if matches!(node, NamedNode::Leaf { .. }) { GREEN } else { BOLD };
        let label = if answer.is_empty() { String::new() } else { format!("{answer}: ") };
        let room = self.width.saturating_sub(rest.width()).max(NARROWEST);
        let plain = format!("{label}{name}");
        let details = details.join(", ");
        let mut lines = wrap(&plain, room);
        let fits = lines.last().is_some_and(|last| last.width() + 2 + details.width() <= room);
        if !fits && !details.is_empty() {
            lines.push(String::new());
        }
        let end = lines.len() - 1;
        for (number, line) in lines.iter().enumerate() {
            text.push_str(if number == 0 { first } else { rest });
            // The answer is plain text, the rest of the line is styled.
            let cut = if number == 0 { label.len().min(line.len()) } else { 0 };
            text.push_str(&line[..cut]);
            if cut < line.len() {
                text.push_str(style);
                text.push_str(&line[cut..]);
                text.push_str(PLAIN);
            }
            if number == end && !details.is_empty() {
                text.push_str(if line.is_empty() { "" } else { "  " });
                text.push_str(DIM);
                text.push_str(&details);
                text.push_str(PLAIN);
            }
            text.push('\n');
        }
    }
}

/// Wraps `text` to lines of at most `width` columns, the first indented by two and the others by four.
pub fn wrap_indented(text: &str, width: usize) -> String {
    let lines = wrap(text, width.saturating_sub(4).max(NARROWEST));
    let indents = std::iter::once("  ").chain(std::iter::repeat("    "));
    lines.iter().zip(indents).map(|(line, indent)| format!("{indent}{line}\n")).collect()
}

/// At most `most` letters of `text`, on one line. Names may be long and may hold line ends and control characters,
/// which must not reach a terminal.
pub fn one_line(text: &str, most: usize) -> String {
    let mut letters = text.chars();
    let mut line = String::new();
    for letter in letters.by_ref().take(most) {
        if letter.is_control() { line.extend(letter.escape_default()) } else { line.push(letter) }
    }
    if letters.next().is_some() {
        line.push('…');
    }
    line
}

/// Number and noun, such as `1 object`, `2 objects`, `2 leaves`.
pub fn count(number: usize, noun: &str) -> String {
    match (number, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "leaf") => format!("{number} leaves"),
        _ => format!("{number} {noun}s"),
    }
}

/// Probability in percent for people; a small probability that is not 0 is shown as `< 0.1 %`.
pub fn percent(share: f64) -> String {
    match share * 100.0 {
        0.0 => "0 %".to_owned(),
        percent if percent < 0.1 => "< 0.1 %".to_owned(),
        percent if percent < 9.95 => format!("{percent:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

fn deepest(tree: &NamedTree, depth: Depth) -> usize {
    match depth {
        Depth::Full => DEEPEST,
        Depth::Questions(questions) => questions.min(DEEPEST),
        Depth::Lines(lines) => {
            let mut seen = 0;
            let levels = levels(tree);
            let fitting = levels.iter().take_while(|nodes| {
                seen += **nodes;
                seen <= lines
            });
            match fitting.count() {
                all if all == levels.len() => DEEPEST,
                some => some.saturating_sub(1).max(1),
            }
        }
    }
}

/// Number of nodes at each depth.
fn levels(tree: &NamedTree) -> Vec<usize> {
    let mut depth = vec![0; tree.nodes.len()];
    let mut levels: Vec<usize> = Vec::new();
    for (at, node) in tree.nodes.iter().enumerate() {
        if depth[at] == levels.len() {
            levels.push(0);
        }
        levels[depth[at]] += 1;
        node.children().for_each(|child| depth[child] = depth[at] + 1);
    }
    levels
}

fn sizes(tree: &NamedTree) -> Vec<Size> {
    let mut sizes = vec![Size::default(); tree.nodes.len()];
    for (at, node) in tree.nodes.iter().enumerate().rev() {
        sizes[at] = match node {
            NamedNode::Leaf { objects, .. } => Size { questions: 0, objects: objects.len() },
            NamedNode::Ask { .. } => {
                node.children().fold(Size { questions: 1, objects: 0 }, |sum, child| Size {
                    questions: sum.questions + sizes[child].questions,
                    objects: sum.objects + sizes[child].objects,
                })
            }
        };
    }
    sizes
}

/// Splits `text` into lines of at most `room` columns, at spaces where possible; at least one line.
fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(' ') {
        let mut word = word;
        let used = lines.last().map_or(0, |line| line.width());
        if used > 0 && used + word.trim_end().width() > room {
            lines.push(String::new());
        }
        while word.trim_end().width() > room {
            let cut = prefix(word, room);
            lines.last_mut().expect("there is a line").push_str(&word[..cut]);
            lines.push(String::new());
            word = &word[cut..];
        }
        lines.last_mut().expect("there is a line").push_str(word);
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// The length in bytes of the longest beginning of `word` that fits `room` columns, at least one character.
fn prefix(word: &str, room: usize) -> usize {
    let ends = word.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let fitting = ends.clone().take_while(|end| word[..*end].width() <= room).last();
    fitting.or_else(|| ends.clone().next()).unwrap_or(word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> NamedTree {
        let leaf = |name: &str, weight| NamedNode::Leaf {
            groups: vec![name.to_owned()],
            objects: vec![format!("{name} 1"), format!("{name} 2")],
            weight,
        };
        let ask = |test: &str, weight, answers: &[(&str, usize)]| NamedNode::Ask {
            test: test.to_owned(),
            question: None,
            cost: 1.0,
            weight,
            answers: answers.iter().map(|(answer, child)| ((*answer).to_owned(), *child)).collect(),
        };
        NamedTree {
            nodes: vec![
                ask("milk", 1.0, &[("yes", 1), ("no", 2)]),
                leaf("mammal", 0.5),
                ask("wings", 0.5, &[("yes", 3), ("no", 4)]),
                leaf("bird", 0.4),
                leaf("fish", 0.1),
            ],
        }
    }

    fn plain(layout: Layout) -> String {
        let text = draw(&tree(), layout);
        [BOLD, DIM, GREEN, PLAIN].iter().fold(text, |text, code| text.replace(code, ""))
    }

    #[test]
    fn branches_are_drawn_in_order() {
        let drawn = plain(Layout { width: 80, depth: Depth::Full });
        let lines = [
            "milk?",
            "├─ yes: mammal  2 objects, 50 %",
            "└─ no: wings?  50 %",
            "   ├─ yes: bird  2 objects, 40 %",
            "   └─ no: fish  2 objects, 10 %",
            "",
        ];
        assert_eq!(drawn, lines.join("\n"));
    }

    #[test]
    fn deep_parts_are_folded() {
        let folded =
            "milk?\n├─ yes: mammal  2 objects, 50 %\n└─ no: … 1 more question  for 4 objects, 50 %\n";
        assert_eq!(plain(Layout { width: 80, depth: Depth::Questions(1) }), folded);
        assert_eq!(plain(Layout { width: 80, depth: Depth::Lines(4) }), folded);
        assert_eq!(plain(Layout { width: 80, depth: Depth::Lines(5) }).lines().count(), 5);
    }

    #[test]
    fn lines_are_wrapped_and_nothing_is_lost() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("", 3), [""]);
        assert_eq!(wrap("日本語", 4), ["日本", "語"]);
    }

    #[test]
    fn names_are_drawn_on_one_line_and_not_for_pages() {
        assert_eq!(one_line("a\nb\u{1b}[31m", 20), "a\\nb\\u{1b}[31m");
        assert_eq!([one_line("日本語", 3), one_line("日本語", 2)], ["日本語", "日本…"]);
        let name = "x".repeat(1_000_000);
        let leaf = NamedNode::Leaf { groups: vec![name.clone()], objects: vec![name], weight: 1.0 };
        let drawn = draw(&NamedTree { nodes: vec![leaf] }, Layout { width: 80, depth: Depth::Full });
        assert!(drawn.len() < 1000, "{}", drawn.len());
    }

    #[test]
    fn small_shares_are_not_nothing() {
        assert_eq!([0.0, 1e-9, 0.012, 0.5, 1.0].map(percent), ["0 %", "< 0.1 %", "1.2 %", "50 %", "100 %"]);
    }
}
