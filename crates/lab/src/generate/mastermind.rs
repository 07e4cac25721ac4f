//! Mastermind: find a secret code; each guess is answered by how well it matches.

use super::draft::{self, Cells};
use super::error::require;
use super::{GenerateError, error};
use fewest_model::{Column, Labels, Table};
use rayon::prelude::*;

/// Most codes: as many tests make a hundred million cells.
const MOST_CODES: u32 = 10_000;
/// Most colours: they are letters.
const MOST_COLORS: u32 = 26;

/// All codes as objects, and the same codes as tests. The answer `2+1` to a guess means two pegs of the right colour
/// in the right place and one more of a right colour elsewhere.
///
/// Each test has the name of the code that it guesses, and only that code answers it by all pegs. So the table can be
/// read with `--confirm`: the game ends when the secret has been guessed, not when it is known. Four pegs of six
/// colours then take at least 5 guesses in the worst case [Knuth1977, the strategy of Table 1], and at least
/// 5625/1296 on average, by a strategy that takes 6 at worst [KoyamaLai1993, by exhaustive search].
#[derive(Clone, Debug, PartialEq)]
pub struct Mastermind {
    /// Number of positions of a code.
    pub pegs: u32,
    /// Number of colours for each position.
    pub colors: u32,
}

impl Default for Mastermind {
    fn default() -> Self {
        Self { pegs: 4, colors: 6 }
    }
}

impl Mastermind {
    /// Makes the table.
    ///
    /// # Errors
    /// When there are no pegs or colours, more colours than letters, or more than 10,000 codes.
    pub fn generate(&self) -> Result<Table, GenerateError> {
        let Self { pegs, colors } = *self;
        require(pegs > 0, "the number of pegs", f64::from(pegs), "at least 1")?;
        let fits = (1..=MOST_COLORS).contains(&colors);
        require(fits, "the number of colors", f64::from(colors), "from 1 to 26")?;
        let count = f64::from(colors).powf(f64::from(pegs));
        let fits = count <= f64::from(MOST_CODES) && pegs <= MOST_CODES;
        require(fits, "the number of codes", count, "at most 10000: take fewer pegs or colors")?;
        let codes = self.codes();
        error::require_size(codes.len() as u32, codes.len() as u32)?;
        let mut objects = Labels::default();
        codes.iter().for_each(|code| {
            objects.push(&name(code));
        });
        objects.shrink_to_fit();
        let tests = codes.par_iter().map(|guess| self.guess(guess, &codes)).collect();
        Ok(draft::table(objects, None, None, tests))
    }

    /// All codes, in alphabetical order.
    fn codes(&self) -> Vec<Vec<u8>> {
        let mut codes = vec![Vec::new()];
        // With one colour there is one code, however long.
        for _ in 0..self.pegs {
            let longer = |code: &Vec<u8>| {
                let code = code.clone();
                (0..self.colors as u8).map(move |color| code.iter().copied().chain([color]).collect())
            };
            codes = codes.iter().flat_map(longer).collect();
        }
        codes
    }

    /// Column of answers to `guess`.
    fn guess(&self, guess: &[u8], codes: &[Vec<u8>]) -> Column {
        let side = self.pegs + 1;
        let texts: Vec<String> =
            (0..side).flat_map(|black| (0..side).map(move |white| format!("{black}+{white}"))).collect();
        let answers = codes.iter().map(|code| {
            let (black, white) = fit(guess, code);
            black * side + white
        });
        Cells::new(&name(guess), &texts).fill(answers)
    }
}

/// Number of pegs that are right, and number of further pegs of a right colour.
fn fit(guess: &[u8], code: &[u8]) -> (u32, u32) {
    let black = guess.iter().zip(code).filter(|(one, two)| one == two).count();
    let of = |code: &[u8]| {
        let mut counts = [0usize; MOST_COLORS as usize];
        code.iter().for_each(|color| counts[*color as usize] += 1);
        counts
    };
    let common: usize = of(guess).iter().zip(of(code)).map(|(one, two)| *one.min(&two)).sum();
    (black as u32, (common - black) as u32)
}

fn name(code: &[u8]) -> String {
    code.iter().map(|color| char::from(b'A' + color)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_follow_the_rules_of_the_game() {
        let of = |guess: &str, code: &str| {
            let pegs = |text: &str| text.bytes().map(|letter| letter - b'A').collect::<Vec<_>>();
            fit(&pegs(guess), &pegs(code))
        };
        assert_eq!(of("AABB", "AABB"), (4, 0));
        assert_eq!(of("AABB", "BBAA"), (0, 4));
        assert_eq!(of("AABC", "ADDA"), (1, 1));
        assert_eq!(of("AAAB", "CAAC"), (2, 0));
        assert_eq!(of("ABCD", "EEFF"), (0, 0));
    }

    #[test]
    fn knuths_first_guess_leaves_256_codes_at_most() {
        // Knuth 1977: AABB, with the number of codes for each answer.
        let codes = Mastermind::default().codes();
        let mut counts = [[0u32; 5]; 5];
        codes
            .iter()
            .map(|code| fit(&[0, 0, 1, 1], code))
            .for_each(|(b, w)| counts[b as usize][w as usize] += 1);
        assert_eq!(counts[0], [256, 256, 96, 16, 1]);
        assert_eq!(counts[1], [256, 208, 36, 0, 0]);
        assert_eq!(counts[2], [114, 32, 4, 0, 0]);
        assert_eq!(counts[3], [20, 0, 0, 0, 0]);
        assert_eq!(counts[4], [1, 0, 0, 0, 0]);
    }

    #[test]
    fn each_code_alone_fits_itself_in_full() {
        let table = Mastermind { pegs: 2, colors: 3 }.generate().unwrap();
        let names: Vec<&str> = table.objects.iter().collect();
        assert_eq!(names, ["AA", "AB", "AC", "BA", "BB", "BC", "CA", "CB", "CC"]);
        for (own, column) in table.columns.iter().enumerate() {
            assert_eq!(column.name, names[own]);
            let full = |code: u32| column.labels.get(code as usize) == "2+0";
            let who: Vec<usize> =
                column.codes.iter().enumerate().filter(|(_, code)| full(*code)).map(|(at, _)| at).collect();
            assert_eq!(who, [own]);
        }
    }

    #[test]
    fn games_too_large_or_too_small_are_refused() {
        for (pegs, colors, says) in [
            (0, 6, "pegs is 0"),
            (4, 0, "colors is 0"),
            (1, 27, "colors is 27"),
            (4, 11, "codes is 14641"),
            (u32::MAX, 2, "codes is inf"),
            (20_000, 1, "codes"),
        ] {
            let error = Mastermind { pegs, colors }.generate().unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        assert_eq!(Mastermind { pegs: 3, colors: 1 }.generate().unwrap().objects.len(), 1);
    }
}
