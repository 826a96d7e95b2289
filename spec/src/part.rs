//! What a library has, part by part, and the releases that have each: what can be asked for by name, and found missing.

use std::fmt;

use crate::abi::{Abi, Capability, Constant, Type, abi};

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An exported function of the ABI.
    Function,
    /// A symbol that C++ clients link to.
    CxxSymbol,
    /// A global function that is registered at load.
    Global,
    /// A type that is registered at load.
    Type,
    /// The index that a header gives a type: of a header's constants, those that a library shows.
    Constant,
    /// A field that reflection knows of.
    Field,
    /// A method that reflection knows of.
    Method,
    /// A column of type attributes.
    Attribute,
}

impl Kind {
    /// What comes before the name of a part.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Function => "function",
            Kind::CxxSymbol => "C++ symbol",
            Kind::Global => "global",
            Kind::Type => "type",
            Kind::Constant => "constant",
            Kind::Field => "field",
            Kind::Method => "method",
            Kind::Attribute => "attribute",
        }
    }
}

impl Kind {
    const ALL: [Kind; 8] = [
        Kind::Function,
        Kind::CxxSymbol,
        Kind::Global,
        Kind::Type,
        Kind::Constant,
        Kind::Field,
        Kind::Method,
        Kind::Attribute,
    ];

    /// The text of the part of this kind that has this name.
    pub fn part(self, name: &str) -> String {
        format!("{} {name}", self.as_str())
    }

    /// The name that a text gives, if it is that of a part of this kind.
    pub fn name_in(self, text: &str) -> Option<&str> {
        text.strip_prefix(self.as_str())?.strip_prefix(' ')
    }

    /// What the part is that has this text, and its name; nothing if it is none of the ABI's kinds.
    pub fn and_name(text: &str) -> Option<(Kind, &str)> {
        Self::ALL.into_iter().find_map(|kind| Some((kind, kind.name_in(text)?)))
    }

    /// The function that tells whether a library has such a part; what a file exports can be read without one.
    pub fn asked_with(self) -> Option<&'static str> {
        match self {
            Kind::Function | Kind::CxxSymbol => None,
            Kind::Global => Some("TVMFFIFunctionGetGlobal"),
            Kind::Type | Kind::Constant => Some("TVMFFITypeKeyToIndex"),
            Kind::Field | Kind::Method => Some("TVMFFIGetTypeInfo"),
            Kind::Attribute => Some("TVMFFIGetTypeAttrColumn"),
        }
    }
}

/// Something that a library has or lacks. Its text, such as `global ffi.MapSize`, tells it from every other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: Kind,
    /// Its name; of a member of a type, the key of the type and the member's name.
    pub name: String,
    /// The release it appeared in.
    pub since: String,
    /// The last release that has it, if newer ones do not.
    pub until: Option<String>,
    /// The key of the type that it belongs to: without the type it is not missed by itself.
    pub of_type: Option<String>,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind.part(&self.name))
    }
}

impl Part {
    fn new(kind: Kind, name: &str, since: &str) -> Self {
        Self { kind, name: name.to_owned(), since: since.to_owned(), until: None, of_type: None }
    }

    fn of_type(kind: Kind, ty: &Type, name: String, since: Option<&String>) -> Self {
        Self { of_type: Some(ty.key.clone()), ..Self::new(kind, &name, since.unwrap_or(&ty.since)) }
    }
}

impl Capability {
    /// Whether a part belongs to the capability: a function of its, or other evidence of it.
    pub fn is_shown_by(&self, part: &Part) -> bool {
        match part.kind {
            Kind::Function => abi().function(&part.name).is_some_and(|function| function.capability == self.name),
            Kind::Global => self.globals.contains(&part.name),
            Kind::Type => self.type_keys.contains(&part.name),
            _ => false,
        }
    }
}

impl Abi {
    /// Every part, kind by kind.
    pub fn parts(&self) -> Vec<Part> {
        let functions = self.functions.iter().map(|each| Part::new(Kind::Function, &each.name, &each.since));
        let symbols = self
            .cxx_symbols
            .iter()
            .map(|each| Part { until: each.until.clone(), ..Part::new(Kind::CxxSymbol, &each.name, &each.since) });
        let globals = self.globals.iter().map(|each| Part::new(Kind::Global, &each.name, &each.since));
        let types = self.types.iter().map(|each| Part::new(Kind::Type, &each.key, &each.since));
        let attributes = self.attributes.iter().map(|each| Part::new(Kind::Attribute, &each.name, &each.since));
        let members = self.types.iter().flat_map(|ty| self.members(ty));
        functions.chain(symbols).chain(globals).chain(types).chain(members).chain(attributes).collect()
    }

    /// The constants that a header has for the index of a type.
    pub fn constants_of<'a>(&'a self, ty: &'a Type) -> impl Iterator<Item = &'a Constant> {
        let indices = self.enums.iter().filter(|group| group.name == "TVMFFITypeIndex");
        indices.flat_map(|group| &group.constants).filter(|each| ty.index == Some(each.value as i32))
    }

    /// The constant of a type's index, its fields and its methods.
    fn members<'a>(&'a self, ty: &'a Type) -> impl Iterator<Item = Part> + 'a {
        let constant = self.constants_of(ty).map(|each| {
            let later = if self.at_least(&each.since, &ty.since) { &each.since } else { &ty.since };
            Part::of_type(Kind::Constant, ty, each.name.clone(), Some(later))
        });
        let named = |name: &str| format!("{}.{name}", ty.key);
        let fields =
            ty.fields.iter().map(move |each| Part::of_type(Kind::Field, ty, named(&each.name), each.since.as_ref()));
        let methods =
            ty.methods.iter().map(move |each| Part::of_type(Kind::Method, ty, named(&each.name), each.since.as_ref()));
        constant.chain(fields).chain(methods)
    }

    /// Whether a release has a part.
    ///
    /// # Panics
    /// If the release is none of [`Abi::releases`].
    pub fn has(&self, release: &str, part: &Part) -> bool {
        self.at_least(release, &part.since) && part.until.as_ref().is_none_or(|until| self.at_least(until, release))
    }

    /// Whether whatever claims `version` has a part: every release that claims it does, and there is one.
    pub fn implied_by_claim(&self, version: &str, part: &Part) -> bool {
        let mut claiming = self.releases.iter().filter(|release| release.claims == version).peekable();
        claiming.peek().is_some() && claiming.all(|release| self.has(&release.name, part))
    }
}
