//! Small examples of the papers with their trees, densities of the model, and DecTree against its guarantee.

use super::{Exhibit, Measured, Picture, Summary, two};
use crate::NamedTree;
use crate::plot::{Chart, Dot, Line, Look, Panel, Scale, TreePicture, chart_svg, number, trees_svg};
use fewest::{Instance, Limit};
use fewest_lab::study::{BETAS, Example, beta_density, examples};

/// Figure 5: densities of γ for every β of the study.
pub fn densities(command: &str) -> Exhibit {
    const STEPS: u32 = 100;
    let gamma = |step: u32| 0.5 + 0.5 * f64::from(step) / f64::from(STEPS);
    let mut csv = "beta,gamma,density\n".to_owned();
    let mut lines = Vec::new();
    for (at, beta) in BETAS.into_iter().enumerate() {
        // For β < 1 the density has no value at 1.
        let steps = (0..=STEPS).filter(|step| *step < STEPS || beta >= 1.0);
        let points: Vec<Dot> = steps
            .map(|step| Dot { x: gamma(step), y: beta_density(beta, gamma(step)), error: None })
            .collect();
        points.iter().for_each(|dot| csv += &format!("{beta},{},{}\n", dot.x, dot.y));
        lines.push(Line { name: format!("β = {beta}"), look: Look::Series(at), points });
    }
    let title = "Figure 5: how strong tests are in the random model";
    let chart = Chart {
        title: title.to_owned(),
        subtitle: "Density of γ = 1/2 + Beta(1, β)/2: at 1/2 a test tells nothing, at 1 it is certain."
            .to_owned(),
        about: "Small β puts weight near 1, large β near 1/2; β = 1 is uniform.".to_owned(),
        x: "γ".to_owned(),
        x_scale: Scale::Fixed(0.5, 1.0),
        columns: 1,
        panels: vec![Panel {
            title: String::new(),
            y: "density".to_owned(),
            y_scale: Scale::Fixed(0.0, 10.0),
            lines,
        }],
    };
    Exhibit {
        name: "figure5",
        title: title.to_owned(),
        command: command.to_owned(),
        says: vec![
            "Each test draws γ_w, how often an object answers as its group, and γ_b, how often a group answers as the others. With β = 8 \
             most tests are hardly better than a coin; with β = 0.5 many are almost certain."
                .to_owned(),
        ],
        pictures: vec![Picture { stem: "figure5".to_owned(), alt: title.to_owned(), svg: chart_svg(&chart) }],
        tables: vec![("figure5".to_owned(), csv)],
        summary: None,
    }
}

/// Small examples of both papers.
pub fn toy(command: &str) -> Exhibit {
    let examples = examples();
    Exhibit {
        name: "toy",
        title: "The papers' small examples".to_owned(),
        command: command.to_owned(),
        says: examples.iter().map(|example| format!("{}. {}", example.title, example.about)).collect(),
        pictures: examples.iter().map(|example| drawn(example, &format!("toy-{}", example.name))).collect(),
        tables: vec![("toy".to_owned(), costs_csv(&examples))],
        summary: Some(costs_table(&examples)),
    }
}

/// Example of the discrete function evaluation problem step by step, and DecTree's ratios on random tables.
pub fn dfep(measured: &Measured<'_>, command: &str) -> Exhibit {
    let examples: Vec<Example> = examples().into_iter().filter(|example| example.name == "costs").collect();
    let cells = measured.study.cells();
    let of = |cell: usize, series: &str| measured.get(cell, series, None);
    let last = cells.len().saturating_sub(1);
    let (mean, most) = (
        |series: &str| of(last, series).map_or(f64::NAN, |found| found.mean),
        |series: &str| of(last, series).map_or(f64::NAN, |found| found.most),
    );
    let steps = examples.first().map_or(String::new(), |example| run_of(&example.instance));
    let says = vec![
        format!(
            "The example of the second paper. dectree spends its budget, the least that covers a fixed part of all pairs of \
             different classes, first on probability and then on pairs, and begins again with what is left: {steps}."
        ),
        format!(
            "On random tables (12 tests with 3 answers, 4 groups, costs 1 to 10) of {} objects dectree is on average {} times the \
             optimum in expected cost and {} times in worst cost; the largest ratios met are {} and {}. Its analysis promises no more \
             than {} times the best worst case: the guarantee is what holds for every table, far from what tables do.",
            cells.last().map_or("", |cell| cell[0].1.as_str()),
            two(mean("expected dectree")),
            two(mean("worst dectree")),
            two(most("expected dectree")),
            two(most("worst dectree")),
            number(mean("worst guarantee").round()),
        ),
    ];
    let mut pictures: Vec<Picture> = examples.iter().map(|example| drawn(example, "dfep-example")).collect();
    pictures.push(ratios(measured));
    Exhibit {
        name: "dfep",
        title: "Discrete function evaluation: DecTree, its example and its guarantee".to_owned(),
        command: command.to_owned(),
        says,
        pictures,
        tables: vec![("dfep-example".to_owned(), costs_csv(&examples)), ("dfep".to_owned(), measured.csv())],
        summary: Some(dfep_summary(measured)),
    }
}

