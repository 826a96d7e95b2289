//! The generations of the ABI: today's, which `abi.toml` describes and the suite judges, and older ones that real binaries
//! still speak.
//!
//! `generations/*.toml` has what each consists of. What stands as today is named there and told by `abi.toml`, so that no fact
//! stands twice; the functions below put both together.

use std::sync::LazyLock;

use crate::{
    abi::{self, Abi, Enum, Field, Struct, Typedef, abi},
    data::{file, read},
};

mod model;
pub use model::*;

pub use crate::clause::TODAY;

/// Every generation, oldest first.
///
/// # Panics
/// If a file does not hold what [`Generation`] says, which a test finds.
pub fn generations() -> &'static [Generation] {
    static GENERATIONS: LazyLock<Vec<Generation>> = LazyLock::new(|| {
        let files = [file!("generations/legacy"), file!("generations/split"), file!("generations/combined")];
        files.into_iter().map(read).collect()
    });
    &GENERATIONS
}

/// The generation of that name.
pub fn generation(name: &str) -> Option<&'static Generation> {
    generations().iter().find(|generation| generation.name == name)
}

/// The generation that `abi.toml` describes.
///
/// # Panics
/// If there is none, which a test finds.
pub fn today() -> &'static Generation {
    generation(TODAY).expect("there is one")
}

impl Generation {
    /// Whether it is the one that `abi.toml` describes.
    pub fn is_today(&self) -> bool {
        self.name == TODAY
    }

    /// Whether libraries of it have functions that today's have, too: those can be looked for in the way of today's.
    pub fn shares_functions(&self) -> bool {
        self.as_today.everything || !self.as_today.functions.is_empty()
    }

    /// Whether no library of it has a part, such as `function NAME` or `global NAME`; of other kinds nothing is known.
    pub fn lacks(&self, part: &str) -> bool {
        match part.split_once(' ') {
            Some(("function", name)) => !self.all_functions().iter().any(|function| function.name == name),
            Some(("global", name)) => !self.is_today() && !self.globals.iter().any(|global| global == name),
            _ => false,
        }
    }

    /// The state that exports show; none where there are no states.
    pub fn state(&self, exports: &[String]) -> Option<&State> {
        self.states.iter().rev().find(|state| exports.contains(&state.has))
    }

    /// Whether something stands as today, where these do.
    fn takes(&self, named: &[String], name: &str) -> bool {
        self.as_today.everything || named.iter().any(|each| each == name)
    }

    /// All its exported functions: first those that stand as today.
    pub fn all_functions(&self) -> Vec<Function> {
        let today = abi().functions.iter().filter(|each| self.takes(&self.as_today.functions, &each.name));
        today.map(Function::of_today).chain(self.functions.iter().cloned()).collect()
    }

    /// The functions that its libraries owe clients in a state, or in the first where none is told: those that headers declare.
    pub fn functions_in(&self, state: Option<&State>) -> Vec<Function> {
        let mut functions = self.all_functions();
        functions.retain(|each| each.header != "none");
        if let Some(state) = state.or(self.states.first()) {
            functions.retain(|each| each.until.as_ref().is_none_or(|until| *until >= state.since));
        }
        functions
    }

    /// All its structs: first those that stand as today.
    pub fn all_structs(&self) -> Vec<&Struct> {
        let today = abi().structs.iter().filter(|each| self.takes(&self.as_today.structs, &each.name));
        today.chain(&self.structs).collect()
    }

    /// All its names for types that are not structs: first those that stand as today.
    pub fn all_typedefs(&self) -> Vec<&Typedef> {
        let today = abi().typedefs.iter().filter(|each| self.takes(&self.as_today.typedefs, &each.name));
        today.chain(&self.typedefs).collect()
    }

