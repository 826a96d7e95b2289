//! `abi.toml` as Rust values, and what is asked of them.

use std::{fmt, sync::LazyLock};

use crate::data::{file, read};

mod model;
pub use model::*;

/// The parsed file.
pub fn abi() -> &'static Abi {
    static ABI: LazyLock<Abi> = LazyLock::new(|| read(file!("abi")));
    &ABI
}

/// A number for 64-bit machines, and for 32-bit machines where it differs.
pub fn on_both((wide, narrow): (u32, u32)) -> String {
    if wide == narrow { wide.to_string() } else { format!("{wide}, on 32-bit machines {narrow}") }
}

/// As it reads behind the word "formerly".
impl fmt::Display for Former {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { until, name, ty, size, value } = self;
        let size = size.map(on_both).map(|size| format!("size {size}"));
        let value = value.map(|value| format!("value {value}"));
        let parts: Vec<_> = [name.clone(), ty.clone(), size, value].into_iter().flatten().collect();
        write!(f, "{} until {until}", parts.join(", "))
    }
}

impl Abi {
    /// The place of a release in the order of releases, from the oldest.
    pub fn release(&self, name: &str) -> Option<usize> {
        self.releases.iter().position(|release| release.name == name)
    }

    /// The releases whose wheels hold the library of this SHA-256: several may hold the same.
    pub fn releases_of(&self, sha256: &str) -> impl Iterator<Item = &Release> {
        self.releases.iter().filter(move |release| release.library == sha256)
    }

    /// Whether every release that claims `version` was yanked, and there is one.
    pub fn is_yanked_claim(&self, version: &str) -> bool {
        let mut claiming = self.releases.iter().filter(|release| release.claims == version).peekable();
        claiming.peek().is_some() && claiming.all(|release| release.yanked)
    }

    /// The releases that the suite is held to, oldest first.
    pub fn peers(&self) -> impl DoubleEndedIterator<Item = &Release> {
        self.releases.iter().filter(|release| release.peer)
    }

    /// The release that the reference is compared with: the newest peer.
    ///
    /// # Panics
    /// If there is no peer.
    pub fn newest_peer(&self) -> &Release {
        self.peers().next_back().expect("abi.toml marks a release as a peer")
    }

    /// Which of the earlier states held in `release`; `None` if it is as it is today.
    ///
    /// # Panics
    /// If a release is none of [`Abi::releases`].
    pub fn former<'a>(&self, formerly: &'a [Former], release: &str) -> Option<&'a Former> {
        formerly.iter().find(|former| self.at_least(&former.until, release))
    }

    /// Whether `release` is `since` or came after it.
    ///
    /// # Panics
    /// If a release is none of [`Abi::releases`].
    pub fn at_least(&self, release: &str, since: &str) -> bool {
        let place = |name| self.release(name).unwrap_or_else(|| panic!("{name} is not a release in abi.toml"));
        place(release) >= place(since)
    }

    /// The function of that name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }

    /// The capability of that name.
    pub fn capability(&self, name: &str) -> Option<&Capability> {
        self.capabilities.iter().find(|capability| capability.name == name)
    }

    /// The type of that key.
    pub fn type_of_key(&self, key: &str) -> Option<&Type> {
        self.types.iter().find(|ty| ty.key == key)
    }

    /// The global function of that name.
    pub fn global(&self, name: &str) -> Option<&Global> {
        self.globals.iter().find(|global| global.name == name)
    }

    /// The value of a constant.
    pub fn constant(&self, name: &str) -> Option<i64> {
        self.enums.iter().flat_map(|group| &group.constants).find(|constant| constant.name == name).map(|c| c.value)
    }
}

impl Function {
    /// The C declaration, without a semicolon.
    pub fn declaration(&self) -> String {
        declaration(&self.returns, &self.name, &self.params)
    }
}

impl Type {
    /// The number of its ancestors.
    pub fn depth(&self) -> i32 {
        self.ancestors.len() as i32
    }
}

/// A C function declared with these parameters, names and types, without a semicolon.
pub fn declaration(returns: &str, name: &str, params: &[(String, String)]) -> String {
    let params: Vec<_> = params.iter().map(|(name, ty)| declarator(ty, name)).collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    format!("{returns} {name}({params})")
}

/// `name` declared with the C type `ty`, pointers to functions and arrays included.
pub fn declarator(ty: &str, name: &str) -> String {
    if let Some((result, params)) = ty.split_once("(*)") {
        return format!("{result}(*{name}){params}");
    }
    match ty.split_once('[') {
        Some((element, length)) => format!("{element} {name}[{length}"),
        None => format!("{ty} {name}"),
    }
}
