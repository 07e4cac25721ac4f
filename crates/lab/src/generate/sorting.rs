//! Sorting by comparisons: find the order of the items.

use super::error::require;
use super::{GenerateError, draft};
use fewest_model::{Labels, Table};

/// Most items: 8! = 40,320 orders.
const MOST_ITEMS: u32 = 8;

/// All n! orders of the items `a`, `b`, … as objects, and every comparison of two items as a test `a<b`.
///
/// The object `bca` is the order in which b comes first and a last. A strategy is a way to sort by comparisons, so the
/// least worst cost is the number of comparisons that sorting takes: 1, 3, 5, 7, 10, 13, 16 for 2 to 8 items. The
/// least expected cost is the least external path length over n!: 16/6 for three items and 112/24 for four
/// [Knuth1998, section 5.3.1].
#[derive(Clone, Debug, PartialEq)]
pub struct Sorting {
    /// Number of items, from 2 to 8.
    pub items: u32,
}

impl Default for Sorting {
    fn default() -> Self {
        Self { items: 6 }
    }
}

impl Sorting {
    /// Makes the table.
    ///
    /// # Errors
    /// When there are fewer than 2 items or more than 8.
    pub fn generate(&self) -> Result<Table, GenerateError> {
        let fits = (2..=MOST_ITEMS).contains(&self.items);
        require(fits, "the number of items", f64::from(self.items), "from 2 to 8")?;
        let orders = orders(self.items as usize);
        let mut objects = Labels::default();
        orders.iter().for_each(|order| {
            objects.push(&order.iter().map(|item| letter(*item)).collect::<String>());
        });
        objects.shrink_to_fit();
        let place = |order: u32, item| orders[order as usize].iter().position(|other| *other == item);
        let pairs = (0..self.items as usize).flat_map(|i| (i + 1..self.items as usize).map(move |j| (i, j)));
        let count = orders.len() as u32;
        let compare = |(i, j)| {
            let name = format!("{}<{}", letter(i), letter(j));
            draft::yes_no(&name, count, |order| place(order, i) < place(order, j))
        };
        Ok(draft::table(objects, None, None, pairs.map(compare).collect()))
    }
}

/// All orders of `items` items, in alphabetical order.
fn orders(items: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for _ in 0..items {
        let longer = |order: &Vec<usize>| {
            let rest: Vec<usize> = (0..items).filter(|item| !order.contains(item)).collect();
            rest.into_iter().map(|item| order.iter().copied().chain([item]).collect()).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}

/// Name of an item.
fn letter(item: usize) -> char {
    char::from(b'a' + item as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_items_have_six_orders_and_three_comparisons() {
        let table = Sorting { items: 3 }.generate().unwrap();
        assert_eq!(table.objects.iter().collect::<Vec<_>>(), ["abc", "acb", "bac", "bca", "cab", "cba"]);
        let texts = table.columns.iter().map(|column| {
            let cells = column.codes.iter().map(|code| &column.labels.get(code as usize)[..1]);
            format!("{} {}", column.name, cells.collect::<String>())
        });
        assert_eq!(texts.collect::<Vec<_>>(), ["a<b yynnyn", "a<c yyynnn", "b<c ynyynn"]);
    }

    #[test]
    fn eight_items_are_the_most() {
        let table = Sorting { items: 8 }.generate().unwrap();
        assert_eq!((table.objects.len(), table.columns.len()), (40_320, 28));
        for items in [0, 1, 9] {
            let error = Sorting { items }.generate().unwrap_err();
            assert!(matches!(error, GenerateError::Parameter { name: "the number of items", .. }));
        }
    }
}
