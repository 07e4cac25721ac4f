//! Laws of pictures of trees: nothing overlaps, nothing is cut, no two groups look the same, and large trees stay small.

use super::fold::{Limits, Part, fold};
use super::layout::{ANSWER, DETAIL, NAME, lay_out};
use super::palette::{LOOKS, Palette};
use super::sketch::{Marks, Sketch, SketchNode};
use super::{tree_pages, tree_svg};
use crate::plot::measure::width;
use proptest::prelude::*;

fn node(answer: &str, name: &str, share: f64, marks: Marks) -> SketchNode {
    SketchNode {
        answer: answer.to_owned(),
        name: name.to_owned(),
        details: "12 objects, 3.0 %".to_owned(),
        told: String::new(),
        share,
        marks,
        children: Vec::new(),
    }
}

/// Tree in which node `at` hangs below node `parents[at - 1]`, with names from a list.
fn tree(parents: &[usize], names: &[String], groups: usize) -> Sketch {
    let name = |at: usize| names[at % names.len()].as_str();
    let mut nodes = vec![node("", name(0), 1.0, Marks::None)];
    for (at, parent) in parents.iter().enumerate() {
        let parent = parent % nodes.len();
        nodes.push(node(name(at + 1), name(at + 2), 0.0, Marks::None));
        nodes[parent].children.push(at + 1);
    }
    for at in 0..nodes.len() {
        let each = nodes[at].share / nodes[at].children.len().max(1) as f64;
        nodes[at].children.clone().into_iter().for_each(|child| nodes[child].share = each);
        if nodes[at].children.is_empty() {
            nodes[at].marks = Marks::Ends(vec![at % groups]);
        }
    }
    let groups = (0..groups).map(|at| format!("group {at}")).collect();
    Sketch { title: "title".to_owned(), about: "About it.".to_owned(), nodes, groups, groups_are: "groups" }
}

/// Complete tree of two answers with this many levels of questions.
fn complete(levels: u32) -> Sketch {
    let parents: Vec<usize> = (0..2usize.pow(levels + 1) - 2).map(|at| at / 2).collect();
    tree(&parents, &["a".to_owned()], 3)
}

fn are_apart(a: [f64; 4], b: [f64; 4]) -> bool {
    a[0] + a[2] <= b[0] || b[0] + b[2] <= a[0] || a[1] + a[3] <= b[1] || b[1] + b[3] <= a[1]
}

