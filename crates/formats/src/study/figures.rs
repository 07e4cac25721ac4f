//! Figures that are measured: 6 and 7 of the first paper, and the cost of a wrong prior.

use super::{Exhibit, Measured, Picture, Summary, above, two};
use crate::plot::{Chart, Dot, Line, Look, Panel, Scale, chart_svg};
use fewest_lab::study::BETAS;

/// Names of series in data and in pictures, and their look, the same in all pictures.
pub(super) const SERIES: [(&str, &str, Look); 11] = [
    ("gbs", "gbs", Look::Series(1)),
    ("gbs-uniform", "gbs-uniform", Look::Series(7)),
    ("dectree", "dectree", Look::Series(4)),
    ("ec2", "ec2", Look::Series(3)),
    ("ggbs", "ggbs", Look::Series(0)),
    ("lambda-gbs", "lambda-gbs", Look::Series(2)),
    ("best", "best of all algorithms", Look::Series(5)),
    ("optimum", "optimum (proved)", Look::Series(5)),
    ("bound", "proved lower bound", Look::Bound),
    ("entropy", "entropy of the groups", Look::Floor),
    ("renyi", "Rényi bound", Look::Floor),
];

/// Lines of these series over `places`; series without values are left out.
fn lines<'a>(
    names: &'a [&'a str],
    find: impl Fn(&str, usize) -> Option<Dot> + 'a,
    places: usize,
) -> Vec<Line> {
    let line = |name: &&str| {
        let (series, shown, look) = SERIES.into_iter().find(|(series, ..)| series == name)?;
        let points: Vec<Dot> = (0..places).filter_map(|place| find(series, place)).collect();
        (!points.is_empty()).then(|| Line { name: shown.to_owned(), look, points })
    };
    names.iter().filter_map(line).collect()
}

fn dot(measured: &Measured<'_>, cell: usize, series: &str, at: Option<f64>, x: f64) -> Option<Dot> {
    let estimate = measured.get(cell, series, at)?;
    Some(Dot { x, y: estimate.mean, error: estimate.standard_error })
}

/// Means of series over all cells, in words.
fn told(measured: &Measured<'_>, names: &[&str]) -> String {
    let parts: Vec<String> =
        names.iter().map(|name| format!("{name} {}", two(measured.mean(name)))).collect();
    format!("Means over everything shown: {}.", parts.join(", "))
}

/// Figure 6: expected questions for every pair of β, in the papers' size, and in a size at which the optimum can be
/// proved.
pub fn figure6(full: &Measured<'_>, small: &Measured<'_>, command: &str) -> Exhibit {
    let large = ["gbs", "dectree", "best", "ec2", "ggbs", "bound", "entropy"];
    let proved = ["gbs", "dectree", "optimum", "ec2", "ggbs", "entropy"];
    let mean = |series: &str| full.mean(series);
    let over = |series: &str| above(small.mean(series), small.mean("optimum"));
    let says = vec![
        format!(
            "Over all 49 pairs of β, gbs, which splits objects evenly, asks {} questions on average; ggbs, which asks \
             what says most about the group, {}. The groups have {} bits of entropy, and no strategy gets below {}. \
             dectree, which guards the worst case as well, lies between.",
            two(mean("gbs")),
            two(mean("ggbs")),
            two(mean("entropy")),
            two(mean("bound"))
        ),
        format!(
            "The same model with tables so small that the optimum of each is proved. Over all cells ec2 is {} above \
             the optimum, ggbs {}, the best of all algorithms for each table {}, and gbs {}; the optimum itself is {} \
             above the entropy, which no strategy can avoid.",
            over("ec2"),
            over("ggbs"),
            over("best"),
            over("gbs"),
            above(small.mean("optimum"), small.mean("entropy")),
        ),
    ];
    let quantities = full.study.quantities();
    let row = |series: &str| {
        let optimum = small.mean("optimum");
        vec![
            series.to_owned(),
            two(full.mean(series)),
            two(small.mean(series)),
            above(small.mean(series), optimum),
        ]
    };
    let mut rows: Vec<Vec<String>> = quantities.iter().map(|quantity| row(&quantity.series)).collect();
    rows.push(vec!["optimum".to_owned(), "–".to_owned(), two(small.mean("optimum")), "0.0 %".to_owned()]);
    let header = ["mean over all cells", "full size", "small tables", "above the optimum there"];
    Exhibit {
        name: "figure6",
        title: "Figure 6: questions to name the group, for tests of every strength".to_owned(),
        command: command.to_owned(),
        says,
        pictures: vec![
            group_picture(full, &large, "Figure 6: naming the group, against what no strategy can beat"),
            group_picture(small, &proved, "Figure 6 in small: naming the group, against the proven optimum"),
        ],
        tables: vec![("figure6".to_owned(), full.csv()), ("figure6-optimum".to_owned(), small.csv())],
        summary: Some(Summary { header: header.map(str::to_owned).to_vec(), rows }),
    }
}