/// Mean ratios to the optimum, by number of objects.
fn dfep_summary(measured: &Measured<'_>) -> Summary {
    const SHOWN: [(&str, &str); 7] = [
        ("expected: dectree", "expected dectree"),
        ("ggbs", "expected ggbs"),
        ("best of all", "expected best"),
        ("worst: dectree", "worst dectree"),
        ("ggbs", "worst ggbs"),
        ("best of all", "worst best"),
        ("guarantee", "worst guarantee"),
    ];
    let cells = measured.study.cells();
    let row = |(cell, place): (usize, &fewest_lab::study::Cell)| {
        let number = |(_, series): &(&str, &str)| {
            let found = measured.get(cell, series, None);
            found.map_or(String::new(), |found| format!("{:.3}", found.mean))
        };
        [place[0].1.clone()].into_iter().chain(SHOWN.iter().map(number)).collect::<Vec<String>>()
    };
    let header = ["objects"].into_iter().chain(SHOWN.map(|(title, _)| title));
    Summary { header: header.map(str::to_owned).collect(), rows: cells.iter().enumerate().map(row).collect() }
}

fn ratios(measured: &Measured<'_>) -> Picture {
    let cells = measured.study.cells();
    let line = |cost: &str, series: &str, name: &str, look: Look, most: bool| Line {
        name: name.to_owned(),
        look,
        points: (0..cells.len())
            .filter_map(|cell| {
                let found = measured.get(cell, &format!("{cost} {series}"), None)?;
                let (y, error) = if most { (found.most, None) } else { (found.mean, found.standard_error) };
                Some(Dot { x: cell as f64, y, error })
            })
            .collect(),
    };
    let panel = |cost: &str, title: &str| Panel {
        title: title.to_owned(),
        y: "cost over optimum".to_owned(),
        y_scale: Scale::From(1.0),
        lines: vec![
            line(cost, "dectree", "dectree, largest met", Look::Series(3), true),
            line(cost, "dectree", "dectree, mean", Look::Series(4), false),
            line(cost, "ggbs", "ggbs, mean", Look::Series(0), false),
            line(cost, "best", "best of all algorithms, mean", Look::Series(5), false),
        ],
    };
    let guarantee = Panel {
        title: "worst cost, and what is proved".to_owned(),
        y: "cost over optimum (log)".to_owned(),
        y_scale: Scale::Log,
        lines: vec![
            line("worst", "guarantee", "guarantee for every table", Look::Bound, false),
            line("worst", "dectree", "dectree, largest met", Look::Series(3), true),
            line("worst", "dectree", "dectree, mean", Look::Series(4), false),
        ],
    };
    let title = "DecTree over the proven optimum, and its guarantee";
    let chart = Chart {
        title: title.to_owned(),
        subtitle: format!(
            "Random tables: 12 tests with 3 answers, 4 groups, costs 1 to 10, uneven priors; {} data sets a point, bars: ± 1 standard error.",
            measured.study.datasets()
        ),
        about: format!(
            "Mean ratios over all sizes: expected {}, worst {}, guarantee {}.",
            two(measured.mean("expected dectree")),
            two(measured.mean("worst dectree")),
            two(measured.mean("worst guarantee"))
        ),
        x: "objects".to_owned(),
        x_scale: Scale::Names(cells.iter().map(|cell| cell[0].1.clone()).collect()),
        columns: 3,
        panels: vec![panel("expected", "expected cost"), panel("worst", "worst cost"), guarantee],
    };
    Picture { stem: "dfep".to_owned(), alt: title.to_owned(), svg: chart_svg(&chart) }
}

/// Calls of DecTree in words: budget and path of each.
fn run_of(instance: &Instance) -> String {
    let Some((_, calls)) = fewest::builder::dec_tree(instance, &Limit::none()) else { return String::new() };
    let call = |call: &fewest::builder::Call| {
        let path: Vec<&str> = call.path.iter().map(|test| instance.test(*test).name.as_str()).collect();
        let count = crate::text::count(call.objects, "object");
        format!("{count}, budget {}, asks {}", number(call.budget), path.join(" then "))
    };
    calls.iter().map(call).collect::<Vec<_>>().join("; ")
}

fn drawn(example: &Example, stem: &str) -> Picture {
    let picture = |shown: &fewest_lab::study::Shown| TreePicture {
        title: shown.by.clone(),
        about: format!("{} on average, {} at worst", number(shown.costs.expected), number(shown.costs.worst)),
        tree: NamedTree::new(&shown.tree, &example.instance),
    };
    let pictures: Vec<TreePicture> = example.trees.iter().map(picture).collect();
    Picture {
        stem: stem.to_owned(),
        alt: example.title.to_owned(),
        svg: trees_svg(example.title, example.about, &pictures),
    }
}

fn costs_csv(examples: &[Example]) -> String {
    let mut csv = "example,tree,expected,worst,exponential\n".to_owned();
    for example in examples {
        for shown in &example.trees {
            let costs = &shown.costs;
            csv += &format!(
                "{},{},{},{},{}\n",
                example.name, shown.by, costs.expected, costs.worst, costs.exponential
            );
        }
    }
    csv
}

fn costs_table(examples: &[Example]) -> Summary {
    let header = ["example", "tree", "expected", "worst", "exponential, λ = 2"];
    let rows = examples.iter().flat_map(|example| {
        example.trees.iter().map(|shown| {
            let costs = [shown.costs.expected, shown.costs.worst, shown.costs.exponential].map(number);
            [example.name.to_owned(), shown.by.clone()].into_iter().chain(costs).collect()
        })
    });
    Summary { header: header.map(str::to_owned).to_vec(), rows: rows.collect() }
}
