//! Reasons to refuse a tree or a claim.

/// Reason to refuse a tree or a claim, with names from the table.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum CheckError {
    /// A test is asked where it may not be asked.
    #[error(transparent)]
    NotApplicable(#[from] crate::NotApplicable),
    /// The tree asks a test that the instance does not have.
    #[error(
        "the tree asks test number {number}, but the table has {tests} tests; is it the table the tree was built for?"
    )]
    UnknownTest {
        /// Number of the test, from 0.
        number: u32,
        /// Number of tests of the instance.
        tests: usize,
    },
    /// The tree has a child for an answer that the test does not have.
    #[error(
        "the tree has a child for answer number {number} to `{test}`, but that test has {answers} answers"
    )]
    UnknownAnswer {
        /// The test.
        test: String,
        /// Number of the answer, from 0.
        number: u32,
        /// Number of answers of the test.
        answers: usize,
    },
    /// A leaf lists an object that the instance does not have.
    #[error(
        "a leaf lists object number {number}, but the table has {objects} objects; is it the table the tree was built for?"
    )]
    UnknownObject {
        /// Number of the object, from 0.
        number: u32,
        /// Number of objects of the instance.
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
    /// There is no child for an object's answer.
    #[error(
        "object `{object}` reaches a node that asks `{test}`, but there is no child for its answer `{answer}`"
    )]
    MissingChild {
        /// The object.
        object: String,
        /// The test.
        test: String,
        /// Answer of the object.
        answer: String,
    },
    /// No object reaches a child.
    #[error(
        "no object that reaches a node asking `{test}` gives answer `{answer}`, yet there is a child for it"
    )]
    UnreachedChild {
        /// The test.
        test: String,
        /// The answer.
        answer: String,
    },
    /// A test tells nothing where it is asked.
    #[error(
        "asking `{test}` tells nothing where it is asked: every object that gets there answers `{answer}`"
    )]
    UselessQuestion {
        /// The test.
        test: String,
        /// Only answer that occurs there.
        answer: String,
    },
    /// A test is asked where the group is known already.
    #[error("`{test}` is asked although only group `{group}` is left: that node should be a leaf")]
    NeedlessQuestion {
        /// The test.
        test: String,
        /// Group that is known.
        group: String,
    },
    /// The leaves list an object more than once.
    #[error("object `{object}` is listed twice in the leaves")]
    ListedTwice {
        /// The object.
        object: String,
    },
    /// No leaf lists an object.
    #[error("object `{object}` is listed in no leaf")]
    NotListed {
        /// The object.
        object: String,
    },
    /// A leaf lists an object that does not reach it.
    #[error(
        "object `{object}` is listed in a leaf that takes answer `{needed}` to `{test}`, but its answer is `{given}`"
    )]
    WrongLeaf {
        /// The object.
        object: String,
        /// First test on the path to the leaf at which the object goes elsewhere.
        test: String,
        /// Answer that leads to the leaf.
        needed: String,
        /// Answer of the object.
        given: String,
    },
    /// A leaf holds objects of different groups.
    #[error(
        "`{first}` and `{second}` end in one leaf, but their groups are `{first_group}` and `{second_group}`"
    )]
    ImpureLeaf {
        /// First object of the leaf.
        first: String,
        /// Group of the first object.
        first_group: String,
        /// Object of another group.
        second: String,
        /// Group of the second object.
        second_group: String,
    },
    /// An object is alone in its leaf, but the test of its name was not asked.
    #[error(
        "object `{object}` ends in a leaf, but the test `{test}` that confirms it was not asked before it"
    )]
    Unconfirmed {
        /// The object.
        object: String,
        /// Test with the name of the object.
        test: String,
    },
    /// A test is asked twice on one path.
    #[error("`{test}` is asked again below a node that asked it: its answer is known there")]
    AskedTwice {
        /// The test.
        test: String,
    },
    /// A test changes no probability where it is asked.
    #[error("asking `{test}` tells nothing of the groups where it is asked")]
    IdleQuestion {
        /// The test.
        test: String,
    },
    /// A leaf does not list an object that can reach it.
    #[error("object `{object}` comes to a leaf that does not list it, by its possible answers")]
    Unlisted {
        /// Object that is missing in the list.
        object: String,
    },
    /// A leaf lists an object that cannot reach it.
    #[error("object `{object}` is listed in a leaf to which none of its possible answers lead")]
    Unreachable {
        /// The object.
        object: String,
    },
    /// More could be asked at a leaf of several groups.
    #[error(
        "`{first}` and `{second}` of different groups end in one leaf, but `{test}` was not asked there and would tell \
         something of the groups"
    )]
    EarlyLeaf {
        /// First object of the leaf.
        first: String,
        /// Object of another group.
        second: String,
        /// Test that would tell something there.
        test: String,
    },
    /// The leaves at which more could be asked are not those that are claimed.
    #[error(
        "it is said to leave {claimed_leaves} leaves open, with probability {claimed} and another group than the likeliest \
         with {claimed_error}; found are {found_leaves}, {found} and {found_error}"
    )]
    OpenLeaves {
        /// Claimed number of open leaves.
        claimed_leaves: usize,
        /// Claimed probability of ending in an open leaf.
        claimed: f64,
        /// Claimed probability of ending there with another group than the likeliest.
        claimed_error: f64,
        /// True number of open leaves.
        found_leaves: usize,
        /// True probability of ending in an open leaf.
        found: f64,
        /// True probability of ending there with another group than the likeliest.
        found_error: f64,
    },
    /// A proof needs a table with one answer in every cell.
    #[error("a certificate rests on one answer in every cell, but some objects may give several here")]
    NoProofs,
    /// A claim that does not fit costs that depend on the path.
    #[error("claim {claim} {fault}")]
    PathClaim {
        /// The claim.
        claim: usize,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// The claimed expected cost is not the tree's.
    #[error("the expected cost is {found}, not {claimed} as claimed")]
    Expected {
        /// Claimed expected cost.
        claimed: f64,
        /// Expected cost, added up from the paths.
        found: f64,
    },
    /// The claimed worst cost is not the tree's.
    #[error("the worst cost is {found}, not {claimed} as claimed")]
    Worst {
        /// Claimed worst cost.
        claimed: f64,
        /// Worst cost, found on the paths.
        found: f64,
    },
    /// The claimed exponential cost is not the tree's.
    #[error("the exponential cost for λ = {lambda} is {found}, not {claimed} as claimed")]
    Exponential {
        /// The λ of the claim.
        lambda: f64,
        /// Claimed exponential cost.
        claimed: f64,
        /// Exponential cost, added up from the paths.
        found: f64,
    },
    /// Weights and costs are so large or so small that products of them overflow or underflow.
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
    /// The tree's worst cost is above the cap that it is claimed to keep.
    #[error("it is said to cost at most {cap} at worst, but it costs {worst}")]
    BeyondCap {
        /// Worst cost of the tree.
        worst: f64,
        /// The cap.
        cap: f64,
    },
    /// A strategy claims a lower bound above its own cost.
    #[error("it says that no strategy costs less than {claimed}, but it costs {cost} itself")]
    OwnCost {
        /// Claimed lower bound.
        claimed: f64,
        /// Cost of the tree.
        cost: f64,
    },
    /// A claimed lower bound does not follow from the coarse groups, those that can be told apart for certain.
    #[error(
        "it says that no strategy costs less than {claimed}, but the groups that can be told apart for certain show {found} \
         only"
    )]
    Coarse {
        /// Claimed lower bound.
        claimed: f64,
        /// Lower bound by the coarse groups.
        found: f64,
    },
    /// A gap does not follow from cost and bound.
    #[error("the gap between its cost and its lower bound is {found}, not {claimed} as it says")]
    Gap {
        /// Claimed gap.
        claimed: f64,
        /// Gap that follows from cost and bound.
        found: f64,
    },
    /// A strategy is claimed to be optimal, but its own lower bound is below its cost.
    #[error("it is said to be the best possible, but it costs {cost} and its lower bound is {bound}")]
    NotOptimal {
        /// Cost of the strategy.
        cost: f64,
        /// Lower bound of the strategy.
        bound: f64,
    },
    /// The search is claimed to have ended with a proof, but the strategy not to be optimal, or the other way round.
    #[error("it says that its search ended {}, and also that it is {}", if *.proved { "with a proof" } else { "without a proof" }, if *.proved { "not optimal" } else { "optimal" })]
    StopContradicts {
        /// Whether the search is claimed to have ended with a proof.
        proved: bool,
    },
    /// The exponential cost is for another λ than the objective.
    #[error(
        "its exponential cost is that for λ = {cost}, but it is said to minimise that for λ = {objective}"
    )]
    OtherLambda {
        /// The λ of the cost.
        cost: f64,
        /// The λ of the objective.
        objective: f64,
    },
    /// The problem has another size.
    #[error("it is said to be about {claimed} {what}, but the table has {found} as it is read")]
    Size {
        /// Name of the quantity that is counted.
        what: &'static str,
        /// Claimed number.
        claimed: usize,
        /// Number in the table.
        found: usize,
    },
    /// The groups have another entropy.
    #[error("the entropy of the groups is {found} bits, not {claimed} as it says")]
    Entropy {
        /// Claimed entropy, in bits.
        claimed: f64,
        /// Entropy of the table's groups, in bits.
        found: f64,
    },
    /// The claimed lower bound is above the cost of the tree.
    #[error("no strategy is said to cost less than {claimed}, but this one costs {cost}")]
    BoundAboveCost {
        /// Claimed lower bound.
        claimed: f64,
        /// Cost of the tree.
        cost: f64,
    },
    /// The claims are true, but do not suffice for the bound.
    #[error("no strategy is said to cost less than {claimed}, but only {found} is proved")]
    Unproved {
        /// Claimed lower bound.
        claimed: f64,
        /// Lower bound that follows from the claims.
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
        /// Number of words of the set.
        found: usize,
        /// Number of words it should have.
        words: usize,
        /// Number of objects of the instance.
        objects: usize,
    },
    /// A claim's set holds an object that the instance does not have.
    #[error(
        "claim {claim} speaks of object number {object}, but the table has {objects} objects; is it the table the proof was made for?"
    )]
    SetBeyond {
        /// The claim, from 1.
        claim: usize,
        /// Number of the object, from 0.
        object: usize,
        /// Number of objects of the instance.
        objects: usize,
    },
    /// A claim's set is empty.
    #[error("claim {claim} speaks of no object at all")]
    SetEmpty {
        /// The claim, from 1.
        claim: usize,
    },
    /// A claim's set holds one of two objects that no strategy separates, but not the other.
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
        /// Number of the test, from 0.
        number: u32,
        /// Number of tests of the instance.
        tests: usize,
    },
    /// A claim with a budget rests on the parts of a test.
    #[error("claim {claim} rests on the parts of a set, which is no reason under a budget")]
    PartsWithBudget {
        /// The claim, from 1.
        claim: usize,
    },
    /// A claim rests on the majority path although tests differ in cost.
    #[error(
        "claim {claim} rests on the path of most common answers, which is no reason where `{first}` and `{second}` differ in cost"
    )]
    MajorityPathUneven {
        /// The claim, from 1.
        claim: usize,
        /// One test.
        first: String,
        /// Test of another cost.
        second: String,
    },
    /// A list of prices does not have one price for each object.
    #[error("list {list} of the prices has {found} of them, the table {objects} objects")]
    Prices {
        /// The list, from 1.
        list: usize,
        /// Number of prices in the list.
        found: usize,
        /// Number of objects of the instance.
        objects: usize,
    },
    /// A claim about an exponential cost rests on the majority path.
    #[error(
        "claim {claim} rests on the path of most common answers, which is no reason for an exponential cost"
    )]
    MajorityPathExponential {
        /// The claim, from 1.
        claim: usize,
    },
    /// A claim about a set of one group is above its true value: no question is needed there.
    #[error(
        "claim {claim} says no strategy for these {objects} objects is worth less than {claimed}, but they are of one group and worth {found}"
    )]
    ClaimOfOneGroup {
        /// The claim, from 1.
        claim: usize,
        /// Number of objects in the claim's set.
        objects: u32,
        /// Claimed value.
        claimed: f64,
        /// True value.
        found: f64,
    },
    /// A claim does not follow from the parts of every test.
    #[error(
        "claim {claim} says no strategy for these {objects} objects is worth less than {claimed}, but asking `{test}` may lead to {found} by what is proved before it"
    )]
    ClaimOfTests {
        /// The claim, from 1.
        claim: usize,
        /// Number of objects in the claim's set.
        objects: u32,
        /// Claimed value.
        claimed: f64,
        /// Test with the least value.
        test: String,
        /// Value of that test.
        found: f64,
    },
    /// A claim does not follow from the parts of one test.
    #[error(
        "claim {claim} says no strategy for these {objects} objects is worth less than {claimed}, but the parts that `{test}` makes of them are worth {found} by what is proved before it"
    )]
    ClaimOfParts {
        /// The claim, from 1.
        claim: usize,
        /// Number of objects in the claim's set.
        objects: u32,
        /// Claimed value.
        claimed: f64,
        /// Test whose parts are meant.
        test: String,
        /// Value of its parts.
        found: f64,
    },
    /// A claim does not follow from the majority path.
    #[error(
        "claim {claim} says no strategy for these {objects} objects is worth less than {claimed}, but the path of most common answers shows {found} only"
    )]
    ClaimOfMajorityPath {
        /// The claim, from 1.
        claim: usize,
        /// Number of objects in the claim's set.
        objects: u32,
        /// Claimed value.
        claimed: f64,
        /// Value by the majority path.
        found: f64,
    },
}
