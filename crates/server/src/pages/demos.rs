//! Example tables, which are compiled into the program, and the notice that tables about health get.

use fewest::Instance;

/// Example table.
pub(super) struct Demo {
    /// Name in URLs.
    pub(super) name: &'static str,
    /// Name of the file.
    pub(super) file: &'static str,
    /// Question that the table answers.
    pub(super) title: &'static str,
    /// Contents of the table, in a few words.
    pub(super) about: &'static str,
    pub(super) content: &'static [u8],
}

pub(super) const DEMOS: &[Demo] = &[
    Demo {
        name: "printer",
        file: "printer.csv",
        title: "What is wrong with the printer?",
        about: "8 faults, 9 checks, each with the minutes it takes",
        content: include_bytes!("../../../../examples/printer.csv"),
    },
    Demo {
        name: "zoo",
        file: "zoo.csv",
        title: "What kind of animal is it?",
        about: "101 animals, 16 traits, 7 kinds",
        content: include_bytes!("../../../../examples/zoo.csv"),
    },
    Demo {
        name: "lenses",
        file: "lenses.csv",
        title: "Which contact lenses fit?",
        about: "24 patients, 4 findings, 3 groups",
        content: include_bytes!("../../../../examples/lenses.csv"),
    },
];

/// Words that hint at health or poison.
const HEALTH: &[&str] = &[
    "symptom",
    "disease",
    "diagnos",
    "patient",
    "fever",
    "astigmatism",
    "tumor",
    "tumour",
    "cancer",
    "poison",
    "toxic",
    "syndrome",
    "blood pressure",
    "cough",
    "thyroid",
    "diabet",
    "medicine",
    "overdose",
];

/// Most names of a table that are searched; more would take time and rarely change the result.
const LOOKED_AT: usize = 2000;

/// Whether a person's health could depend on the answers of a table.
pub(super) fn is_about_health(name: &str, instance: &Instance) -> bool {
    let tests = instance.test_ids().map(|test| instance.test(test).name.as_str());
    let groups =
        instance.objects().take(LOOKED_AT).flat_map(|object| instance.group_names(instance.group_of(object)));
    std::iter::once(name).chain(tests.take(LOOKED_AT)).chain(groups).any(tells_of_health)
}

fn tells_of_health(text: &str) -> bool {
    let text = text.to_lowercase();
    HEALTH.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::options::TableOptions;
    use crate::tables::load_table;

    #[test]
    fn every_demo_is_a_table_and_lenses_carry_the_line() {
        for demo in DEMOS {
            let table = load_table(
                "",
                demo.content,
                &TableOptions::default(),
                &Limits::default(),
                crate::spell::parameter,
            )
            .unwrap();
            assert_eq!(is_about_health(demo.file, &table.instance), demo.name == "lenses");
        }
    }
}
