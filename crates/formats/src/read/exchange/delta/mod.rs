//! DELTA: directives about characters and items, usually in several files of one folder.

mod cells;
mod characters;
mod directives;
mod items;
mod markup;

use super::super::{Notice, Problem, ReadOptions};
use super::matrix::{
    Matrix, Object, Test, clean, count_further_pictures, join_premises, premise, refuse_large, words,
};
use super::{Files, Found, Kind, kind_of};
use crate::loss::{Loss, Losses};
use crate::texts::Text;
use characters::{Character, Type};
use directives::Directive;
use items::Item;
use markup::{Marked, marked, short_names};

const FORMAT: &str = "DELTA";
const OBJECT: &str = "taxon";
/// Base of priors by abundance.
const ABUNDANCE_BASE: f64 = 2.0;

/// Reads the files of a data set; files of other kinds are passed over.
pub(super) fn read(files: Files, options: &ReadOptions) -> Result<Found, Problem> {
    let (directives, is_guessed) = all_directives(files)?;
    let mut losses = Losses::default();
    let count = character_count(&directives)?;
    let mut list = characters::read(&directives, count, OBJECT);
    let descriptions = directives.iter().filter(|directive| directive.name == "ITEM DESCRIPTIONS");
    let items: Vec<Item> =
        descriptions.flat_map(|directive| items::read(&directive.text, count, &mut losses)).collect();
    if items.is_empty() {
        return Err(super::broken(
            FORMAT,
            "there is no ITEM DESCRIPTIONS; give the folder with all files, or a zip of it",
        ));
    }
    refuse_large(items.len(), count, options)?;
    let mut matrix = Matrix { format: FORMAT, object_column: OBJECT.to_owned(), ..Matrix::default() };
    let names: Vec<Marked> = items.iter().map(|item| marked(&item.name)).collect();
    let short: Vec<String> = short_names(&names).into_iter().map(str::to_owned).collect();
    matrix.objects = short.into_iter().map(|name| Object { name, ..Object::default() }).collect();
    matrix.name_objects();
    of_items(&directives, &names, &mut matrix, &mut losses);
    let table = cells::table(&list, &items, &mut losses);
    for (at, character) in list.iter_mut().enumerate() {
        let is_text = character.kind == Type::Text;
        let is_grouped = !character.groups.is_empty() || !character.ranges.is_empty();
        losses.add(Loss::TextCharacter, usize::from(is_text));
        losses.add(Loss::Excluded, usize::from(!is_text && character.is_excluded));
        losses.add(Loss::Grouped, usize::from(!is_text && is_grouped));
        character.is_excluded |= is_text;
        if character.is_excluded {
            continue;
        }
        let mut test = Test { name: character.name.clone(), cost: character.cost, ..Test::default() };
        table.iter().for_each(|row| test.cells.push(&row[at]));
        matrix.tests.push(test);
    }
    premises(&list, &mut matrix, &mut losses);
    list.iter()
        .filter(|character| !character.is_excluded)
        .for_each(|character| tell(character, &mut matrix, &mut losses));
    losses.add(
        Loss::Weight,
        usize::from(directives.iter().any(|directive| directive.name == "CHARACTER WEIGHTS")),
    );
    matrix.losses = losses;
    let (table, texts, mut notices) = matrix.finish(options)?;
    if is_guessed {
        notices.insert(0, Notice::Windows1252);
    }
    Ok((table, texts, notices))
}

/// Directives of all files, and whether some were taken for Windows-1252. Of the files that translate the data, only
/// the one for keys counts: others leave characters out for other ends.
fn all_directives(files: Files) -> Result<(Vec<Directive>, bool), Problem> {
    let (mut found, mut is_guessed) = (Vec::new(), false);
    for (name, bytes) in files {
        if kind_of(&bytes[..bytes.len().min(super::identify::HEAD)]) != Some(Kind::Delta) {
            continue;
        }
        let (text, guessed) = super::text(&bytes)?;
        let directives = directives::of_text(&text);
        let translates = directives.iter().any(|directive| directive.name.starts_with("TRANSLATE"));
        let for_keys = directives.iter().any(|directive| directive.name == "TRANSLATE INTO KEY FORMAT");
        let has_data = directives.iter().any(|directive| directive.name == "ITEM DESCRIPTIONS");
        if translates && !for_keys && !has_data && !name.is_empty() {
            continue;
        }
        is_guessed |= guessed;
        found.extend(directives);
    }
    Ok((found, is_guessed))
}

