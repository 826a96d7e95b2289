//! One client: what its file says, and what follows from that.

use std::collections::{BTreeMap, BTreeSet};

use tvm_ffi_reports::audit::{Client, ClientKind, Embedded, Links, Need};
use tvm_ffi_spec::{
    abi::abi,
    generation::{Generation, generations},
    part::{Kind, Part},
};

use super::{
    embedded, legacy,
    names::{is_of_the_library, readable},
};
use crate::target::{
    self,
    archive::{self, is_archive},
    linkage::{self, Form, Linkage},
    offered::{self, CONTEXT},
};

/// Libraries of the system, which have nothing of ours: how their names begin.
const SYSTEM: [&str; 12] = [
    "libc.",
    "libm.",
    "libdl.",
    "librt.",
    "libpthread.",
    "libutil.",
    "libgcc_s.",
    "libstdc++.",
    "libc++",
    "ld-linux",
    "ld-musl",
    "linux-vdso.",
];

/// A client as its file shows it.
pub struct Looked {
    file: String,
    member: Option<String>,
    sha256: String,
    kind: ClientKind,
    architecture: String,
    linkage: Linkage,
    embedded: Option<Embedded>,
}

impl Looked {
    /// Looks at a library, an object file, or an archive of these.
    ///
    /// # Errors
    /// Why it cannot be read, in words that follow its name.
    pub fn at(file: &str, member: Option<&str>, bytes: &[u8]) -> Result<Self, String> {
        let embedded = |bytes| linkage::bytes_from(bytes, offered::EMBEDDED).map(embedded::read);
        let (kind, architecture, linkage, embedded) = if is_archive(bytes) {
            let objects = archive::objects(bytes)?;
            let parts = objects.iter().map(|object| Linkage::of(*object)).collect::<Result<Vec<_>, _>>()?;
            let architecture = parts.first().map(|part| part.architecture.clone()).unwrap_or_default();
            let embedded = objects.iter().find_map(|object| embedded(object));
            (ClientKind::Archive, architecture, Linkage::together(parts), embedded)
        } else {
            let linkage = Linkage::of(bytes)?;
            let kind = match linkage.form {
                Form::Object => ClientKind::Object,
                Form::SharedLibrary => ClientKind::SharedLibrary,
                Form::Program => ClientKind::Program,
            };
            if kind != ClientKind::Object && linkage.lacks_sections {
                return Err("has no table of sections, without which its symbols are not found".to_owned());
            }
            (kind, linkage.architecture.clone(), linkage, embedded(bytes))
        };
        let (file, member) = (file.to_owned(), member.map(str::to_owned));
        Ok(Self { file, member, sha256: target::sha256(bytes), kind, architecture, linkage, embedded })
    }

    fn place(&self) -> &str {
        self.member.as_ref().unwrap_or(&self.file)
    }

    /// Whether it names the library among those to be loaded with it; wheels may have it under a name with a hash.
    fn names_the_library(&self) -> bool {
        self.linkage.needed.iter().any(|name| is_the_library(name))
    }
}

/// The generation of the ABI, none of today's, that has a function.
pub fn older_generation(symbol: &str) -> Option<String> {
    let has = |each: &&Generation| !each.is_today() && each.functions.iter().any(|function| function.name == symbol);
    generations().iter().find(has).map(|each| each.name.clone())
}

/// What a library of a release would have of the C ABI and these symbols have not; and what they have that no release has.
fn of_another_time(symbols: &[String]) -> (Vec<String>, Vec<String>) {
    let parts = abi().parts().into_iter().filter(|part| part.kind == Kind::Function);
    let parts: Vec<_> = parts.collect();
    let everywhere = |part: &&Part| abi().releases.iter().all(|release| abi().has(&release.name, part));
    let lacks = parts.iter().filter(everywhere).map(|part| &part.name).filter(|name| !symbols.contains(name));
    let is_stranger = |name: &&String| name.starts_with("TVMFFI") && parts.iter().all(|part| part.name != **name);
    (lacks.cloned().collect(), symbols.iter().filter(is_stranger).cloned().collect())
}

fn is_the_library(name: &str) -> bool {
    name.strip_prefix("libtvm_ffi").is_some_and(|rest| rest.starts_with(".so") || rest.starts_with('-'))
}

/// What follows from all that was looked at; `has` are the symbols of the library that clients are held against.
pub fn described(looked: &[Looked], has: Option<&[String]>) -> Vec<Client> {
    let parts = abi().parts().into_iter().filter(|part| [Kind::Function, Kind::CxxSymbol].contains(&part.kind));
    let parts: BTreeMap<_, _> = parts.map(|part| (part.name.clone(), part)).collect();
    let mut defined = BTreeMap::new();
    let mut sonames = BTreeSet::new();
    for each in looked {
        for symbol in each.linkage.symbols.iter().filter(|symbol| is_of_the_library(symbol)) {
            defined.entry(symbol.as_str()).or_insert_with(|| each.place().to_owned());
        }
        sonames.insert(each.place().rsplit('/').next().unwrap_or_default());
        sonames.extend(each.linkage.soname.as_deref());
    }
    let has = has.map(|symbols| symbols.iter().map(String::as_str).collect());
    let known = Known { parts, defined, sonames, has };
    looked.iter().map(|each| known.describe(each)).collect()
}