fn names() -> impl Strategy<Value = Vec<String>> {
    let odd = prop_oneof![
        "[a-z]{1,12}( [a-z]{1,12}){0,6}",
        "[A-Z]{1,80}",
        Just("a \"b\" <c> & |d|\ne".to_owned()),
        Just("مرحبا بالعالم".to_owned()),
        Just("日本語の質問ですか".to_owned()),
        Just("👩‍👩‍👧 e\u{301}".to_owned()),
        any::<String>(),
    ];
    proptest::collection::vec(odd, 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn boxes_and_answers_are_apart_and_hold_their_text(
        parents in proptest::collection::vec(0usize..30, 0..40),
        names in names(),
        rows in 1usize..40,
    ) {
        let sketch = tree(&parents, &names, 4);
        let limits = Limits { rows, depth: 6, answers: 8 };
        let laid = lay_out(&sketch, &fold(&sketch, 0, limits, &sketch.leaves()), |_| None);
        let mut areas = Vec::new();
        for one in &laid.items {
            let [x, y, wide, high] = one.area;
            prop_assert!(x >= 0.0 && y >= 0.0 && x + wide <= laid.width + 1e-6, "{:?} {}", one.area, laid.width);
            prop_assert!(y + high <= laid.height + 1e-6, "{:?} {}", one.area, laid.height);
            prop_assert!(one.name.iter().all(|line| width(line, NAME) <= wide));
            prop_assert!(one.details.iter().all(|line| width(line, DETAIL) <= wide));
            prop_assert!(one.answer.iter().all(|line| width(line, ANSWER) <= one.label[2]));
            areas.push(one.area);
            if one.label[2] > 0.0 {
                prop_assert!(one.label[0] >= 0.0 && one.label[1] >= -1e-6);
                areas.push(one.label);
            }
        }
        for (at, area) in areas.iter().enumerate() {
            prop_assert!(areas[..at].iter().all(|other| are_apart(*area, *other)), "{area:?}");
        }
    }

    #[test]
    fn every_leaf_is_drawn_or_counted(
        parents in proptest::collection::vec(0usize..30, 0..60),
        rows in 1usize..30,
        answers in 2usize..8,
    ) {
        let sketch = tree(&parents, &["n".to_owned()], 2);
        let leaves = sketch.leaves();
        let items = fold(&sketch, 0, Limits { rows, depth: 4, answers }, &leaves);
        let counted: usize = items.iter().map(|item| match item.part {
            Part::Whole(at) => usize::from(sketch.nodes[at].children.is_empty()),
            Part::Folded(at) => leaves[at],
            Part::Rest { leaves, .. } => leaves,
        }).sum();
        prop_assert_eq!(counted, leaves[0]);
    }

    #[test]
    fn any_names_make_well_formed_pictures(names in names()) {
        let sketch = tree(&[0, 0, 1, 1, 2, 2], &names, 3);
        let svg = tree_svg(&sketch, Limits::NONE).svg;
        prop_assert!(!svg.contains("NaN"));
        let letters = svg.chars().all(|letter| !letter.is_control() || letter == '\n');
        prop_assert!(letters && svg.ends_with("</svg>\n"));
        #[cfg(any(feature = "pdf", feature = "png"))]
        prop_assert!(crate::font::parse(&svg).is_ok(), "{svg}");
    }
}

#[test]
fn no_two_groups_look_the_same() {
    for groups in [1, 2, 9, 10, 27, 28, 60] {
        let parents = vec![0; 2 * groups];
        let sketch = tree(&parents, &["n".to_owned()], groups);
        let palette = Palette::of(&sketch);
        let mut looks: Vec<usize> = (0..groups).filter_map(|group| palette.look(group)).collect();
        let coloured = looks.len();
        looks.sort_unstable();
        looks.dedup();
        assert_eq!((looks.len(), coloured), (coloured, groups.min(LOOKS)), "{groups}");
        assert_eq!(palette.greys(), groups - coloured);
        let svg = tree_svg(&sketch, Limits::NONE).svg;
        assert_eq!(svg.contains("named in their boxes"), groups > LOOKS, "{groups}");
    }
}

#[test]
fn many_groups_of_one_leaf_each_have_no_colours() {
    let sketch = tree(&[0; 40], &["n".to_owned()], 64);
    assert!(!Palette::of(&sketch).is_coloured());
    let svg = tree_svg(&sketch, Limits::NONE).svg;
    assert!(!svg.contains("class=\"c "), "{svg}");
}

#[test]
fn a_large_tree_is_folded_to_a_picture_of_a_readable_size() {
    let sketch = complete(14);
    assert_eq!(sketch.leaves()[0], 16384);
    let drawn = tree_svg(&sketch, Limits { rows: 60, depth: 12, answers: 30 });
    assert!(drawn.svg.len() < 200_000, "{}", drawn.svg.len());
    assert!(drawn.folded.leaves > 16000 && drawn.folded.places <= 60, "{:?}", drawn.folded);
    assert!(drawn.svg.contains("more questions"));
    let whole = tree_svg(&complete(4), Limits { rows: 60, depth: 12, answers: 30 });
    assert_eq!((whole.folded.leaves, whole.folded.places), (0, 0));
}

#[test]
fn parts_continue_on_pages_that_name_each_other() {
    let sketch = complete(8);
    let drawn = tree_pages(&sketch, 100);
    assert_eq!((drawn.folded.leaves, drawn.folded.places), (0, 0));
    assert!(drawn.pages.len() > 1 && drawn.pages.len() < 60, "{}", drawn.pages.len());
    let all = drawn.pages.concat();
    // Every leaf is on some page, and every part that continues is there once.
    assert_eq!(all.matches("class=\"end\"").count(), 256);
    let parts = all.matches("class=\"more\"").count();
    assert!(parts > 1);
    for part in 2..=parts + 1 {
        assert_eq!(all.matches(&format!(">Part {part}, from part ")).count(), 1, "{part}");
    }
    assert_eq!(tree_pages(&complete(2), 100).pages.len(), 1);
    let few = tree_pages(&sketch, 2);
    assert_eq!(few.pages.len(), 2);
    assert!(few.folded.leaves > 0);
}