/// Number of characters: that of the directive, else the highest number in the list.
fn character_count(directives: &[Directive]) -> Result<usize, Problem> {
    let of = |name: &'static str| directives.iter().filter(move |directive| directive.name == name);
    if let Some(directive) = of("NUMBER OF CHARACTERS").next() {
        return directives::count(&directive.text);
    }
    let listed = of("CHARACTER LIST").flat_map(|directive| directives::entries(&directive.text));
    let most = listed.map(|(number, _)| number).filter(|number| *number <= 1_000_000).max();
    most.ok_or_else(|| {
        super::broken(FORMAT, "there is no CHARACTER LIST; give the folder with all files, or a zip of it")
    })
}

/// Adds what directives say of items: headings as groups, abundances as priors, pictures, and comments of names.
fn of_items(directives: &[Directive], names: &[Marked], matrix: &mut Matrix, losses: &mut Losses) {
    let count = matrix.objects.len();
    for Directive { name, text } in directives {
        match name.as_str() {
            "ITEM ABUNDANCES" => {
                for (number, value) in directives::pairs(text, count) {
                    let abundance = value.parse::<f64>().ok().filter(|value| (0.0..=100.0).contains(value));
                    matrix.objects[number - 1].prior =
                        abundance.map(|value| ABUNDANCE_BASE.powf(value - 5.0));
                }
            }
            "ITEM HEADINGS" => {
                for (number, text) in directives::entries(text) {
                    let heading = marked(&text[..markup::end_of_text(text).unwrap_or(text.len())]).plain;
                    let from = number.max(1) - 1;
                    matrix
                        .objects
                        .iter_mut()
                        .skip(from)
                        .for_each(|object| object.group = Some(heading.clone()));
                }
            }
            "TAXON IMAGES" => pictures_of_items(text, matrix, losses),
            "EXCLUDE ITEMS" => losses.add(Loss::Part, 1),
            _ => {}
        }
    }
    if matrix.objects.iter().any(|object| object.prior.is_some()) {
        matrix.objects.iter_mut().for_each(|object| _ = object.prior.get_or_insert(1.0));
    }
    for (object, name) in matrix.objects.iter().zip(names) {
        if object.name != name.full && !name.comments.is_empty() {
            matrix.texts.object_mut(&object.name).label = words(&name.full);
        }
    }
}

/// Pictures in entries such as `# name/ a.jpg <…> b.jpg`.
fn pictures_of_items(text: &str, matrix: &mut Matrix, losses: &mut Losses) {
    for entry in text.split("\n#").map(|entry| entry.trim_start().trim_start_matches('#')) {
        let Some(end) = markup::end_of_text(entry) else { continue };
        let name = marked(&entry[..end]);
        let pictures = characters::pictures(&entry[end + 1..]);
        let found = matrix.objects.iter().find(|object| [&name.plain, &name.full].contains(&&object.name));
        match found.map(|object| object.name.clone()).zip(pictures.first().cloned()) {
            Some((object, picture)) => {
                matrix.texts.object_mut(&object).image = picture;
                count_further_pictures(losses, pictures.len());
            }
            None => losses.add(Loss::TextOfNothing, 1),
        }
    }
}

/// Adds rules of applicability: a character is asked once the others have states that leave it applicable.
fn premises(list: &[Character], matrix: &mut Matrix, losses: &mut Losses) {
    let kept = list.iter().filter(|character| !character.is_excluded);
    for (test, character) in matrix.tests.iter_mut().zip(kept) {
        for (controlling, states) in &character.inapplicable {
            let controlling = &list[controlling - 1];
            let allowed = cells::answers_without(controlling, states);
            let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
            let premise = premise(&controlling.name, &allowed).filter(|_| !controlling.is_excluded);
            match premise {
                Some(premise) => join_premises(&mut test.premise, &premise),
                None => losses.add(Loss::Rule, 1),
            }
        }
    }
}

/// Adds the texts of a character and of its states.
fn tell(character: &Character, matrix: &mut Matrix, losses: &mut Losses) {
    let mut text = Text::default();
    let mut help: Vec<String> = character.feature.comments.clone();
    if character.name == character.feature.full {
        help.clear();
    }
    help.extend(Some(character.notes.clone()).filter(|notes| !notes.is_empty()));
    text.help = words(&help.join(". "));
    if !character.unit.is_empty() {
        text.label = words(&format!("{} ({})", character.name, clean(&character.unit)));
    }
    text.image = character.pictures.first().cloned().unwrap_or_default();
    count_further_pictures(losses, character.pictures.iter().filter(|name| name.contains('.')).count());
    *matrix.texts.test_mut(&character.name) = text;
    if character.groups.is_empty() {
        for (state, words_of) in character.states.iter().zip(&character.state_texts) {
            if !words_of.comments.is_empty() && *state != words_of.full {
                matrix.texts.answer_mut(&character.name, state).help = words(&words_of.comments.join(". "));
            }
        }
    }
}

#[cfg(test)]
mod tests;
