//! Record of the responses to each answer that a client sent, and its comparison with the server's log.

/// Number of tests of the table.
pub(crate) const TESTS: usize = 3;
/// Number of answers to each test.
pub(crate) const ANSWERS: usize = 12;

/// Table in which every answer to every test is possible at any time.
pub(crate) fn table() -> String {
    let mut csv = "object,t0,t1,t2\n".to_owned();
    for object in 0..ANSWERS.pow(3) {
        let answer = |test: u32| object / ANSWERS.pow(test) % ANSWERS;
        csv += &format!("o{object},a{},a{},a{}\n", answer(0), answer(1), answer(2));
    }
    csv
}

/// Result of an answer, as far as the client knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Stored.
    Kept,
    /// Refused, without any change.
    Refused,
    /// Unknown: no response, or one that says so.
    Unknown,
}

/// Answers that one client sent to one session, in order.
#[derive(Default)]
pub(crate) struct Ledger {
    told: Vec<Told>,
}

impl Ledger {
    /// Answer with this number: its test and value. Answers with near numbers differ.
    pub(crate) fn answer(number: usize) -> (String, String) {
        (format!("t{}", number % TESTS), format!("a{}", number / TESTS % ANSWERS))
    }

    /// Number of the next answer.
    pub(crate) fn next(&self) -> usize {
        self.told.len()
    }

    /// Records the result of the next answer.
    pub(crate) fn note(&mut self, told: Told) {
        self.told.push(told);
    }

    pub(crate) fn count(&self, wanted: Told) -> usize {
        self.told.iter().filter(|told| **told == wanted).count()
    }

    /// Fault of `log`, the answers that the server has stored, in order. `None` if each acknowledged answer is there
    /// once, each refused one is not, and each unknown one is there at most once.
    pub(crate) fn fault(&self, log: &[(String, String)]) -> Option<String> {
        // Numbers of log entries that the answers so far can explain: a set, as unknown answers may be there or not.
        let mut explained = vec![0];
        for (number, told) in self.told.iter().enumerate() {
            let answer = Self::answer(number);
            let with = explained.iter().filter(|at| log.get(**at) == Some(&answer)).map(|at| at + 1);
            let next: Vec<usize> = match told {
                Told::Kept => with.collect(),
                Told::Refused => explained.clone(),
                Told::Unknown => {
                    let mut both: Vec<usize> = with.chain(explained.iter().copied()).collect();
                    both.sort_unstable();
                    both.dedup();
                    both
                }
            };
            if next.is_empty() {
                let found: Vec<_> = explained.iter().map(|at| log.get(*at)).collect();
                return Some(format!(
                    "answer {number}, {answer:?}, was acknowledged and is lost; in its place: {found:?}"
                ));
            }
            explained = next;
        }
        if explained.contains(&log.len()) {
            return None;
        }
        let first = explained.iter().max().copied().unwrap_or(0);
        Some(format!(
            "the log holds {} answers, of which {first} can be explained: {:?} is there twice",
            log.len(),
            log.get(first)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(numbers: &[usize]) -> Vec<(String, String)> {
        numbers.iter().map(|number| Ledger::answer(*number)).collect()
    }

    #[test]
    fn a_lost_and_a_doubled_answer_are_noticed() {
        let mut ledger = Ledger::default();
        [Told::Kept, Told::Unknown, Told::Refused, Told::Kept].into_iter().for_each(|told| ledger.note(told));
        assert_eq!(ledger.fault(&log(&[0, 3])), None);
        assert_eq!(ledger.fault(&log(&[0, 1, 3])), None);
        assert!(ledger.fault(&log(&[0, 1])).unwrap().contains("lost"));
        assert!(ledger.fault(&log(&[1, 3])).unwrap().contains("lost"));
        assert!(ledger.fault(&log(&[0, 1, 2, 3])).is_some(), "refused, and kept all the same");
        assert!(ledger.fault(&log(&[0, 1, 1, 3])).is_some());
        assert!(ledger.fault(&log(&[0, 3, 3])).unwrap().contains("twice"));
    }
}
