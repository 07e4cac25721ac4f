//! Reads printed keys again and compares them with the strategy node by node.

use super::{KeyOptions, KeyOrder, KeyStyle, Marks, joined, one_line, text};
use crate::format::Export;
use fewest_formats::{NamedNode, NamedTree, ShownAnswers};
use proptest::prelude::*;

/// A lead as it stands in a key: its words, and the number or the names at its end.
#[derive(Debug)]
struct ReadLead {
    words: String,
    end: String,
}

/// Couplets of a bracketed key as text, each with the number of the couplet that it refers back to.
fn read(text: &str) -> Vec<(Option<usize>, Vec<ReadLead>)> {
    let mut couplets: Vec<(Option<usize>, Vec<ReadLead>)> = Vec::new();
    let mut contents: Vec<(String, String)> = Vec::new();
    for line in text.lines().skip(2).take_while(|line| !line.is_empty()) {
        match line.starts_with(' ') {
            true => contents.last_mut().unwrap().1 += &format!(" {}", line.trim()),
            false => {
                let (label, rest) = line.split_once("  ").unwrap();
                contents.push((label.to_owned(), rest.trim().to_owned()));
            }
        }
    }
    for (label, content) in contents {
        let words: Vec<&str> = content.split(' ').collect();
        let is_dots = |word: &&str| word.len() > 1 && word.bytes().all(|byte| byte == b'.');
        let dots = words.iter().rposition(is_dots).expect("dots");
        let lead = ReadLead { words: words[..dots].join(" "), end: words[dots + 1..].join(" ") };
        let number: String = label.chars().take_while(char::is_ascii_digit).collect();
        let mark = &label[number.len()..];
        let is_first = !number.is_empty() && (mark.starts_with(['(', '.']) || mark.starts_with("a"));
        if is_first && !label.starts_with(&format!("{}′", couplets.len())) {
            assert_eq!(number.parse::<usize>().unwrap(), couplets.len() + 1, "couplets are in order");
            let back = mark.split_once('(').map(|(_, rest)| rest.split_once(')').unwrap().0.parse().unwrap());
            couplets.push((back, Vec::new()));
        }
        couplets.last_mut().unwrap().1.push(lead);
    }
    couplets
}

/// Walks the strategy and the key together.
fn compare(tree: &NamedTree, key: &[(Option<usize>, Vec<ReadLead>)], is_dichotomous: bool) {
    let shown = ShownAnswers::of(tree);
    let mut waiting = vec![(0, 1, None)];
    let mut seen = 0;
    while let Some((node, number, from)) = waiting.pop() {
        let NamedNode::Ask { test, question, answers, .. } = &tree.nodes[node] else { panic!("a question") };
        let words = one_line(question.as_deref().unwrap_or(test));
        let colon = if words.ends_with(['?', ':', '.', '…']) { "" } else { ":" };
        // Answers that end in the same names share a lead, unless all of them do.
        let mut left: Vec<(String, usize)> = Vec::new();
        let end = |child: usize| match &tree.nodes[child] {
            NamedNode::Leaf { groups, .. } => Some(groups.join("\u{0}")),
            NamedNode::Ask { .. } => None,
        };
        let is_one =
            answers.iter().all(|(_, child)| end(*child).is_some() && end(*child) == end(answers[0].1));
        for (answer, child) in shown.in_order(test, answers) {
            let same = |other: &&mut (String, usize)| {
                !is_one && end(other.1).is_some() && end(other.1) == end(child)
            };
            match left.iter_mut().find(same) {
                Some((words, _)) => *words += &format!(" or {}", one_line(answer)),
                None => left.push((format!("{words}{colon} {}", one_line(answer)), child)),
            }
        }
        let (mut number, mut from) = (number, from);
        loop {
            let (back, leads) = &key[number - 1];
            seen += 1;
            assert_eq!(*back, from, "back-reference of {number}");
            let mut others = None;
            assert!(!is_dichotomous || leads.len() == 2, "couplet {number} has {} leads", leads.len());
            for (at, lead) in leads.iter().enumerate() {
                if is_dichotomous && at == 1 && left.len() > 1 {
                    let rest = lead.words.strip_prefix(&format!("{words}{colon} "));
                    assert!(
                        rest.is_some_and(|rest| rest.starts_with("not ") || rest.starts_with("neither "))
                    );
                    others = lead.end.parse().ok();
                    continue;
                }
                let found = left.iter().position(|(words, _)| *words == lead.words);
                let (_, child) =
                    left.remove(found.unwrap_or_else(|| panic!("no branch {lead:?} of {left:?}")));
                match &tree.nodes[child] {
                    NamedNode::Leaf { groups, .. } => assert_eq!(lead.end, joined(groups)),
                    NamedNode::Ask { .. } => waiting.push((child, lead.end.parse().unwrap(), Some(number))),
                }
            }
            let Some(next) = others else { break };
            (from, number) = (Some(number), next);
        }
        assert!(left.is_empty(), "no lead for {left:?}");
    }
    assert_eq!(seen, key.len(), "every couplet is reached once");
}

