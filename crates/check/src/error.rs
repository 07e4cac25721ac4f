//! Why a tree or a claim is refused.

use thiserror::Error;

/// Why a tree or a claim is refused, with names from the table.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum CheckError {
    /// The tree asks a test that the instance does not have.
    #[error(
        "the tree asks test number {number}, but the table has {tests} tests; is it the table the tree was built for?"
    )]
    UnknownTest {
        /// The test's number, from 0.
        number: u32,
        /// How many tests there are.
        tests: usize,
    },
    /// The tree waits for an answer that the test does not have.
    #[error(
        "the tree has a child for answer number {number} to `{test}`, but that test has {answers} answers"
    )]
    UnknownAnswer {
        /// The test.
        test: String,
        /// The answer's number, from 0.
        number: u32,
        /// How many answers there are.
        answers: usize,
    },
    /// A leaf lists an object that the instance does not have.
    #[error(
        "a leaf lists object number {number}, but the table has {objects} objects; is it the table the tree was built for?"
    )]
    UnknownObject {
        /// The object's number, from 0.
        number: u32,
        /// How many objects there are.
        objects: usize,
    },
    /// A node has two children for one answer.
    #[error("a node that asks `{test}` has two children for answer `{answer}`")]
    TwoChildren {
        /// The test.
        test: String,
        /// The answer.
        answer: String,
    },
    /// An object's answer leads nowhere.
    #[error(
        "object `{object}` reaches a node that asks `{test}`, but there is no child for its answer `{answer}`"
    )]
    MissingChild {
        /// The object.
        object: String,
        /// The test.
        test: String,
        /// Its answer.
        answer: String,
    },
    /// A child that no object reaches.
    #[error(
        "no object that reaches a node asking `{test}` gives answer `{answer}`, yet there is a child for it"
    )]
    UnreachedChild {
        /// The test.
        test: String,
        /// The answer.
        answer: String,
    },
    /// A test that tells nothing where it is asked.
    #[error(
        "asking `{test}` tells nothing where it is asked: every object that gets there answers `{answer}`"
    )]
    UselessQuestion {
        /// The test.
        test: String,
        /// The only answer.
        answer: String,
    },
    /// A test asked where the group is known already.
    #[error("`{test}` is asked although only group `{group}` is left: that node should be a leaf")]
    NeedlessQuestion {
        /// The test.
        test: String,
        /// The group.
        group: String,
    },
    /// An object that the leaves list more than once.
    #[error("object `{object}` is listed twice in the leaves")]
    ListedTwice {
        /// The object.
        object: String,
    },
    /// An object that no leaf lists.
    #[error("object `{object}` is listed in no leaf")]
    NotListed {
        /// The object.
        object: String,
    },
    /// An object listed in a leaf that it does not reach.
    #[error(
        "object `{object}` is listed in a leaf that takes answer `{needed}` to `{test}`, but its answer is `{given}`"
    )]
    WrongLeaf {
        /// The object.
        object: String,
        /// The first test on the way to the leaf at which the object goes elsewhere.
        test: String,
        /// The answer that leads to the leaf.
        needed: String,
        /// The object's answer.
        given: String,
    },
    /// A leaf that leaves the group open.
    #[error(
        "`{first}` and `{second}` end in one leaf, but their groups are `{first_group}` and `{second_group}`"
    )]
    ImpureLeaf {
        /// The first object of the leaf.
        first: String,
        /// Its group.
        first_group: String,
        /// An object of another group.
        second: String,
        /// Its group.
        second_group: String,
    },
    /// An object that is left alone, but was not asked the test of its name.
    #[error(
        "object `{object}` ends in a leaf, but the test `{test}` that confirms it was not asked before it"
    )]
    Unconfirmed {
        /// The object.
        object: String,
        /// The test of its name.
        test: String,
    },
    /// A test that is asked twice on one path.
    #[error("`{test}` is asked again below a node that asked it: its answer is known there")]
    AskedTwice {
        /// The test.
        test: String,
    },
    /// A test that changes nothing where it is asked.
    #[error("asking `{test}` tells nothing of the groups where it is asked")]
    IdleQuestion {
        /// The test.
        test: String,
    },
    /// A leaf that lists other objects than come there.
    #[error("object `{object}` comes to a leaf that does not list it, by its possible answers")]
    Unlisted {
        /// The object.
        object: String,
    },
    /// A leaf that lists an object that cannot come there.
    #[error("object `{object}` is listed in a leaf to which none of its possible answers lead")]
    Unreachable {
        /// The object.
        object: String,
    },
    /// A leaf of several groups at which more could be asked.
    #[error(
        "`{first}` and `{second}` of different groups end in one leaf, but `{test}` was not asked there and would tell \
         something of the groups"
    )]
    EarlyLeaf {
        /// The first object of the leaf.
        first: String,
        /// An object of another group.
        second: String,
        /// A test that tells something there.
        test: String,
    },
    /// The leaves at which more could be asked are not those that are claimed.
    #[error(
        "it is said to leave {claimed_leaves} leaves open, with probability {claimed} and another group than the likeliest \
         with {claimed_error}; found are {found_leaves}, {found} and {found_error}"
    )]
    OpenLeaves {
        /// The claim.
        claimed_leaves: usize,
        /// The claim.
        claimed: f64,
        /// The claim.
        claimed_error: f64,
        /// What was found.
        found_leaves: usize,
        /// What was found.
        found: f64,
        /// What was found.
        found_error: f64,
    },
    /// A proof that rests on one answer in every cell.
    #[error("a certificate rests on one answer in every cell, but some objects may give several here")]
    NoProofs,
    /// The claimed expected cost is not the tree's.
    #[error("the expected cost is {found}, not {claimed} as claimed")]
    Expected {
        /// The claim.
        claimed: f64,
        /// What the paths add up to.
        found: f64,
    },
    /// The claimed worst cost is not the tree's.
    #[error("the worst cost is {found}, not {claimed} as claimed")]
    Worst {
        /// The claim.
        claimed: f64,
        /// What the paths add up to.
        found: f64,
    },
    /// The claimed exponential cost is not the tree's.
    #[error("the exponential cost for λ = {lambda} is {found}, not {claimed} as claimed")]
    Exponential {
        /// The λ of the claim.
        lambda: f64,
        /// The claim.
        claimed: f64,
        /// What the paths add up to.
        found: f64,
    },
    /// Weights and costs so large or so small that their products are beyond what floats hold.
    #[error("weights and costs are too far from 1 for a bound to be judged; give them in other units")]
    Immoderate,
    /// The value of a proof is not a number.
    #[error("the proof's bound is not a number")]
    BoundNoNumber,
    /// The cap of a proof is negative or not a number.
    #[error("the proof speaks of strategies that cost at most {cap} at worst, which is no cost")]
    CapNoNumber {
        /// The cap.
        cap: f64,
    },
    /// The tree's worst cost is above the cap that it is said to keep.
    #[error("it is said to cost at most {cap} at worst, but it costs {worst}")]
    BeyondCap {
        /// What the tree costs at worst.
        worst: f64,
        /// The cap.
        cap: f64,
    },
    /// A strategy whose own lower bound is above its cost.
    #[error("it says that no strategy costs less than {claimed}, but it costs {cost} itself")]
    OwnCost {
        /// The claim.
        claimed: f64,
        /// What the tree costs.
        cost: f64,
    },
    /// A lower bound that the groups which can be told apart for certain do not show.
    #[error(
        "it says that no strategy costs less than {claimed}, but the groups that can be told apart for certain show {found} \
         only"
    )]
    Coarse {
        /// The claim.
        claimed: f64,
        /// What they show.
        found: f64,
    },
    /// A gap that does not follow from cost and bound.
    #[error("the gap between its cost and its lower bound is {found}, not {claimed} as it says")]
    Gap {
        /// The claim.
        claimed: f64,
        /// What follows.
        found: f64,
    },
    /// A strategy that is called the best possible although its own lower bound leaves room.
    #[error("it is said to be the best possible, but it costs {cost} and its lower bound is {bound}")]
    NotOptimal {
        /// What it costs.
        cost: f64,
        /// Its lower bound.
        bound: f64,
    },
    /// A search that ended with a proof and a strategy that is not optimal, or the other way round.
    #[error("it says that its search ended {}, and also that it is {}", if *.proved { "with a proof" } else { "without a proof" }, if *.proved { "not optimal" } else { "optimal" })]
    StopContradicts {
        /// Whether the search is said to have ended with a proof.
        proved: bool,
    },
    /// An exponential cost for another λ than is minimised.
    #[error(
        "its exponential cost is that for λ = {cost}, but it is said to minimise that for λ = {objective}"
    )]
    OtherLambda {
        /// The λ of the cost.
        cost: f64,
        /// The λ of the objective.
        objective: f64,
    },
    /// A problem of another size.
    #[error("it is said to be about {claimed} {what}, but the table has {found} as it is read")]
    Size {
        /// What is counted.
        what: &'static str,
        /// The claim.
        claimed: usize,
        /// What the table has.
        found: usize,
    },
    /// Another entropy.
    #[error("the entropy of the groups is {found} bits, not {claimed} as it says")]
    Entropy {
        /// The claim.
        claimed: f64,
        /// What the table has.
        found: f64,
    },
    /// A bound that the tree at hand is below.
    #[error("no strategy is said to cost less than {claimed}, but this one costs {cost}")]
    BoundAboveCost {
        /// The claim.
        claimed: f64,
        /// What the tree costs.
        cost: f64,
    },
    /// The claims are true, but do not add up to the bound.
    #[error("no strategy is said to cost less than {claimed}, but only {found} is proved")]
    Unproved {
        /// The claim.
        claimed: f64,
        /// What follows from the claims.
        found: f64,
    },
    /// A claim's value is not a number.
    #[error("the value of claim {claim} is not a number")]
    ClaimNoNumber {
        /// The claim, from 1.
        claim: usize,
    },
    /// A claim's budget is negative or not a number.
    #[error("claim {claim} speaks of strategies that spend at most {budget}, which is no budget")]
    BudgetNoNumber {
        /// The claim, from 1.
        claim: usize,
        /// The budget.
        budget: f64,
    },
    /// A claim's set is too short or too long.
    #[error(
        "the set of claim {claim} has {found} words of 64 objects, but {objects} objects need {words}; is it the table the proof was made for?"
    )]
    SetSize {
        /// The claim, from 1.
        claim: usize,
        /// Its words.
        found: usize,
        /// The words it should have.
        words: usize,
        /// How many objects there are.
        objects: usize,
    },
    /// A claim's set holds an object that the instance does not have.
    #[error(
        "claim {claim} speaks of object number {object}, but the table has {objects} objects; is it the table the proof was made for?"
    )]
    SetBeyond {
        /// The claim, from 1.
        claim: usize,
        /// The object's number, from 0.
        object: usize,
        /// How many objects there are.
        objects: usize,
    },
    /// A claim's set is empty.
    #[error("claim {claim} speaks of no object at all")]
    SetEmpty {
        /// The claim, from 1.
        claim: usize,
    },
    /// A claim's set holds one of two objects that no strategy parts.
    #[error(
        "claim {claim} speaks of some, but not all, of the objects that have the group and the answers of `{object}`; no strategy ever parts them"
    )]
    TwinsParted {
        /// The claim, from 1.
        claim: usize,
        /// The first of the objects.
        object: String,
    },
    /// A claim rests on the parts of a test that the instance does not have.
    #[error("claim {claim} rests on test number {number}, but the table has {tests} tests")]
    ClaimUnknownTest {
        /// The claim, from 1.
        claim: usize,
        /// The test's number, from 0.
        number: u32,
        /// How many tests there are.
        tests: usize,
    },
    /// A claim under a budget rests on the parts of a test.
    #[error("claim {claim} rests on the parts of a set, which is no reason under a budget")]
    PartsWithBudget {
        /// The claim, from 1.
        claim: usize,
    },
    /// A claim rests on the path of most common answers where tests differ in cost.
    #[error(
        "claim {claim} rests on the path of most common answers, which is no reason where `{first}` and `{second}` differ in cost"
    )]
    MajorityPathUneven {
        /// The claim, from 1.
        claim: usize,
        /// A test.
        first: String,
        /// A test of another cost.
        second: String,
    },
    /// A list of prices that is not one for each object.
    #[error("list {list} of the prices has {found} of them, the table {objects} objects")]
    Prices {
        /// The list, from 1.
        list: usize,
        /// How many prices it has.
        found: usize,
        /// How many objects there are.
        objects: usize,
    },
    /// A claim about an exponential cost rests on the path of most common answers.
    #[error(
        "claim {claim} rests on the path of most common answers, which is no reason for an exponential cost"
    )]
    MajorityPathExponential {
        /// The claim, from 1.
        claim: usize,
    },
    /// A claim about a set of one group asks for more than nothing.
    #[error(
        "claim {claim} says no strategy for these {objects} objects is worth less than {claimed}, but they are of one group and worth {found}"
    )]
    ClaimOfOneGroup {
        /// The claim, from 1.
        claim: usize,
        /// How many objects it is about.
        objects: u32,
        /// What it says.
        claimed: f64,
        /// What is true.
        found: f64,
    },
    /// A claim does not follow from what the tests lead to.
    #[error(
        "claim {claim} says no strategy for these {objects} objects is worth less than {claimed}, but asking `{test}` may lead to {found} by what is proved before it"
    )]
    ClaimOfTests {
        /// The claim, from 1.
        claim: usize,
        /// How many objects it is about.
        objects: u32,
        /// What it says.
        claimed: f64,
        /// The test with the least value.
        test: String,
        /// That value.
        found: f64,
    },
    /// A claim does not follow from the parts of a set.
    #[error(
        "claim {claim} says no strategy for these {objects} objects is worth less than {claimed}, but the parts that `{test}` makes of them are worth {found} by what is proved before it"
    )]
    ClaimOfParts {
        /// The claim, from 1.
        claim: usize,
        /// How many objects it is about.
        objects: u32,
        /// What it says.
        claimed: f64,
        /// The test.
        test: String,
        /// What its parts are worth.
        found: f64,
    },
    /// A claim does not follow from the path of most common answers.
    #[error(
        "claim {claim} says no strategy for these {objects} objects is worth less than {claimed}, but the path of most common answers shows {found} only"
    )]
    ClaimOfMajorityPath {
        /// The claim, from 1.
        claim: usize,
        /// How many objects it is about.
        objects: u32,
        /// What it says.
        claimed: f64,
        /// What follows.
        found: f64,
    },
}
