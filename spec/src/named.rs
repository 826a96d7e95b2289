//! Everything in the specification that has a name: what it is, what is known of it, and the clauses about it.

use crate::{
    abi::{
        self, Abi, Attribute, Capability, Constant, CxxSymbol, Enum, Field, Former, Function, Global, ReflectedField,
        ReflectedMethod, Release, Struct, Type, Typedef, abi,
    },
    clause::{self, Area, Clause},
    layer::Layer,
    part::Kind,
    promise,
};

/// What has a name, as the specification has it.
#[derive(Clone, Copy, Debug)]
pub enum Thing {
    /// An exported function.
    Function(&'static Function),
    /// Another name for a C type.
    Typedef(&'static Typedef),
    /// A public struct.
    Struct(&'static Struct),
    /// A field of a struct; where it is a union without a name, it has none either.
    Field(&'static Field),
    /// A group of constants.
    Enumeration(&'static Enum),
    /// A constant.
    Constant(&'static Constant),
    /// A type that libraries have registered.
    Type(&'static Type),
    /// A field of a registered type that reflection knows of.
    ReflectedField(&'static ReflectedField),
    /// A method of a registered type.
    Method(&'static ReflectedMethod),
    /// A column of attributes of types.
    Attribute(&'static Attribute),
    /// A global function.
    Global(&'static Global),
    /// A C++ symbol.
    CxxSymbol(&'static CxxSymbol),
    /// A capability.
    Capability(&'static Capability),
    /// An area of clauses.
    Area(&'static Area),
    /// A public release.
    Release(&'static Release),
}

impl Thing {
    /// What it is, in a word or two.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Function(_) => "function",
            Self::Typedef(_) => "typedef",
            Self::Struct(_) => "struct",
            Self::Field(_) => "field",
            Self::Enumeration(_) => "enumeration",
            Self::Constant(_) => "constant",
            Self::Type(_) => "type",
            Self::ReflectedField(_) => "reflected field",
            Self::Method(_) => "method",
            Self::Attribute(_) => "attribute",
            Self::Global(_) => "global function",
            Self::CxxSymbol(_) => "C++ symbol",
            Self::Capability(_) => "capability",
            Self::Area(_) => "area",
            Self::Release(_) => "release",
        }
    }
}

/// Something that has a name, and what is known of it.
pub struct Entry {
    /// What it is.
    pub thing: Thing,
    /// Its name, then those that it goes by besides: earlier ones, and that of its area.
    pub names: Vec<String>,
    /// What is said of it.
    pub doc: String,
    /// What is known of it: what each fact is, and the fact.
    pub facts: Vec<(&'static str, String)>,
    /// Tells the clauses about it.
    about: Box<dyn Fn(&Clause) -> bool>,
}

impl Entry {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.names[0]
    }

    /// What is said of it, or else how it is declared.
    #[must_use]
    pub fn told(&self) -> &str {
        let declared = |(fact, _): &&(&str, String)| ["signature", "declared"].contains(fact);
        let declared = || self.facts.iter().find(declared).map_or("", |(_, value)| value);
        if self.doc.is_empty() { declared() } else { &self.doc }
    }

    /// The clauses about it, in the order of the specification.
    pub fn clauses(&self) -> impl Iterator<Item = &'static Clause> {
        clause::clauses().filter(|clause| (self.about)(clause))
    }

    /// One about which the clauses are that mention its name.
    fn new(thing: Thing, name: &str, doc: &str, facts: Vec<(&'static str, String)>) -> Self {
        let mentioned = name.to_owned();
        let about = Box::new(move |clause: &Clause| is_about(clause, &mentioned));
        Self { thing, names: vec![name.to_owned()], doc: doc.to_owned(), facts, about }
    }

    fn about(self, about: impl Fn(&Clause) -> bool + 'static) -> Self {
        Self { about: Box::new(about), ..self }
    }

    fn also(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.names.extend(names);
        self
    }

    fn with(mut self, fact: &'static str, value: Option<String>) -> Self {
        self.facts.extend(value.filter(|value| !value.is_empty()).map(|value| (fact, value)));
        self
    }

    /// With what is known of it as a part of a library.
    fn part(self, kind: Kind) -> Self {
        let abi = abi();
        let Some(part) = abi.parts().into_iter().find(|part| part.kind == kind && part.name == self.name()) else {
            return self;
        };
        let until = part.until.as_ref().map(|until| format!(", until {until}")).unwrap_or_default();
        let shown: Vec<_> =
            abi.capabilities.iter().filter(|each| each.is_shown_by(&part)).map(|each| &*each.name).collect();
        let layer = Layer::of_part(&part).as_str().to_owned();
        self.with("releases", Some(format!("since {}{until}", part.since)))
            .with("layer", Some(layer))
            .with("capability", Some(shown.join(", ")))
    }
}

/// Everything that has a name but clauses and checks: what libraries have, then areas, capabilities and releases.
#[must_use]
pub fn entries() -> Vec<Entry> {
    let abi = abi();
    let mut entries = Vec::new();
    entries.extend(abi.functions.iter().map(function));
    entries.extend(abi.typedefs.iter().map(|each| {
        let facts = vec![("stands for", each.ty.clone()), ("header", header(&each.header)), since(&each.since)];
        Entry::new(Thing::Typedef(each), &each.name, &each.doc, facts)
    }));
    for each in &abi.structs {
        entries.push(structure(each));
        entries.extend(each.fields.iter().map(|field| member(each, field)));
    }
    for group in &abi.enums {
        entries.push(enumeration(group));
        entries.extend(group.constants.iter().map(|each| constant(group, each)));
    }
    for each in &abi.types {
        entries.push(registered_type(each));
        entries.extend(reflected(each));
    }
    entries.extend(abi.attributes.iter().map(|each| {
        let types: Vec<_> = each.entries.iter().map(|entry| &*entry.type_key).collect();
        Entry::new(Thing::Attribute(each), &each.name, "", Vec::new())
            .with("types", Some(types.join(", ")))
            .part(Kind::Attribute)
    }));
    entries.extend(abi.globals.iter().map(global));
    entries.extend(abi.cxx_symbols.iter().map(cxx_symbol));
    entries.extend(abi.capabilities.iter().map(capability));
    entries.extend(clause::area_names().zip(clause::areas()).map(|(name, each)| area(name, each)));
    entries.extend(abi.releases.iter().map(|each| release(abi, each)));
    entries
}

fn function(each: &'static Function) -> Entry {
    let facts = vec![("signature", each.declaration()), ("header", header(&each.header))];
    let entry = Entry::new(Thing::Function(each), &each.name, &each.doc, facts).part(Kind::Function);
    // What is always there belongs to a capability that nothing shows.
    let named = entry.facts.iter().any(|(fact, _)| *fact == "capability");
    if named { entry } else { entry.with("capability", Some(each.capability.clone())) }
}

fn structure(each: &'static Struct) -> Entry {
    let mut facts = vec![
        ("size", abi::on_both(each.size)),
        ("alignment", abi::on_both(each.align)),
        ("header", header(&each.header)),
        since(&each.since),
    ];
    facts.extend(formerly(&each.formerly));
    let field =
        |field: &Field| format!("{} (at {})", abi::declarator(&field.ty, &field.name), abi::on_both(field.offset));
    facts.extend(each.fields.iter().enumerate().map(|(n, each)| (if n == 0 { "fields" } else { "" }, field(each))));
    Entry::new(Thing::Struct(each), &each.name, &each.doc, facts)
}

/// A field of a struct. The clauses about it mention both, or the field alone where no other has its name and no word is like
/// it.
fn member(of: &'static Struct, each: &'static Field) -> Entry {
    let mut facts = vec![
        ("belongs to", of.name.clone()),
        ("declared", abi::declarator(&each.ty, &each.name)),
        ("offset", abi::on_both(each.offset)),
        ("size", abi::on_both(each.size)),
        since(each.since.as_ref().unwrap_or(&of.since)),
    ];
    facts.extend(formerly(&each.formerly));
    let earlier = each.formerly.iter().filter_map(|former| former.name.as_ref());
    let earlier: Vec<_> = earlier.map(|name| format!("{}.{name}", of.name)).collect();
    let (structure, field) = (of.name.clone(), each.name.clone());
    let of_that_name = abi().structs.iter().flat_map(|each| &each.fields).filter(|other| other.name == field);
    let is_telling = field.contains('_') && of_that_name.count() == 1;
    Entry::new(Thing::Field(each), &format!("{}.{}", of.name, each.name), &each.doc, facts).also(earlier).about(
        move |clause| {
            let of_both = || mentions(&clause.text, &field) && is_about(clause, &structure);
            of_both() || is_telling && is_about(clause, &field)
        },
    )
}

fn enumeration(group: &'static Enum) -> Entry {
    let value = |each: &Constant| format!("{} = {}", each.name, each.value);
    let mut facts = vec![("header", header(&group.header))];
    let constants = group.constants.iter().enumerate();
    facts.extend(constants.map(|(n, each)| (if n == 0 { "constants" } else { "" }, value(each))));
    let names: Vec<_> = group.constants.iter().map(|each| each.name.clone()).chain([group.name.clone()]).collect();
    Entry::new(Thing::Enumeration(group), &group.name, &group.doc, facts)
        .about(move |clause| names.iter().any(|name| is_about(clause, name)))
}

fn constant(group: &Enum, each: &'static Constant) -> Entry {
    let mut facts = vec![("value", each.value.to_string()), ("belongs to", group.name.clone())];
    facts.extend(formerly(&each.formerly));
    let entry = Entry::new(Thing::Constant(each), &each.name, &each.doc, facts)
        .also(each.formerly.iter().filter_map(|former| former.name.clone()))
        .part(Kind::Constant);
    // Of the constants only indices of types are parts that a library has.
    let dated = entry.facts.iter().any(|(fact, _)| *fact == "releases");
    if dated { entry } else { entry.with("releases", Some(since(&each.since).1)) }
}

fn registered_type(each: &'static Type) -> Entry {
    let index = each.index.map_or("given at run time, from 128 on".to_owned(), |index| index.to_string());
    let mut facts = vec![("index", index), ("key hash", format!("{:#018x}", each.key_hash))];
    let names = |names: Vec<&str>| Some(names.join(", "));
    let constants: Vec<_> = abi().constants_of(each).map(|constant| constant.name.clone()).collect();
    let size = each.metadata.as_ref().map(|metadata| format!("{} bytes", metadata.size));
    facts.extend(size.map(|size| ("size", size)));
    let mentioned: Vec<_> = constants.iter().cloned().chain([each.key.clone()]).collect();
    Entry::new(Thing::Type(each), &each.key, "", facts)
        .with("constant", Some(constants.join(", ")))
        .with("ancestors", Some(each.ancestors.join(", ")))
        .with("fields", names(each.fields.iter().map(|field| &*field.name).collect()))
        .with("methods", names(each.methods.iter().map(|method| &*method.name).collect()))
        .part(Kind::Type)
        .about(move |clause| mentioned.iter().any(|name| is_about(clause, name)))
}

/// The fields and methods of a type that reflection knows of.
fn reflected(of: &'static Type) -> Vec<Entry> {
    let about = |entry: Entry, member: &str| {
        let (key, member) = (of.key.clone(), member.to_owned());
        entry.about(move |clause| is_about(clause, &key) && mentions(&clause.text, &member))
    };
    let fields = of.fields.iter().map(|field| {
        let facts = vec![("offset", field.offset.to_string()), ("size", field.size.to_string())];
        let facts = facts.into_iter().chain([("metadata", field.metadata.clone())]).collect();
        let entry = Entry::new(Thing::ReflectedField(field), &format!("{}.{}", of.key, field.name), &field.doc, facts);
        about(entry.part(Kind::Field), &field.name)
    });
    let methods = of.methods.iter().map(|method| {
        let facts = vec![("metadata", method.metadata.clone())];
        let entry = Entry::new(Thing::Method(method), &format!("{}.{}", of.key, method.name), &method.doc, facts);
        about(entry.part(Kind::Method), &method.name)
    });
    fields.chain(methods).collect()
}

fn global(each: &'static Global) -> Entry {
    let facts = vec![("signature", each.signature.clone()), ("metadata", each.metadata.clone())];
    Entry::new(Thing::Global(each), &each.name, "", facts).part(Kind::Global)
}

/// A C++ symbol, which also goes by the name that it has in C++.
fn cxx_symbol(each: &'static CxxSymbol) -> Entry {
    let declared = each.declaration.split('(').next().unwrap_or_default();
    let in_cxx = declared.rsplit(' ').next().unwrap_or(declared).to_owned();
    let facts = vec![("declared", format!("{} in tvm::ffi", each.declaration))];
    let last = in_cxx.rsplit("::").next().unwrap_or(&in_cxx).to_owned();
    let size = each.size.map(|size| format!("{size} bytes"));
    Entry::new(Thing::CxxSymbol(each), &each.name, "", facts)
        .also([format!("tvm::ffi::{in_cxx}")])
        .with("size", size)
        .part(Kind::CxxSymbol)
        .with("capability", Some(each.capability.clone()))
        .about(move |clause| clause.id.starts_with("CXX-") && mentions(&clause.text, &last))
}

fn capability(each: &'static Capability) -> Entry {
    let shown = [&each.functions, &each.globals, &each.type_keys].map(|names| names.join(", "));
    let shown: Vec<_> = shown.into_iter().filter(|names| !names.is_empty()).collect();
    let name = each.name.clone();
    Entry::new(Thing::Capability(each), &each.name, &each.doc, vec![since(&each.since)])
        .with("shown by", Some(shown.join(", ")))
        .with("implied by", Some(each.implied_by.join(", ")))
        .about(move |clause| clause.capability == name || clause.ended_by.as_ref() == Some(&name))
}

fn area(name: &'static str, each: &'static Area) -> Entry {
    let layer = each.clauses.first().map(|clause| Layer::of_clause(&clause.id).as_str().to_owned());
    Entry::new(Thing::Area(each), &each.prefix, &each.title, Vec::new())
        .also([name.to_owned()])
        .with("layer", layer)
        .about(move |clause| clause.id.split('-').next() == Some(&each.prefix))
}

fn release(abi: &Abi, each: &'static Release) -> Entry {
    let brought: Vec<_> =
        abi.parts().into_iter().filter(|part| part.since == each.name).map(|part| part.to_string()).collect();
    let oldest = abi.releases.first().is_some_and(|oldest| oldest.name == each.name);
    let facts = vec![("built on", each.date.clone()), ("claims version", each.claims.clone())];
    let doc = if each.yanked { "A release that was yanked." } else { "A public release." };
    Entry::new(Thing::Release(each), &each.name, doc, facts)
        .with("wheel", Some(each.sha256.clone()))
        .with("library", Some(each.library.clone()))
        .with("brought", Some(brought.join(", ")).filter(|_| !oldest))
        .about(|_| false)
}

/// Where a header is found.
fn header(name: &str) -> String {
    let folder = match name {
        "c_env_api" => "tvm/ffi/extra",
        "dlpack" => "dlpack",
        _ => "tvm/ffi",
    };
    format!("{folder}/{name}.h")
}

fn since(release: &str) -> (&'static str, String) {
    ("releases", format!("since {release}"))
}

fn formerly(states: &[Former]) -> Vec<(&'static str, String)> {
    states.iter().map(|former| ("formerly", former.to_string())).collect()
}

/// Whether a clause mentions a name, or decides a promise about it.
fn is_about(clause: &Clause, name: &str) -> bool {
    let told = [&clause.text, &clause.source].into_iter().chain(&clause.client);
    let promised = || {
        promise::promises().iter().any(|promise| {
            promise.clauses.contains(&clause.id) && (mentions(&promise.place, name) || mentions(&promise.text, name))
        })
    };
    told.into_iter().any(|text| mentions(text, name)) || promised()
}

/// Whether a text has a name in it, and not only a longer one that begins or ends with it.
fn mentions(text: &str, name: &str) -> bool {
    let is_part_of_a_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(|c| is_part_of_a_name(c) || c == '.') && !after.is_some_and(is_part_of_a_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_name_is_another_one() {
        assert!(mentions("c_api.h, TVMFFIAny: a value", "TVMFFIAny"));
        assert!(mentions("`ffi.Map`.", "ffi.Map"));
        assert!(!mentions("ffi.MapSize and x.ffi.Map_", "ffi.Map"));
        assert!(!mentions("TVMFFIAnyViewToOwnedAny", "TVMFFIAny"));
    }

    #[test]
    fn every_part_of_a_library_is_found_with_its_layer() {
        let entries = entries();
        for part in abi().parts() {
            let found = entries.iter().filter(|entry| entry.name() == part.name).flat_map(|entry| &entry.facts);
            assert!(found.clone().any(|(fact, _)| *fact == "layer"), "{part}");
        }
    }

    #[test]
    fn there_are_clauses_about_almost_everything() {
        let kinds = ["function", "struct", "type", "C++ symbol", "capability", "area", "attribute"];
        let silent: Vec<_> = entries()
            .into_iter()
            .filter(|entry| kinds.contains(&entry.thing.kind()) && entry.clauses().next().is_none())
            .map(|entry| entry.names[0].clone())
            .collect();
        assert!(silent.is_empty(), "{silent:?}");
    }
}
