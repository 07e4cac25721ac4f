//! Real tables: the cost of every algorithm divided by the best known bound, all in one picture.

use super::{Exhibit, Measured, Picture, Summary};
use crate::plot::{StripDot, StripPanel, Strips, strips_svg};
use fewest::algorithms;
use fewest_lab::study::{OBJECTIVES, objective_name};

/// Exhibit of the distance of every algorithm from the best bound on real tables, for the three costs.
pub fn real(measured: &Measured<'_>, command: &str) -> Exhibit {
    let figures = Figures { measured };
    let mean = |objective: usize, series: &str| figures.mean(objective, series);
    let mut names: Vec<&str> = algorithms().iter().map(|algorithm| algorithm.name).collect();
    // From the best average down; equal ones in the order of the catalogue.
    names.sort_by(|left, right| mean(0, left).total_cmp(&mean(0, right)));
    names.splice(0..0, ["search", "best"]);
    let (done, all) = figures.proved_count();
    let header = ["geometric mean of cost over bound", "expected", "worst", "exponential"];
    let row = |series: &&str| {
        let means = (0..OBJECTIVES.len()).map(|objective| format!("{:.3}", mean(objective, series)));
        [(*series).to_owned()].into_iter().chain(means).collect::<Vec<String>>()
    };
    let second = names.get(2).copied().unwrap_or("");
    let last = names.last().copied().unwrap_or("");
    let says = vec![format!(
        "The optimum is proved for {done} of {all} pairs of a table and a cost. {second} is the best single rule for expected cost, {:.1} % \
         above the bound in the geometric mean; taking the best of all rules for each table leaves {:.1} %; {last} is last with {:.0} %.",
        (mean(0, second) - 1.0) * 100.0,
        (mean(0, "best") - 1.0) * 100.0,
        (mean(0, last) - 1.0) * 100.0,
    )];
    Exhibit {
        name: "real",
        title: "Beyond the papers: real tables".to_owned(),
        command: command.to_owned(),
        says,
        pictures: vec![figures.picture(&names)],
        tables: vec![("real".to_owned(), measured.csv())],
        summary: Some(Summary {
            header: header.map(str::to_owned).to_vec(),
            rows: names.iter().map(row).collect(),
        }),
    }
}

/// Measured values by table, objective and series.
struct Figures<'a, 'm> {
    measured: &'a Measured<'m>,
}

impl Figures<'_, '_> {
    fn tables(&self) -> usize {
        self.measured.study.cells().len() / OBJECTIVES.len()
    }

    /// Cost divided by bound of one algorithm on one table.
    fn value(&self, table: usize, objective: usize, series: &str) -> f64 {
        let found = self.measured.get(table * OBJECTIVES.len() + objective, series, None);
        found.map_or(f64::NAN, |found| found.mean)
    }

    fn mean(&self, objective: usize, series: &str) -> f64 {
        geometric((0..self.tables()).map(|table| self.value(table, objective, series)))
    }

    fn is_proved(&self, table: usize, objective: usize) -> bool {
        self.value(table, objective, "proved") == 1.0
    }

    /// Number of proved optima, and number of all pairs of a table and an objective.
    fn proved_count(&self) -> (usize, usize) {
        let all = self.tables() * OBJECTIVES.len();
        let is_proved = |cell: &usize| self.is_proved(cell / OBJECTIVES.len(), cell % OBJECTIVES.len());
        ((0..all).filter(is_proved).count(), all)
    }

    fn panel(&self, names: &[&str], objective: usize) -> StripPanel {
        StripPanel {
            title: match objective_name(OBJECTIVES[objective]) {
                "exponential" => "exponential cost, λ = 2".to_owned(),
                name => format!("{name} cost"),
            },
            rows: names
                .iter()
                .map(|series| {
                    let dot = |table: usize| StripDot {
                        x: self.value(table, objective, series),
                        certain: self.is_proved(table, objective),
                        name: self.measured.study.cells()[table * OBJECTIVES.len()][0].1.clone(),
                    };
                    (0..self.tables()).map(dot).collect()
                })
                .collect(),
            means: names.iter().map(|series| self.mean(objective, series)).collect(),
        }
    }

    fn picture(&self, names: &[&str]) -> Picture {
        let (done, all) = self.proved_count();
        let title = "Real tables: cost over the best known lower bound";
        let strips = Strips {
            title: title.to_owned(),
            subtitle: format!(
                "A dot for each of {} tables: filled where the bound is the proven optimum, hollow where it is a bound only. Bars: geometric means.",
                self.tables()
            ),
            about: format!("{done} of {all} optima proved."),
            x: "cost over bound (log); 1 is the best possible".to_owned(),
            rows: names
                .iter()
                .map(|name| if *name == "best" { "best rule".to_owned() } else { (*name).to_owned() })
                .collect(),
            panels: (0..OBJECTIVES.len()).map(|objective| self.panel(names, objective)).collect(),
        };
        Picture { stem: "real".to_owned(), alt: title.to_owned(), svg: strips_svg(&strips) }
    }
}

/// Geometric mean: twice the bound on one table and half of it on another average to the bound.
fn geometric(ratios: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = ratios.fold((0.0, 0.0), |(sum, count), ratio| (sum + ratio.ln(), count + 1.0));
    (sum / f64::max(count, 1.0)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_geometric_mean_of_two_and_eight_is_four() {
        assert!((geometric([2.0, 8.0].into_iter()) - 4.0).abs() < 1e-12);
        assert_eq!(geometric([].into_iter()), 1.0);
    }
}
