//! Mutation testing with all mutants in one build.
//!
//! Copies the workspace, weaves every mutant of the folders given into the copy (`weave.rs`), builds the tests of their crates once
//! (`compile.rs`), and then runs, for every mutant, the tests that come by it until one fails (`run.rs`). What no test notices is
//! written to `target/mutants/survivors.txt`.

mod compile;
mod copy;
mod find;
mod run;
mod weave;

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

type Outcome<T> = Result<T, Box<dyn Error>>;

const USAGE: &str = "\
usage: fewest-mutants [OPTION…] FOLDER…

  --tests PACKAGE   run the tests of this package (again for more; default: that of the folders)
  --list            only count the mutants
  --again           only those that survived the last run
  --cases N         random cases of each property, for a first sieve
  --jobs N          tests that run at a time (2)
  --name TEXT       only tests whose binary or name holds this text (again for more)";

/// What was asked for.
#[derive(Default)]
struct Options {
    folders: Vec<String>,
    packages: Vec<String>,
    names: Vec<String>,
    list: bool,
    again: bool,
    cases: Option<String>,
    jobs: usize,
}

/// A mutant as people find it.
pub struct Place {
    file: String,
    line: usize,
    what: String,
    /// The line of source.
    source: String,
}

impl Place {
    /// How a list of survivors names it.
    fn key(&self) -> String {
        format!("{}:{}: {} | {}", self.file, self.line, self.what, self.source)
    }
}

/// A source file whose mutants have numbers from `first` on.
pub struct SourceFile {
    path: String,
    text: String,
    sites: Vec<find::Site>,
    first: u32,
}

fn main() -> Outcome<()> {
    let options = options()?;
    let root = std::env::current_dir()?;
    let work = root.join("target/mutants");
    let tree = work.join("tree");
    let files = sources(&root, &options.folders)?;
    let places = places(&files);
    println!("{} mutants in {} files", places.len(), files.len());
    if options.list {
        return Ok(());
    }
    std::fs::create_dir_all(&work)?;
    let rewritten = files.iter().map(|file| file.path.as_str()).collect();
    copy::copy(&root, &tree, &rewritten)?;
    let build = compile::build(&root, &tree, &files, places.len() as u32, &options.packages)?;
    println!("{} do not compile, {} are left", build.dropped.len(), places.len() - build.dropped.len());

    let mut wanted: Vec<u32> = (0..places.len() as u32).filter(|id| !build.dropped.contains(id)).collect();
    let list = work.join("survivors.txt");
    if options.again {
        let before = std::fs::read_to_string(&list)?;
        let before: BTreeSet<&str> =
            before.lines().map(|line| line.split_once(" # ").map_or(line, |(key, _)| key)).collect();
        wanted.retain(|id| before.contains(places[*id as usize].key().as_str()));
    }
    let runner =
        run::Runner { jobs: options.jobs, cases: options.cases, names: options.names, work: work.clone() };
    let tests = runner.record(&build.binaries)?;
    let verdicts = runner.run_all(&tests, &wanted, &places);
    report(&options.folders, &places, &wanted, &verdicts, &list)
}

fn options() -> Outcome<Options> {
    let mut options = Options { jobs: 2, ..Options::default() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(USAGE);
        match word.as_str() {
            "--tests" => options.packages.push(value()?),
            "--name" => options.names.push(value()?),
            "--cases" => options.cases = Some(value()?),
            "--jobs" => options.jobs = value()?.parse()?,
            "--list" => options.list = true,
            "--again" => options.again = true,
            _ if word.starts_with('-') => return Err(USAGE.into()),
            _ => options.folders.push(word.trim_end_matches('/').to_owned()),
        }
    }
    if options.folders.is_empty() {
        return Err(USAGE.into());
    }
    if options.packages.is_empty() {
        let of: BTreeSet<String> =
            options.folders.iter().map(|folder| package(folder)).collect::<Outcome<_>>()?;
        options.packages = of.into_iter().collect();
    }
    Ok(options)
}

