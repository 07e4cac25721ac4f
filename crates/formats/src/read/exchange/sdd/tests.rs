//! Tests of the reader.

use super::*;
use crate::read::Notice;

fn set(parts: &str) -> Found {
    let text = format!(
        "<?xml version=\"1.0\"?><Datasets xmlns=\"http://rs.tdwg.org/UBIF/2006/\"><Dataset xml:lang=\"en\">{parts}</Dataset></Datasets>"
    );
    read(&text, &ReadOptions::default()).unwrap()
}

fn label(text: &str) -> String {
    format!("<Representation><Label>{text}</Label></Representation>")
}

fn cells(found: &Found, test: &str) -> Vec<String> {
    let column = found.0.column(test).unwrap();
    column.codes.iter().map(|code| column.labels.get(code as usize).to_owned()).collect()
}

/// A character of two states, `a` and `b`.
fn character(id: &str) -> String {
    let state = |name: &str| format!("<StateDefinition id=\"{id}{name}\">{}</StateDefinition>", label(name));
    let states = state("a") + &state("b");
    format!("<CategoricalCharacter id=\"{id}\">{}<States>{states}</States></CategoricalCharacter>", label(id))
}

fn description(name: &str, summary: &str) -> String {
    format!("<CodedDescription>{}<SummaryData>{summary}</SummaryData></CodedDescription>", label(name))
}

#[test]
fn descriptions_are_merged_and_rules_of_nodes_hold_below_them() {
    let characters = format!(
        "<Characters>{}{}<QuantitativeCharacter id=\"q\">{}</QuantitativeCharacter><TextCharacter id=\"t\">{}</TextCharacter></Characters>",
        character("c"),
        character("d"),
        label("q"),
        label("t")
    );
    let tree = "<CharacterTrees><CharacterTree><Nodes><Node id=\"n\"><DependencyRules><InapplicableIf><State ref=\"ca\"/>\
        </InapplicableIf></DependencyRules></Node><CharNode><Parent ref=\"n\"/><Character ref=\"d\"/></CharNode></Nodes>\
        </CharacterTree></CharacterTrees>";
    let one = description(
        "one",
        "<Categorical ref=\"c\"><State ref=\"ca\"/></Categorical><Quantitative ref=\"q\"><Measure type=\"Min\" value=\"1\"/>\
         <Measure type=\"Max\" value=\"9\"/><Measure type=\"UMethLower\" value=\"2\"/><Measure type=\"UMethUpper\" value=\"3.5\"/></Quantitative>",
    );
    let two = description(
        "two",
        "<Categorical ref=\"c\"><State ref=\"cb\"/></Categorical><Categorical ref=\"d\"><State ref=\"da\"><Modifier ref=\"m\"/></State>\
         </Categorical><Categorical ref=\"d\"><State ref=\"db\"/></Categorical><Quantitative ref=\"q\"><Measure type=\"Mean\" value=\"4\"/></Quantitative>",
    );
    let three = description(
        "two",
        "<Categorical ref=\"x\"><State ref=\"y\"/></Categorical><Categorical ref=\"c\"><Status code=\"NotApplicable\"/></Categorical>",
    );
    let found = set(&format!("{characters}{tree}<CodedDescriptions>{one}{two}{three}</CodedDescriptions>"));
    assert!(found.0.objects.iter().eq(["one", "two", "two (2)"]));
    assert_eq!(cells(&found, "c"), ["a", "b", "-"]);
    assert_eq!(cells(&found, "d"), ["-", "a|b", "-"]);
    assert_eq!(cells(&found, "q"), ["2..3.5", "4", "?"]);
    assert_eq!(found.0.about[0].cells, ["", "c=b", ""]);
    let lost = found
        .2
        .iter()
        .find_map(|notice| if let Notice::Lost(losses) = notice { Some(losses.words()) } else { None });
    assert_eq!(
        lost.unwrap(),
        "1 text character, 1 modifier such as `rarely`, 2 extreme values, 1 reference to something undefined"
    );
}

#[test]
fn a_stored_key_alone_is_a_table_of_its_steps() {
    let lead = |id: &str, parent: &str, text: &str, taxon: &str| {
        let parent = if parent.is_empty() { String::new() } else { format!("<Parent ref=\"{parent}\"/>") };
        let taxon = if taxon.is_empty() { String::new() } else { format!("<TaxonName ref=\"{taxon}\"/>") };
        format!("<Lead id=\"{id}\">{parent}<Statement>{text}</Statement>{taxon}</Lead>")
    };
    let leads = [
        lead("1", "", "wings", "fly"),
        lead("2", "", "no wings", ""),
        lead("3", "2", "red", "ant"),
        lead("4", "2", "black", "flea"),
    ];
    let found = set(&format!(
        "<IdentificationKeys><IdentificationKey><Leads>{}</Leads></IdentificationKey></IdentificationKeys>",
        leads.concat()
    ));
    assert!(found.0.objects.iter().eq(["fly", "ant", "flea"]));
    assert_eq!(cells(&found, "step 1"), ["wings", "no wings", "no wings"]);
    assert_eq!(cells(&found, "step 2"), ["-", "red", "black"]);
    assert_eq!(found.0.about[0].cells, ["", "step 1=no wings"]);
}
