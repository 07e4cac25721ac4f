//! How a printed key looks.

/// How a printed key looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyOptions {
    /// How leads are arranged.
    pub style: KeyStyle,
    /// How the leads of a couplet after the first are marked.
    pub marks: Marks,
    /// Which lead of a couplet comes first.
    pub order: KeyOrder,
    /// Whether every couplet has two leads: a question with more answers takes several couplets in a row.
    pub is_dichotomous: bool,
    /// Whether the facts about the strategy stand below the key.
    pub has_footer: bool,
    /// Columns of a key as text.
    pub width: usize,
}

impl Default for KeyOptions {
    fn default() -> Self {
        Self {
            style: KeyStyle::Bracketed,
            marks: Marks::Dash,
            order: KeyOrder::Fewest,
            is_dichotomous: false,
            has_footer: true,
            width: 80,
        }
    }
}

/// How leads are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyStyle {
    /// The leads of a couplet stand together, and name the couplet to go on with.
    Bracketed,
    /// What follows from a lead stands below it, indented.
    Indented,
}

/// How the leads of a couplet are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// `1.` and `–`.
    Dash,
    /// `1a.` and `1b.`.
    Letters,
    /// `1.` and `1′.`.
    Prime,
}

/// Which lead of a couplet comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyOrder {
    /// The one with the fewest objects behind it.
    Fewest,
    /// The answers in natural order.
    Answers,
    /// The likeliest.
    Likeliest,
}
