//! Counterfeit coin: find it on a balance, and whether it is heavy or light.

use super::draft::{self, Cells};
use super::error::require;
use super::{GenerateError, error};
use fewest_model::{Column, Labels, Table};

/// Most coins: 12 have 36,894 weighings, and each further coin almost triples them.
const MOST_COINS: u32 = 12;

/// One coin of n is heavy or light: objects `1 heavy`, `1 light`, …. Each weighing of some coins against as many
/// others is a test `1 2 : 3 4`, answered `left`, `right` (the side that sinks) or `balanced`.
///
/// All weighings are tests; of two that differ by a swap of the pans, only one. With w weighings, (3^w − 3)/2 coins
/// can be solved, whether or not all coins may be genuine [Dyson1946, the counting of weighings]: 3 coins take two
/// weighings and 12 take three.
#[derive(Clone, Debug, PartialEq)]
pub struct Coins {
    /// Number of coins, from 3 to 12: of two coins, no weighing tells which one is odd.
    pub coins: u32,
    /// Whether all coins may be genuine, as a further object.
    pub genuine: bool,
}

impl Default for Coins {
    fn default() -> Self {
        Self { coins: 8, genuine: false }
    }
}

impl Coins {
    /// Makes the table.
    ///
    /// # Errors
    /// When there are fewer than 3 coins or more than 12.
    pub fn generate(&self) -> Result<Table, GenerateError> {
        let fits = (3..=MOST_COINS).contains(&self.coins);
        let expected = "from 3 to 12: more coins have hundreds of thousands of weighings";
        require(fits, "the number of coins", f64::from(self.coins), expected)?;
        let weighings = weighings(self.coins as usize);
        error::require_size(self.coins * 2 + 1, weighings.len() as u32)?;
        let mut objects = Labels::default();
        for coin in 1..=self.coins {
            objects.push(&format!("{coin} heavy"));
            objects.push(&format!("{coin} light"));
        }
        if self.genuine {
            objects.push("all genuine");
        }
        let tests = weighings.iter().map(|weighing| self.weigh(weighing)).collect();
        Ok(draft::table(objects, None, None, tests))
    }

    fn weigh(&self, pans: &[Pan]) -> Column {
        let texts = ["balanced", "left", "right"].map(str::to_owned);
        let list = |pan: Pan| {
            let coins = pans.iter().zip(1..).filter(|(other, _)| **other == pan);
            coins.map(|(_, coin)| coin.to_string()).collect::<Vec<_>>().join(" ")
        };
        let name = format!("{} : {}", list(Pan::Left), list(Pan::Right));
        let sinks = pans.iter().flat_map(|pan| match pan {
            Pan::Off => [0, 0],
            Pan::Left => [1, 2],
            Pan::Right => [2, 1],
        });
        Cells::new(&name, &texts).fill(sinks.chain(self.genuine.then_some(0)))
    }
}

/// Position of a coin in a weighing.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Pan {
    Off,
    Left,
    Right,
}

/// Lists all ways to put equally many coins on both pans, the first coin on a pan being on the left.
fn weighings(coins: usize) -> Vec<Vec<Pan>> {
    let mut found = Vec::new();
    let mut pans = vec![Pan::Off; coins];
    // Count up in base three.
    while let Some(last) = pans.iter().rposition(|pan| *pan != Pan::Right) {
        pans[last] = if pans[last] == Pan::Off { Pan::Left } else { Pan::Right };
        pans[last + 1..].fill(Pan::Off);
        let on = |pan: Pan| pans.iter().filter(|other| **other == pan).count();
        let first = pans.iter().find(|pan| **pan != Pan::Off);
        if first == Some(&Pan::Left) && on(Pan::Left) == on(Pan::Right) {
            found.push(pans.clone());
        }
    }
    // Few coins first: of two weighings that are equally good, the smaller one is easier.
    let on = |pans: &[Pan], pan: Pan| -> Vec<usize> {
        (0..pans.len()).filter(|coin| pans[*coin] == pan).collect()
    };
    found.sort_by_cached_key(|pans| {
        let (left, right) = (on(pans, Pan::Left), on(pans, Pan::Right));
        (left.len(), left, right)
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_coins_have_nine_weighings() {
        let table = Coins { coins: 4, genuine: true }.generate().unwrap();
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names[..6], ["1 : 2", "1 : 3", "1 : 4", "2 : 3", "2 : 4", "3 : 4"]);
        assert_eq!(names[6..], ["1 2 : 3 4", "1 3 : 2 4", "1 4 : 2 3"]);
        assert_eq!(table.objects.iter().last(), Some("all genuine"));
        let last = &table.columns[7];
        let cells: Vec<&str> = last.codes.iter().map(|code| last.labels.get(code as usize)).collect();
        assert_eq!(cells, ["left", "right", "right", "left", "left", "right", "right", "left", "balanced"]);
    }

    #[test]
    fn weighings_are_counted_by_the_central_trinomial_coefficients() {
        // 1, 3, 7, 19, 51, 141, 393, 1107, …: the middle coefficient of (1 + x + x²)^n. It counts the empty weighing,
        // and every other one twice.
        let mut row = vec![1usize];
        for coins in 1..=10 {
            let at = |place: usize| row.get(place).copied().unwrap_or(0);
            row = (0..=2 * coins)
                .map(|place| (0..=2).filter(|shift| place >= *shift).map(|shift| at(place - shift)).sum())
                .collect();
            assert_eq!(weighings(coins).len(), (row[coins] - 1) / 2, "{coins} coins");
        }
    }

    #[test]
    fn numbers_of_coins_that_make_no_puzzle_are_refused() {
        for coins in [0, 2, 13] {
            let error = Coins { coins, genuine: false }.generate().unwrap_err();
            assert!(matches!(error, GenerateError::Parameter { name: "the number of coins", .. }));
        }
    }
}
