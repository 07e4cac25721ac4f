//! A source file with all its mutants in it, of which a number from outside switches on one (mutant schemata).
//! [Untch, Offutt, Harrold: Mutation analysis using mutant schemata, 1993].

use crate::find::{Shape, Site};
use std::collections::BTreeSet;
use std::ops::Range;

/// The rewritten text, and where each mutant and each site came to lie in it.
pub struct Woven {
    pub text: String,
    pub mutants: Vec<(Range<usize>, u32)>,
    pub sites: Vec<(Range<usize>, Vec<u32>)>,
}

/// Weaves the sites of a file into its source; mutants are numbered from `first`, and those in `dropped` are left out.
pub fn weave(source: &str, sites: &[Site], first: u32, dropped: &BTreeSet<u32>) -> Woven {
    let mut number = first;
    let mut numbered = Vec::new();
    for site in sites {
        let here: Vec<(u32, &str)> =
            site.mutants.iter().zip(number..).map(|(mutant, id)| (id, mutant.text.as_str())).collect();
        number += here.len() as u32;
        let kept: Vec<(u32, &str)> = here.into_iter().filter(|(id, _)| !dropped.contains(id)).collect();
        if !kept.is_empty() {
            numbered.push((site, kept));
        }
    }
    let woven = Woven { text: String::new(), mutants: Vec::new(), sites: Vec::new() };
    let mut weaver = Weaver { source, sites: &numbered, next: 0, woven };
    weaver.copy(0..source.len());
    weaver.woven
}

struct Weaver<'a> {
    source: &'a str,
    sites: &'a [(&'a Site, Vec<(u32, &'a str)>)],
    next: usize,
    woven: Woven,
}

impl Weaver<'_> {
    /// Copies a part of the source with the sites that lie in it.
    fn copy(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while let Some((site, mutants)) =
            self.sites.get(self.next).filter(|(site, _)| site.range.end <= range.end)
        {
            self.woven.text.push_str(&self.source[at..site.range.start]);
            at = site.range.end;
            self.next += 1;
            let start = self.woven.text.len();
            self.site(site, mutants);
            self.woven
                .sites
                .push((start..self.woven.text.len(), mutants.iter().map(|mutant| mutant.0).collect()));
        }
        self.woven.text.push_str(&self.source[at..range.end]);
    }

    fn site(&mut self, site: &Site, mutants: &[(u32, &str)]) {
        let on = |id: u32| format!("crate::mutant::on({id})");
        match site.shape {
            Shape::Expression => {
                self.woven.text.push('(');
                for &(id, text) in mutants {
                    self.woven.text.push_str(&format!("if {} {{ ", on(id)));
                    self.arm(id, text);
                    self.woven.text.push_str(" } else ");
                }
                self.woven.text.push_str("{ ");
                self.copy(site.range.clone());
                self.woven.text.push_str(" })");
            }
            Shape::Return => {
                for &(id, text) in mutants {
                    self.woven.text.push_str(&format!(" if {} {{ return ", on(id)));
                    self.arm(id, text);
                    self.woven.text.push_str("; }");
                }
            }
            Shape::Statement => {
                self.woven.text.push_str(&format!("if !{} {{ ", on(mutants[0].0)));
                self.copy(site.range.clone());
                self.woven.text.push_str(" }");
            }
            Shape::Arm => self.woven.text.push_str(&format!(" if !{}", on(mutants[0].0))),
        }
    }

    fn arm(&mut self, id: u32, text: &str) {
        let start = self.woven.text.len();
        self.woven.text.push_str(text);
        self.woven.mutants.push((start..self.woven.text.len(), id));
    }
}

/// The switch, a module of every crate that has mutants. A number in the environment switches one on; a file named there is told
/// instead which were come by.
pub fn switch(count: u32) -> String {
    format!(
        r#"
#[doc(hidden)]
#[allow(missing_docs)]
pub mod mutant {{
    use std::sync::atomic::{{AtomicBool, AtomicU32, Ordering::Relaxed}};
    const UNREAD: u32 = u32::MAX;
    const RECORD: u32 = u32::MAX - 1;
    static ACTIVE: AtomicU32 = AtomicU32::new(UNREAD);
    static SEEN: [AtomicBool; {count}] = [const {{ AtomicBool::new(false) }}; {count}];

    #[inline(always)]
    pub fn on(id: u32) -> bool {{
        let active = ACTIVE.load(Relaxed);
        active == id || (active >= RECORD && look(id))
    }}

    #[cold]
    fn look(id: u32) -> bool {{
        if ACTIVE.load(Relaxed) == UNREAD {{
            let number = std::env::var("FEWEST_MUTANT").ok().and_then(|text| text.parse().ok());
            ACTIVE.store(number.unwrap_or(RECORD), Relaxed);
            return on(id);
        }}
        if !SEEN[id as usize].load(Relaxed) && !SEEN[id as usize].swap(true, Relaxed) {{
            use std::io::Write;
            if let Some(path) = std::env::var_os("FEWEST_MUTANTS_SEEN") {{
                let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).expect("a file for the record");
                file.write_all(format!("{{id}}\n").as_bytes()).expect("a record");
            }}
        }}
        false
    }}
}}
"#
    )
}
