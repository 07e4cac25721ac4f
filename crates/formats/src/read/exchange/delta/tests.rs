//! Tests of the reader.

use super::*;

const SPECS: &str = "*SHOW x\n*NUMBER OF CHARACTERS 5\n*CHARACTER TYPES 1,TE 3,OM 4,RN\n*NUMBERS OF STATES 3,3\n\
    *IMPLICIT VALUES 2,2\n*DEPENDENT CHARACTERS 2,1:3\n";
const CHARS: &str = "*SHOW x\n*CHARACTER LIST\n#1. notes/\n#2. wings <presence>/\n 1. absent/\n 2. present <<implicit>>/\n\
    #3. wing <shape>/\n 1. short/\n 2. long <longer than the body>/\n 3. very long/\n#4. length/\n mm/\n\
    #5. wings <colour>/\n 1. red/\n 2. blue/\n";
const ITEMS: &str = "*SHOW x\n*ITEM DESCRIPTIONS\n# \\i{}Formica\\i0{} <L.>/\n1<red, 2> 2,1 4,(1-)2-3\n# Apis/\n3,1-2 4,12 5,1&2\n\
    #+ drone/\n3,3\n# Musca/\n3,V 4,U 5,2/9\n";

fn read_all(files: &[(&str, &str)]) -> Found {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    read(files.collect(), &ReadOptions::default()).unwrap()
}

fn cells(found: &Found, test: &str) -> Vec<String> {
    let column = found.0.column(test).unwrap();
    column.codes.iter().map(|code| column.labels.get(code as usize).to_owned()).collect()
}

fn about<'a>(found: &'a Found, what: &str) -> Option<Vec<&'a str>> {
    let row = found.0.about.iter().find(|about| about.what == what)?;
    Some(row.cells.iter().map(String::as_str).collect())
}

#[test]
fn items_become_objects_and_rules_make_cells_inapplicable() {
    let found = read_all(&[("chars", CHARS), ("items", ITEMS), ("specs", SPECS)]);
    assert!(found.0.objects.iter().eq(["Formica", "Apis", "drone", "Musca"]));
    assert_eq!(cells(&found, "wings (presence)"), ["absent", "present", "present", "present"]);
    assert_eq!(cells(&found, "wing"), ["-", "short|long", "very long", "*"]);
    assert_eq!(cells(&found, "length"), ["2..3", "12", "12", "?"]);
    assert_eq!(cells(&found, "wings (colour)"), ["?", "red|blue", "red|blue", "blue"]);
    assert_eq!(about(&found, "if").unwrap(), ["", "wings (presence)=present", "", ""]);
    assert_eq!(found.1.answer("wing", "long").unwrap().help.get(""), Some("longer than the body"));
    assert_eq!(found.1.test("length").unwrap().label.get(""), Some("length (mm)"));
    let lost = found
        .2
        .iter()
        .find_map(|notice| if let Notice::Lost(losses) = notice { Some(losses.words()) } else { None });
    assert_eq!(
        lost.unwrap(),
        "1 text character, 1 comment, 1 extreme value, 2 lists of answers given together, read as `or`, \
         1 value that cannot be understood"
    );
}

#[test]
fn directives_for_keys_give_costs_and_groups_and_others_nothing() {
    let key = "*SHOW x\n*TRANSLATE INTO KEY FORMAT\n*EXCLUDE CHARACTERS 5\n*CHARACTER RELIABILITIES 2,5 3,10\n\
        *KEY STATES 3,1-2/3 4,~3/3-10/10~\n*ITEM ABUNDANCES 2,6\n";
    let prose = "*SHOW x\n*TRANSLATE INTO NATURAL LANGUAGE\n*EXCLUDE CHARACTERS 2-4\n";
    let found =
        read_all(&[("chars", CHARS), ("items", ITEMS), ("specs", SPECS), ("tokey", key), ("tonat", prose)]);
    assert_eq!(cells(&found, "wing"), ["-", "short / long", "very long", "*"]);
    assert_eq!(cells(&found, "length"), ["up to 3|3 to 10", "10 or more", "10 or more", "?"]);
    assert_eq!(cells(&found, "prior"), ["1", "2", "1", "1"]);
    assert_eq!(about(&found, "cost").unwrap(), ["", "1", "0.1859", ""]);
    assert!(found.0.column("wings (colour)").is_none(), "the key excludes it");
}

#[test]
fn cycles_of_rules_come_to_an_end() {
    let specs = SPECS.replace("2,1:3", "2,1:3 3,1:2 3,1-3:5 5,1:3");
    let found = read_all(&[("chars", CHARS), ("items", ITEMS), ("specs", &specs)]);
    assert_eq!(found.0.objects.len(), 4);
}

#[test]
fn old_letters_are_read() {
    let items = [&b"*SHOW x\n*ITEM DESCRIPTIONS\n# Londo\xF1o/ 2,1\n# b/ 2,2\n"[..], b""].concat();
    let files = [("a".to_owned(), items), ("b".to_owned(), CHARS.as_bytes().to_vec())];
    let (table, _, notices) = read(files.into_iter().collect(), &ReadOptions::default()).unwrap();
    assert_eq!(table.objects.get(0), "Londoño");
    assert_eq!(notices[0], Notice::Windows1252);
}