/// What is known beside a client.
struct Known<'a> {
    /// What releases have, by symbol.
    parts: BTreeMap<String, Part>,
    /// Which of the files that were looked at defines a symbol.
    defined: BTreeMap<&'a str, String>,
    /// The names of these files, for linkers and on disk.
    sonames: BTreeSet<&'a str>,
    /// The symbols of the library that clients are held against.
    has: Option<BTreeSet<&'a str>>,
}

impl Known<'_> {
    fn describe(&self, looked: &Looked) -> Client {
        let Linkage { wanted, weak, symbols, .. } = &looked.linkage;
        let symbols_needed =
            wanted.iter().map(|symbol| (symbol, false)).chain(weak.iter().map(|symbol| (symbol, true)));
        let mut needs: Vec<_> = symbols_needed
            .filter(|(symbol, _)| is_of_the_library(symbol))
            .map(|(symbol, weak)| self.need(looked, symbol, weak))
            .collect();
        needs.sort_by(|one, other| (one.is_cxx(), &one.symbol).cmp(&(other.is_cxx(), &other.symbol)));
        let releases = self.releases(&needs);
        let defines: Vec<_> =
            abi().functions.iter().map(|each| &each.name).filter(|name| symbols.contains(name)).cloned().collect();
        let (lacks, strangers) = if defines.is_empty() { Default::default() } else { of_another_time(symbols) };
        let links = if !defines.is_empty() {
            Links::Itself
        } else if looked.names_the_library() {
            Links::Named
        } else if needs.is_empty() {
            Links::Not
        } else if matches!(looked.kind, ClientKind::Object | ClientKind::Archive) {
            Links::Later
        } else {
            Links::Process
        };
        let (functions, strays) = offered::offered(symbols);
        Client {
            file: looked.file.clone(),
            member: looked.member.clone(),
            sha256: looked.sha256.clone(),
            kind: looked.kind,
            architecture: looked.architecture.clone(),
            links,
            run_path: looked.linkage.run_path.clone(),
            oldest: releases.first().cloned(),
            newest: releases.last().cloned(),
            needs,
            releases,
            defines,
            lacks,
            strangers,
            functions,
            strays,
            context: symbols.iter().any(|symbol| symbol == CONTEXT),
            embedded: looked.embedded.clone(),
            legacy: legacy::spoken_by(&looked.linkage),
        }
    }

    fn need(&self, looked: &Looked, symbol: &str, weak: bool) -> Need {
        let part = self.parts.get(symbol);
        let defined_by = self.defined.get(symbol).filter(|_| part.is_none()).cloned();
        Need {
            symbol: symbol.to_owned(),
            name: readable(symbol),
            weak,
            since: part.map(|part| part.since.clone()),
            until: part.and_then(|part| part.until.clone()),
            elsewhere: part.is_none() && defined_by.is_none() && self.may_be_elsewhere(looked, symbol),
            defined_by,
            generation: part.is_none().then(|| older_generation(symbol)).flatten(),
            has: self.has.as_ref().map(|has| has.contains(symbol)),
        }
    }

    /// Whether a symbol that no release has may be another library's: the client names one that was not looked at, or does not
    /// say where its C++ comes from.
    fn may_be_elsewhere(&self, looked: &Looked, symbol: &str) -> bool {
        let is_system = |name: &str| SYSTEM.iter().any(|prefix| name.starts_with(prefix));
        let is_other =
            |name: &String| !is_system(name) && !is_the_library(name) && !self.sonames.contains(name.as_str());
        let unsaid = symbol.starts_with("_Z") && !looked.names_the_library();
        unsaid || looked.linkage.needed.iter().any(is_other)
    }

    /// The releases that have all that is needed.
    fn releases(&self, needs: &[Need]) -> Vec<String> {
        let required: Vec<_> =
            needs.iter().filter(|need| !need.weak && need.defined_by.is_none() && !need.elsewhere).collect();
        let has =
            |release: &str, need: &Need| self.parts.get(&need.symbol).is_some_and(|part| abi().has(release, part));
        let names = abi().releases.iter().map(|release| &release.name);
        names.filter(|release| required.iter().all(|need| has(release, need))).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_may_have_a_hash_in_its_name() {
        assert!(is_the_library("libtvm_ffi.so") && is_the_library("libtvm_ffi-1a2b3c4d.so.0"));
        assert!(!is_the_library("libtvm_ffi_testing.so"));
    }
}