fn print(tree: &NamedTree, key: KeyOptions) -> String {
    let export =
        Export { name: "a table", tree, facts: &["2 questions".to_owned()], with_self_test: false, key };
    let mut out = Vec::new();
    text::write(&mut out, &export).unwrap();
    String::from_utf8(out).unwrap()
}

/// A tree with `questions` questions in a random shape; `names` are used in turn.
fn tree(shape: &[(usize, usize)], names: &[String]) -> NamedTree {
    let mut nodes = Vec::new();
    let mut open = vec![(0, 0)];
    let mut asked = 0;
    let leaf = |at: usize| NamedNode::Leaf {
        groups: (0..1 + at % 3).map(|more| names[(at + more) % names.len()].clone()).collect(),
        objects: (0..1 + at % 5).map(|object| format!("o{at}.{object}")).collect(),
        weight: 1.0,
    };
    nodes.push(leaf(0));
    while let (Some((at, _)), Some((branches, pick))) = (open.pop(), shape.get(asked)) {
        let first = nodes.len();
        let answers = (0..2 + branches % 4)
            .map(|answer| (format!("{answer} {}", names[pick % names.len()]), first + answer));
        let answers: Vec<(String, usize)> = answers.collect();
        for (_, child) in &answers {
            nodes.push(leaf(*child));
            open.push((*child, 0));
        }
        let question = (pick % 3 == 0).then(|| format!("Is it {asked}?"));
        nodes[at] =
            NamedNode::Ask { test: format!("test {asked}"), question, cost: 1.0, weight: 1.0, answers };
        let turn = pick % open.len();
        let last = open.len() - 1;
        open.swap(turn, last);
        asked += 1;
    }
    NamedTree { nodes }
}

fn options() -> impl Strategy<Value = KeyOptions> {
    let marks = prop_oneof![Just(Marks::Dash), Just(Marks::Letters), Just(Marks::Prime)];
    let order = prop_oneof![Just(KeyOrder::Fewest), Just(KeyOrder::Answers), Just(KeyOrder::Likeliest)];
    (marks, order, any::<bool>(), 30..120usize).prop_map(|(marks, order, is_dichotomous, width)| KeyOptions {
        style: KeyStyle::Bracketed,
        marks,
        order,
        is_dichotomous,
        width,
        ..KeyOptions::default()
    })
}

proptest! {
    #[test]
    fn a_key_is_the_strategy(
        shape in prop::collection::vec((0..8usize, 0..1000usize), 1..60),
        names in prop::collection::vec("[a-zé漢0-9.]{1,6}( [a-z.–]{1,20}){0,8}", 1..20),
        key in options(),
    ) {
        let tree = tree(&shape, &names);
        compare(&tree, &read(&print(&tree, key)), key.is_dichotomous);
    }
}

#[test]
fn a_key_of_thousands_of_leaves_is_the_strategy() {
    let shape: Vec<(usize, usize)> = (0..2500).map(|at| (at * 7 % 5, at * 7919 % 1009)).collect();
    let tree = tree(&shape, &["alder".to_owned(), "birch".to_owned(), "3".to_owned()]);
    assert!(tree.nodes.len() > 5000);
    for is_dichotomous in [false, true] {
        let key = KeyOptions { is_dichotomous, ..KeyOptions::default() };
        compare(&tree, &read(&print(&tree, key)), is_dichotomous);
    }
}

#[test]
fn a_strategy_without_questions_is_one_sentence() {
    let leaf = NamedNode::Leaf { groups: vec!["7".to_owned()], objects: vec!["o".to_owned()], weight: 1.0 };
    let text = print(&NamedTree { nodes: vec![leaf] }, KeyOptions::default());
    assert_eq!(text, "Key: a table\n\nNothing is to be asked: “7”\n\n2 questions\n");
}
