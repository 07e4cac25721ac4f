//! Plots: one is compared byte by byte, and any is well-formed XML.

use fewest_formats::plot::{FrontPlot, PlotBound, PlotPoint, front_svg};
use proptest::prelude::*;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/front.svg");

fn plot<'a>(title: &'a str, points: &'a [PlotPoint<'a>], [expected, worst]: [f64; 2]) -> FrontPlot<'a> {
    let bound = |value, by| PlotBound { value, by };
    FrontPlot { title, points, expected: bound(expected, "huffman"), worst: bound(worst, "depth") }
}

/// Whether every tag is closed in order and every `&` and `<` begins something that XML knows.
fn is_well_formed(xml: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    let mut roots = 0;
    while let Some(start) = rest.find('<') {
        let (words, tag) = rest.split_at(start);
        let known = ["amp;", "lt;", "gt;", "quot;"];
        let is_known = |after: &str| known.iter().any(|entity| after.starts_with(entity));
        if !words.split('&').skip(1).all(is_known) || (open.is_empty() && !words.trim().is_empty()) {
            return false;
        }
        let Some(end) = tag.find('>') else { return false };
        let inside = &tag[1..end];
        rest = &tag[end + 1..];
        if let Some(name) = inside.strip_prefix('/') {
            if open.pop() != Some(name) {
                return false;
            }
        } else {
            let name = inside.split([' ', '/']).next().unwrap();
            roots += usize::from(open.is_empty());
            if name.is_empty() || inside.matches('"').count() % 2 == 1 || inside.contains(['<', '&']) {
                return false;
            }
            if !inside.ends_with('/') {
                open.push(name);
            }
        }
    }
    open.is_empty() && roots == 1 && rest.trim().is_empty()
}

/// `UPDATE_GOLDEN=1 cargo test -p fewest-formats --test suite plot` writes the file anew; look at it before you keep
/// it.
#[test]
fn a_small_front_looks_as_it_did() {
    let point = |expected, worst, by| PlotPoint { expected, worst, by };
    let points = [
        point(3.0625, 4.0, "gbs-uniform"),
        point(2.3125, 5.0, "combine"),
        point(2.1719, 6.0, "combine"),
        point(1.999, 11.0, "gbs"),
    ];
    let svg = front_svg(&plot("a<b & \"c\".csv", &points, [1.999, 3.5]));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(GOLDEN, &svg).unwrap();
    }
    assert_eq!(svg, std::fs::read_to_string(GOLDEN).unwrap());
    assert!(is_well_formed(&svg));
    for said in
        ["prefers-color-scheme: dark", "2.3125 · combine", "worst at least 3.5 (depth)", ">a&lt;b &amp;"]
    {
        assert!(svg.contains(said), "{said}");
    }
}

#[test]
fn the_judge_of_xml_is_no_pushover() {
    for broken in
        ["<a>", "<a></b>", "<a>&</a>", "<a><b></a></b>", "<a/><b/>", "x<a/>", "<a b=\">\"/>", "<a>1 < 2</a>"]
    {
        assert!(!is_well_formed(broken), "{broken}");
    }
    assert!(is_well_formed("<a b=\"c\">x &amp; y<d/></a>\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_front_is_xml_within_its_frame(
        title in any::<String>(),
        steps in proptest::collection::vec((1e-3..1e3f64, 1e-3..1e3f64), 0..40),
        bounds in (0.0..10.0f64, 0.0..10.0f64),
        scale in prop_oneof![Just(1.0), Just(1e-9), Just(1e12)],
    ) {
        let mut at = (1e5, 10.0);
        let points: Vec<PlotPoint<'_>> = steps
            .into_iter()
            .map(|(less, more)| {
                at = (at.0 - less, at.1 + more);
                PlotPoint { expected: at.0 * scale, worst: at.1 * scale, by: "gbs" }
            })
            .collect();
        let svg = front_svg(&plot(&title, &points, [bounds.0 * scale, bounds.1 * scale]));
        prop_assert!(is_well_formed(&svg), "{svg}");
        prop_assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
        prop_assert_eq!(svg.matches("<circle").count(), points.len());
        for side in ["cx=\"", "cy=\"", " x=\"", " y=\""] {
            for number in svg.split(side).skip(1) {
                let number: f64 = number.split('"').next().unwrap().parse().unwrap();
                prop_assert!((0.0..=720.0).contains(&number), "{side}{number}");
            }
        }
    }
}