fn group_picture(measured: &Measured<'_>, names: &[&str], title: &str) -> Picture {
    let find = |row: usize| {
        move |series: &str, column: usize| {
            dot(measured, row * BETAS.len() + column, series, None, column as f64)
        }
    };
    let panel = |row: usize| Panel {
        title: format!("β_b = {}", BETAS[row]),
        y: "expected questions".to_owned(),
        y_scale: Scale::Linear,
        lines: lines(names, find(row), BETAS.len()),
    };
    let chart = Chart {
        title: title.to_owned(),
        subtitle: format!(
            "Small β_w: objects answer as their group does. Small β_b: groups answer alike. {}; {} data sets a point, bars: ± 1 standard error.",
            size(&measured.study.parameters()),
            measured.study.datasets(),
        ),
        about: told(measured, names),
        x: "β_w".to_owned(),
        x_scale: Scale::Names(BETAS.map(|beta| beta.to_string()).to_vec()),
        columns: 4,
        panels: (0..BETAS.len()).map(panel).collect(),
    };
    Picture { stem: measured.study.name().to_owned(), alt: title.to_owned(), svg: chart_svg(&chart) }
}

/// Parameters in words: `objects 400 tests 200` becomes `400 objects, 200 tests`.
fn size(parameters: &str) -> String {
    let words: Vec<&str> = parameters.split(' ').collect();
    let pairs: Vec<String> =
        words.chunks(2).map(|pair| pair.iter().rev().copied().collect::<Vec<_>>().join(" ")).collect();
    pairs.join(", ")
}

