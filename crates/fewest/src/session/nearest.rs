//! Objects that fit most of the answers, for a session whose answers fit no object together.

use super::posterior::is_mismatch;
use super::{Given, Reply, Session};
use fewest_model::ObjectId;

/// Object with the number of answers that it fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// The object.
    pub object: ObjectId,
    /// Number of answers that the object may give.
    pub fits: usize,
    /// Number of all answers, without "I don't know".
    pub of: usize,
}

impl Session<'_> {
    /// Returns at most `most` objects by the number of answers that they fit, the largest first; among equals the
    /// likelier one by the prior, then the earlier one in the table.
    ///
    /// Answers to several cuts of one measured column count as one answer, which fits if all of them fit.
    pub fn nearest(&self, most: usize) -> Vec<Fit> {
        let facts = self.facts();
        let fit = |object: ObjectId| {
            let holds = |given: &Given| !is_mismatch(self.instance.test(given.test), object, &given.reply);
            let fits = facts.iter().filter(|fact| fact.iter().all(|given| holds(given))).count();
            Fit { object, fits, of: facts.len() }
        };
        let mut all: Vec<Fit> = self.instance.objects().map(fit).collect();
        all.sort_by(|left, right| {
            let likelier = || self.instance.prior(right.object).total_cmp(&self.instance.prior(left.object));
            right.fits.cmp(&left.fits).then_with(likelier).then(left.object.cmp(&right.object))
        });
        all.truncate(most);
        all
    }

    /// Answers except "I don't know", those to cuts of one column together.
    fn facts(&self) -> Vec<Vec<&Given>> {
        let column = |given: &Given| {
            let measure = self.instance.test(given.test).measure.as_ref();
            measure.map(|measure| measure.column.as_str())
        };
        let mut facts: Vec<Vec<&Given>> = Vec::new();
        for given in self.answers.iter().filter(|given| given.reply != Reply::Unknown) {
            let same = |fact: &&mut Vec<&Given>| column(given).is_some() && column(fact[0]) == column(given);
            match facts.iter_mut().find(same) {
                Some(fact) => fact.push(given),
                None => facts.push(vec![given]),
            }
        }
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{RandomStream, Stream};
    use crate::session::{Plan, SessionRules, parse};
    use fewest_model::{AnswerId, Instance, Reading, Table};

    fn session<'a>(instance: &'a Instance, said: &[&str]) -> Session<'a> {
        let mut session = Session::new(instance, Plan::default(), SessionRules::default()).unwrap();
        for text in said {
            for (test, reply) in parse::parse_facts(instance, text).unwrap() {
                session.give(test, reply).unwrap();
            }
        }
        session
    }

    #[test]
    fn the_object_that_fits_most_answers_comes_first() {
        let rows: [&[&str]; 4] = [
            &["o", "prior", "a", "b", "c", "d"],
            &["x", "1", "0", "0", "0", "0"],
            &["y", "1", "1", "1", "0", "1"],
            &["z", "2", "0", "0", "1", "1"],
        ];
        let (instance, _) = Instance::new(Table::from_rows(&rows), &Reading::plain()).unwrap();
        let session = session(&instance, &["a=1", "b=1", "c=1", "d=?"]);
        let found: Vec<(&str, usize, usize)> = session
            .nearest(3)
            .iter()
            .map(|fit| (instance.object_name(fit.object), fit.fits, fit.of))
            .collect();
        assert_eq!(found, [("y", 2, 3), ("z", 1, 3), ("x", 0, 3)]);
        assert_eq!(session.nearest(1).len(), 1);
    }

    #[test]
    fn a_measured_number_is_one_answer() {
        let rows: [&[&str]; 5] = [
            &["o", "lab", "a"],
            &["v", "1.5", "0"],
            &["w", "2.5", "0"],
            &["x", "3.5", "1"],
            &["y", "4.5", "1"],
        ];
        let (instance, _) = Instance::new(Table::from_rows(&rows), &Reading::default()).unwrap();
        let session = session(&instance, &["lab=2.4", "a=1"]);
        assert!(session.answers().len() > 2, "the column became several cuts");
        let found = session.nearest(4);
        assert!(found.iter().all(|fit| fit.of == 2), "{found:?}");
        let fits: Vec<(&str, usize)> =
            found.iter().map(|fit| (instance.object_name(fit.object), fit.fits)).collect();
        assert_eq!(fits, [("w", 1), ("x", 1), ("y", 1), ("v", 0)]);
    }

    #[test]
    fn counts_agree_with_a_look_at_every_cell() {
        let mut random = RandomStream::new(7, Stream::Table);
        for _ in 0..50 {
            let (objects, tests) = (2 + random.below(6), 1 + random.below(6));
            let mut rows = vec![
                std::iter::once("o".to_owned())
                    .chain((0..tests).map(|t| format!("t{t}")))
                    .collect::<Vec<_>>(),
            ];
            for object in 0..objects {
                let cells = (0..tests).map(|_| random.below(3).to_string());
                rows.push(std::iter::once(format!("o{object}")).chain(cells).collect());
            }
            let rows: Vec<Vec<&str>> =
                rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
            let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
            let (instance, _) = Instance::new(Table::from_rows(&rows), &Reading::plain()).unwrap();
            let mut session = Session::new(&instance, Plan::default(), SessionRules::default()).unwrap();
            for test in instance.test_ids() {
                let answer = AnswerId(random.below(u32::try_from(instance.test(test).arity()).unwrap()));
                session.give(test, Reply::is(answer)).unwrap();
            }
            for fit in session.nearest(usize::MAX) {
                let said = session.answers().iter();
                let same = said
                    .filter(|given| given.reply.single() == Some(instance.answer(fit.object, given.test)));
                assert_eq!((fit.fits, fit.of), (same.count(), tests as usize));
            }
        }
    }
}