/// The package that a folder belongs to.
fn package(folder: &str) -> Outcome<String> {
    let manifest = format!("{}/Cargo.toml", crate_of(folder));
    let text = std::fs::read_to_string(&manifest).map_err(|error| format!("{manifest}: {error}"))?;
    let name =
        text.lines().find_map(|line| line.strip_prefix("name = ")).ok_or("a package without a name")?;
    Ok(name.trim_matches('"').to_owned())
}

/// The folder of the crate that a path lies in.
fn crate_of(path: &str) -> &str {
    path.split("/src").next().unwrap_or(path)
}

/// The source files of the folders, with their mutants.
fn sources(root: &Path, folders: &[String]) -> Outcome<Vec<SourceFile>> {
    let mut paths = Vec::new();
    for folder in folders {
        gather(root, Path::new(folder), &mut paths)?;
        // A module may have a file of its own beside its folder.
        let beside = PathBuf::from(format!("{folder}.rs"));
        if root.join(&beside).is_file() {
            paths.push(beside);
        }
    }
    let (mut files, mut first) = (Vec::new(), 0);
    for path in paths {
        let text = std::fs::read_to_string(root.join(&path))?;
        let sites = find::sites(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let count: usize = sites.iter().map(|site| site.mutants.len()).sum();
        files.push(SourceFile { path: path.display().to_string(), text, sites, first });
        first += count as u32;
    }
    Ok(files)
}

fn gather(root: &Path, at: &Path, paths: &mut Vec<PathBuf>) -> Outcome<()> {
    if root.join(at).is_file() {
        paths.push(at.to_owned());
        return Ok(());
    }
    let entries = std::fs::read_dir(root.join(at)).map_err(|error| format!("{}: {error}", at.display()))?;
    let mut names: Vec<_> =
        entries.map(|entry| entry.map(|entry| entry.file_name())).collect::<Result<_, _>>()?;
    names.sort();
    for name in names {
        let path = at.join(name);
        if root.join(&path).is_dir() || path.extension().is_some_and(|extension| extension == "rs") {
            gather(root, &path, paths)?;
        }
    }
    Ok(())
}

fn places(files: &[SourceFile]) -> Vec<Place> {
    let mut places = Vec::new();
    for file in files {
        for site in &file.sites {
            let start = file.text[..site.range.start].rfind('\n').map_or(0, |at| at + 1);
            let line = file.text[..site.range.start].matches('\n').count() + 1;
            let column = file.text[start..site.range.start].chars().count() + 1;
            let source = file.text[start..].lines().next().unwrap_or_default().trim().to_owned();
            for mutant in &site.mutants {
                let what =
                    format!("{} at {column}", mutant.what.split_whitespace().collect::<Vec<_>>().join(" "));
                places.push(Place { file: file.path.clone(), line, what, source: source.clone() });
            }
        }
    }
    places
}

/// Prints the counts of each folder and writes the list of survivors.
fn report(
    folders: &[String],
    places: &[Place],
    wanted: &[u32],
    verdicts: &[run::Verdict],
    list: &Path,
) -> Outcome<()> {
    use run::Verdict::{Killed, Survived, TimedOut, Unreached};
    let mut text = String::new();
    for (id, verdict) in wanted.iter().zip(verdicts) {
        let key = places[*id as usize].key();
        match verdict {
            Survived => writeln!(text, "{key}")?,
            Unreached => writeln!(text, "{key} # no test comes by")?,
            Killed | TimedOut => {}
        }
    }
    std::fs::write(list, text)?;
    for folder in folders {
        let count = |verdict| {
            let here = |id: &u32| places[*id as usize].file.starts_with(folder.as_str());
            wanted.iter().zip(verdicts).filter(|(id, found)| here(id) && **found == verdict).count()
        };
        let (killed, late, survived, unreached) =
            (count(Killed), count(TimedOut), count(Survived), count(Unreached));
        let all = killed + late + survived + unreached;
        println!(
            "{folder}: {all} run, {killed} killed by a failing test, {late} by the clock, {survived} survived, {unreached} that no test comes by"
        );
    }
    println!("{}", list.display());
    Ok(())
}