/// Figure 7: exponential cost against λ, in the papers' size, and in a size at which the optimum can be proved.
pub fn figure7(full: &Measured<'_>, small: &Measured<'_>, command: &str) -> Exhibit {
    let large = ["gbs-uniform", "gbs", "dectree", "best", "lambda-gbs", "bound", "renyi"];
    let proved = ["gbs-uniform", "gbs", "dectree", "optimum", "lambda-gbs", "renyi"];
    let lambdas = places(full);
    let last = full.study.cells().len().saturating_sub(1);
    let at =
        |series: &str, lambda: f64| full.get(last, series, Some(lambda)).map_or(f64::NAN, |found| found.mean);
    let (first, end) = (lambdas.first().copied().unwrap_or(1.0), lambdas.last().copied().unwrap_or(1.0));
    let says = vec![
        format!(
            "With the steepest prior, gbs costs {} at λ = 1, where the expected cost is all that counts, and {} at λ = 10⁶, where \
             almost only the longest path does; gbs-uniform costs {} and {}. lambda-gbs, which \
             is told λ, {} and {}.",
            two(at("gbs", first)),
            two(at("gbs", end)),
            two(at("gbs-uniform", first)),
            two(at("gbs-uniform", end)),
            two(at("lambda-gbs", first)),
            two(at("lambda-gbs", end)),
        ),
        format!(
            "The same with tables so small that the optimum is proved for each and every λ. Over all of them lambda-gbs is {} above \
             the optimum, gbs {}, gbs-uniform {}, dectree {}, the best of all algorithms {}.",
            above(small.mean("lambda-gbs"), small.mean("optimum")),
            above(small.mean("gbs"), small.mean("optimum")),
            above(small.mean("gbs-uniform"), small.mean("optimum")),
            above(small.mean("dectree"), small.mean("optimum")),
            above(small.mean("best"), small.mean("optimum")),
        ),
    ];
    let mut header = vec!["steepest prior".to_owned()];
    let chosen: Vec<f64> =
        [1.0, 2.0, 10.0, 100.0, 1e6].into_iter().filter(|lambda| lambdas.contains(lambda)).collect();
    header.extend(chosen.iter().map(|lambda| format!("λ = {lambda}")));
    let row = |name: &&str| {
        let costs = chosen.iter().map(|lambda| two(at(name, *lambda)));
        [(*name).to_owned()].into_iter().chain(costs).collect::<Vec<String>>()
    };
    Exhibit {
        name: "figure7",
        title: "Figure 7: exponential cost, from the average to the worst case".to_owned(),
        command: command.to_owned(),
        says,
        pictures: vec![
            lambda_picture(full, &large, "Figure 7: exponential cost against λ"),
            lambda_picture(small, &proved, "Figure 7 in small: exponential cost against the proven optimum"),
        ],
        tables: vec![("figure7".to_owned(), full.csv()), ("figure7-optimum".to_owned(), small.csv())],
        summary: Some(Summary { header, rows: large.iter().map(row).collect() }),
    }
}

/// Positions of the inner axis.
fn places(measured: &Measured<'_>) -> Vec<f64> {
    let mut places: Vec<f64> =
        measured.study.quantities().iter().filter_map(|quantity| quantity.at).collect();
    places.dedup();
    places
}

/// Looks of the priors, from the flattest to the steepest.
const PRIORS: [Look; 4] = [Look::Series(0), Look::Series(1), Look::Series(2), Look::Series(4)];

/// One panel for each algorithm, with a line for each prior and what no strategy can beat: lines of several algorithms
/// would hide each other.
fn lambda_picture(measured: &Measured<'_>, names: &[&str], title: &str) -> Picture {
    let lambdas = places(measured);
    let (limit, limit_name) = match names.contains(&"optimum") {
        true => ("optimum", "the optimum (proved) for the same prior"),
        false => ("bound", "no strategy is below (proved), for the same prior"),
    };
    let points = |cell: usize, series: &str| -> Vec<Dot> {
        let found = lambdas.iter().map(|lambda| dot(measured, cell, series, Some(*lambda), *lambda));
        found.flatten().collect()
    };
    let panel = |(name, shown): (&str, &str)| {
        let of_prior = |(cell, place): (usize, &fewest_lab::study::Cell)| Line {
            name: format!("prior j^-{}", place[0].1),
            look: PRIORS[cell % PRIORS.len()],
            points: points(cell, name),
        };
        let cells = measured.study.cells();
        let mut lines: Vec<Line> = cells.iter().enumerate().map(of_prior).collect();
        lines.extend((0..cells.len()).map(|cell| {
            let mut points = points(cell, limit);
            points.iter_mut().for_each(|dot| dot.error = None);
            Line { name: limit_name.to_owned(), look: Look::Floor, points }
        }));
        Panel { title: shown.to_owned(), y: "exponential cost".to_owned(), y_scale: Scale::Linear, lines }
    };
    let algorithms = SERIES.iter().filter(|(name, _, look)| {
        names.contains(name) && *name != "optimum" && matches!(look, Look::Series(_))
    });
    let chart = Chart {
        title: title.to_owned(),
        subtitle: format!(
            "λ = 1 counts the average, large λ the longest path. {}, priors falling as a power of the rank j; {} data sets a line, bars: ± 1 standard error.",
            size(&measured.study.parameters()),
            measured.study.datasets(),
        ),
        about: told(measured, names),
        x: "λ".to_owned(),
        x_scale: Scale::Log,
        columns: 3,
        panels: algorithms.map(|(name, shown, _)| panel((name, shown))).collect(),
    };
    Picture { stem: measured.study.name().to_owned(), alt: title.to_owned(), svg: chart_svg(&chart) }
}