    /// All its groups of constants, each with those that stand as today first.
    pub fn all_enums(&self) -> Vec<Enum> {
        let Abi { enums: today, .. } = abi();
        let mut groups: Vec<Enum> = today.clone();
        for group in &mut groups {
            group.constants.retain(|each| self.takes(&self.as_today.constants, &each.name));
        }
        for own in &self.enums {
            match groups.iter_mut().find(|group| group.name == own.name) {
                Some(group) => group.constants.extend(own.constants.iter().cloned()),
                None => groups.push(own.clone()),
            }
        }
        groups.retain(|group| !group.constants.is_empty());
        groups
    }

    /// The same with nothing left to be looked up in `abi.toml`.
    pub fn whole(&self) -> Self {
        Self {
            as_today: AsToday::default(),
            typedefs: self.all_typedefs().into_iter().cloned().collect(),
            structs: self.all_structs().into_iter().cloned().collect(),
            enums: self.all_enums(),
            functions: self.all_functions(),
            ..self.clone()
        }
    }

    /// The struct of that name.
    pub fn record(&self, name: &str) -> Option<&Struct> {
        self.all_structs().into_iter().find(|each| each.name == name)
    }

    /// What of a library's exports no library of it has, in words that follow its name: what those of it lack, or a function of
    /// today's that came later.
    pub fn contradicted_by(&self, exports: &[String]) -> Option<String> {
        let own: Vec<_> = self.all_functions().into_iter().map(|each| each.name).collect();
        let is_own = |name: &String| own.contains(name) || self.states.iter().any(|state| state.has == *name);
        let mut later = exports.iter().filter(|name| abi().function(name).is_some() && !is_own(name));
        self.evidence.excluding(exports).or_else(|| later.next()).map(|name| format!("exports {name}"))
    }

    /// Where the header of an object has what a new one of that type shows, and that; nothing where exports decide.
    pub fn shown_by_an_object(&self, type_index: i32) -> Vec<(&Field, Option<u64>)> {
        let (Some(object), Some(header)) = (&self.evidence.object, self.record("TVMFFIObject")) else {
            return Vec::new();
        };
        let place = |name: &String| header.fields.iter().find(|field| field.name == *name);
        let type_index = u64::try_from(type_index).ok();
        let value = |shown: &ShownField| if shown.name == object.says_type { type_index } else { shown.value };
        object.fields.iter().filter_map(|shown| Some((place(&shown.name)?, value(shown)))).collect()
    }
}

impl Function {
    fn of_today(today: &abi::Function) -> Self {
        let abi::Function { name, since, header, returns, params, doc, .. } = today.clone();
        Self { name, since, until: None, header, returns, params, doc }
    }

    /// The C declaration, without a semicolon.
    pub fn declaration(&self) -> String {
        abi::declaration(&self.returns, &self.name, &self.params)
    }

    /// Its type as C spells that of a pointer to it.
    pub fn pointer_type(&self) -> String {
        let params: Vec<_> = self.params.iter().map(|(_, ty)| ty.as_str()).collect();
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        format!("{} (*)({params})", self.returns)
    }
}

impl Evidence {
    /// What of it the exports of a library speak against, in words that follow its name; nothing if they allow it. Where a new
    /// object decides, that is not yet all.
    pub fn refuted_by(&self, exports: &[String]) -> Option<String> {
        let exported = |name: &String| exports.contains(name);
        if let Some(name) = self.has.iter().find(|name| !exported(name)) {
            return Some(format!("exports no {name}"));
        }
        if !self.has_one.is_empty() && !self.has_one.iter().any(exported) {
            return Some(format!("exports no {}", self.has_one.join(" and no ")));
        }
        self.excluding(exports).map(|name| format!("exports {name}"))
    }

    /// Whether the exports of a library have what no library of it exports.
    pub fn is_excluded_by(&self, exports: &[String]) -> bool {
        self.excluding(exports).is_some()
    }

    fn excluding<'a>(&self, exports: &'a [String]) -> Option<&'a String> {
        let unfit = |name: &&String| {
            self.lacks.iter().any(|lacked| match lacked.strip_suffix('*') {
                Some(beginning) => name.starts_with(beginning),
                None => lacked == *name,
            })
        };
        exports.iter().find(unfit)
    }
}
