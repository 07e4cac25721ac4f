//! Learns a decision tree from labelled rows, and predicts a new one.
//!
//! `cargo run --package fewest --example learn`

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use fewest::learn::{Examples, ExamplesError, Field, FitOptions, Preparation, Target, Value, fit};

fn main() -> Result<(), ExamplesError> {
    let fields = vec![
        Field::numbers("petal length", vec![1.4, 1.3, 1.5, 4.7, 4.5, 4.9, 6.0, 5.1, 5.9]),
        Field::numbers("petal width", vec![0.2, 0.2, 0.1, 1.4, 1.5, 1.5, 2.5, 1.9, 2.1]),
        Field::words(
            "iris",
            &[
                "setosa",
                "setosa",
                "setosa",
                "versicolor",
                "versicolor",
                "versicolor",
                "virginica",
                "virginica",
                "virginica",
            ],
        ),
    ];
    let target = Target::parse("iris", &["petal length", "petal width", "iris"])?;
    let (examples, _) = Examples::new(fields, &target, &Preparation::default())?;
    let model = fit(&examples, "iris", &FitOptions::default());
    println!("{} leaves, {} questions at most", model.tree.leaves(), model.tree.depth());

    let flower = [5.5, 2.0];
    let leaf = model.tree.route(model.missing, |field| Value::Number(flower[field]));
    println!("predicted: {}", model.classes[model.tree.nodes[leaf].class()]);
    Ok(())
}