/// Cost divided by the optimum for each algorithm, by the error of the prior.
fn prior_picture(measured: &Measured<'_>) -> Picture {
    let cells = measured.study.cells();
    let divergence = |cell: usize| measured.get(cell, "kl_bits", None).map_or(f64::NAN, |found| found.mean);
    let names: Vec<String> = cells
        .iter()
        .enumerate()
        .map(|(cell, place)| format!("{}\n{} bits", place[0].1, two(divergence(cell))))
        .collect();
    let shown = [
        ("gbs-uniform", "gbs-uniform, which ignores the prior", Look::Series(7)),
        ("dectree", "dectree", Look::Series(4)),
        ("gbs", "gbs", Look::Series(1)),
        ("lambda-gbs", "lambda-gbs, λ = 2", Look::Series(2)),
        ("optimum", "best tree for the given prior", Look::Series(0)),
        ("promise", "proved limit for that tree", Look::Bound),
    ];
    let line = |(series, name, look): (&str, &str, Look)| Line {
        name: name.to_owned(),
        look,
        points: (0..cells.len()).filter_map(|cell| dot(measured, cell, series, None, cell as f64)).collect(),
    };
    let title = "A wrong prior: expected cost over the best possible for the true one";
    let chart = Chart {
        title: title.to_owned(),
        subtitle: format!(
            "Trees built for a prior p, used under a true prior q with q_i = c p_i e^(σ\u{a0}z), z normal; {} data sets a point.",
            measured.study.datasets()
        ),
        about: told(measured, &["gbs", "gbs-uniform", "optimum", "promise"]),
        x: "σ: how wrong the given prior is (below: mean divergence of the true prior)".to_owned(),
        x_scale: Scale::Names(names),
        columns: 1,
        panels: vec![Panel {
            title: String::new(),
            y: "cost over optimum".to_owned(),
            y_scale: Scale::From(1.0),
            lines: shown.into_iter().map(line).collect(),
        }],
    };
    Picture { stem: "prior".to_owned(), alt: title.to_owned(), svg: chart_svg(&chart) }
}

/// Figure of the cost of a wrong prior.
pub fn prior(measured: &Measured<'_>, command: &str) -> Exhibit {
    let cells = measured.study.cells();
    let mean =
        |cell: usize, series: &str| measured.get(cell, series, None).map_or(f64::NAN, |found| found.mean);
    let half = cells.iter().position(|cell| cell[0].1 == "0.5").unwrap_or(0);
    let last = cells.len().saturating_sub(1);
    let percent = |cell, series| above(mean(cell, series), 1.0);
    let says = vec![format!(
        "The best tree for the given prior costs {} more than the best for the true one where weights are typically off by a factor of e^0.5, and {} more at σ = 3, where the prior says almost nothing; gbs {} and {}. A tree that ignores the prior costs {} \
         and {} more. The exponential costs of a tree promise beforehand what a wrong prior can do (dashed), for the worst prior at \
         that distance.",
        percent(half, "optimum"),
        percent(last, "optimum"),
        percent(half, "gbs"),
        percent(last, "gbs"),
        percent(half, "gbs-uniform"),
        percent(last, "gbs-uniform"),
    )];
    Exhibit {
        name: "prior",
        title: "Beyond the papers: what a wrong prior costs".to_owned(),
        command: command.to_owned(),
        says,
        pictures: vec![prior_picture(measured)],
        tables: vec![("prior".to_owned(), measured.csv())],
        summary: None,
    }
}
