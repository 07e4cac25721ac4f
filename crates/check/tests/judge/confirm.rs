//! Objects that must be confirmed: which trees pass, and which are refused.

use crate::common::{Draft, claim, confirmed_instance};
use fewest_check::{CheckError, check};
use fewest_model::Instance;

/// Three codes, each a guess of cost 2, and a cheap question that singles out b.
fn game() -> Instance {
    confirmed_instance(
        "code a b c odd prior
         @cost 2 2 2 1 -
         a = - - 0 0.5
         b - = - 1 0.3
         c - - = 0 0.2",
    )
}

/// `odd(0:a(=:{a} -:c(=:{c})) 1:b(=:{b}))`: a pays 3, b 3 and c 5.
fn good(instance: &Instance) -> Draft<'_> {
    Draft::new(instance)
        .ask("odd", &[("0", 1), ("1", 2)])
        .ask("a", &[("=", 3), ("-", 4)])
        .ask("b", &[("=", 5)])
        .leaf(&["a"])
        .ask("c", &[("=", 6)])
        .leaf(&["b"])
        .leaf(&["c"])
}

#[test]
fn a_confirmed_tree_passes_with_the_cost_of_its_confirmations() {
    let instance = game();
    // 0.5 · 3 + 0.3 · 3 + 0.2 · 5; the exponential cost at λ = 2 is log₂ (0.8 · 8 + 0.2 · 32).
    let certificate = claim(3.4, 5.0, 12.8f64.log2(), 2.0);
    let verified = check(&instance, &good(&instance).tree(), &certificate).unwrap();
    assert_eq!((verified.leaves, verified.depth), (3, 3));
}

#[test]
fn a_leaf_before_the_confirmation_is_refused() {
    let instance = game();
    let draft = Draft::new(&instance)
        .ask("odd", &[("0", 1), ("1", 2)])
        .ask("a", &[("=", 3), ("-", 4)])
        .leaf(&["b"])
        .leaf(&["a"])
        .ask("c", &[("=", 5)])
        .leaf(&["c"]);
    let (object, test) = ("b".to_owned(), "b".to_owned());
    assert_eq!(draft.refused(), CheckError::Unconfirmed { object, test });
}

#[test]
fn another_test_confirms_no_object() {
    let instance = game();
    let mut draft = good(&instance);
    // b alone is asked c instead of b.
    draft.nodes[2] = Draft::new(&instance).ask("c", &[("-", 5)]).nodes.remove(0);
    let (test, answer) = ("c".to_owned(), "-".to_owned());
    assert_eq!(draft.refused(), CheckError::UselessQuestion { test, answer });
}

#[test]
fn no_object_is_confirmed_twice() {
    let instance = game();
    let mut draft = good(&instance);
    // The question above has confirmed a.
    draft.nodes[3] = Draft::new(&instance).ask("a", &[("=", 7)]).nodes.remove(0);
    let draft = draft.leaf(&["a"]);
    let (test, answer) = ("a".to_owned(), "=".to_owned());
    assert_eq!(draft.refused(), CheckError::UselessQuestion { test, answer });
}

#[test]
fn a_confirmation_that_is_not_needed_is_refused() {
    let plain = crate::common::instance("code a b\n a = -\n b - =");
    let draft =
        Draft::new(&plain).ask("a", &[("=", 1), ("-", 2)]).leaf(&["a"]).ask("b", &[("=", 3)]).leaf(&["b"]);
    assert!(matches!(draft.refused(), CheckError::UselessQuestion { .. }));
}

#[test]
fn one_object_alone_must_be_asked() {
    let instance = confirmed_instance("code a\n a =");
    assert!(matches!(Draft::new(&instance).leaf(&["a"]).refused(), CheckError::Unconfirmed { .. }));
    let draft = Draft::new(&instance).ask("a", &[("=", 1)]).leaf(&["a"]);
    assert!(check(&instance, &draft.tree(), &claim(1.0, 1.0, 1.0, 2.0)).is_ok());
}
