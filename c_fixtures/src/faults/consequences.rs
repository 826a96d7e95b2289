//! What the suite reports of faults beside the clauses that they are about: a list that a test writes.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

use super::fault::{Broken, directory};

/// The list, by the names of faults.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Consequences(BTreeMap<String, BTreeSet<Broken>>);

const HEAD: &str =
    "# What the suite reports of each fault beside the clauses in its head. A test compares it, and writes it:
# cargo test --test faults -- --bless
";

impl Consequences {
    /// No list yet.
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Where the list stands.
    pub fn path() -> PathBuf {
        directory().join("consequences.toml")
    }

    /// Reads the list.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn read() -> Result<Self, String> {
        let path = Self::path();
        let text = fs::read_to_string(&path).map_err(|error| error.to_string());
        text.and_then(|text| Self::parse(&text)).map_err(|problem| format!("{}: {problem}", path.display()))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let listed: BTreeMap<String, Vec<String>> = toml::from_str(text).map_err(|error| error.to_string())?;
        let of_fault = |(name, broken): (String, Vec<String>)| {
            let broken: Result<_, String> = broken.iter().map(|text| Broken::parse(text)).collect();
            Ok((name, broken?))
        };
        listed.into_iter().map(of_fault).collect::<Result<_, String>>().map(Self)
    }

    /// Those of one fault.
    pub fn of(&self, fault: &str) -> BTreeSet<Broken> {
        self.0.get(fault).cloned().unwrap_or_default()
    }

    /// The faults that have any, with these.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &BTreeSet<Broken>)> {
        self.0.iter()
    }

    /// Replaces those of one fault; it may have none.
    pub fn set(&mut self, fault: &str, broken: BTreeSet<Broken>) {
        self.0.insert(fault.to_owned(), broken);
    }

    /// Replaces those of every fault that is in the other list.
    pub fn update(&mut self, other: &Self) {
        for (fault, broken) in &other.0 {
            self.set(fault, broken.clone());
        }
    }

    /// Drops those of faults that are no more.
    pub fn retain(&mut self, is_fault: impl Fn(&str) -> bool) {
        self.0.retain(|name, _| is_fault(name));
    }

    /// Writes the list.
    ///
    /// # Errors
    /// Why the file cannot be written.
    pub fn write(&self) -> Result<(), String> {
        let path = Self::path();
        fs::write(&path, self.text()).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn text(&self) -> String {
        let as_text = |(name, broken): (&String, &BTreeSet<Broken>)| {
            (name.clone(), broken.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let listed: BTreeMap<_, _> = self.0.iter().filter(|(_, broken)| !broken.is_empty()).map(as_text).collect();
        HEAD.to_owned() + &toml::to_string_pretty(&listed).expect("names and texts are TOML")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mut list =
            Consequences::parse("late = [\"STR-0001 fail\", \"OBJ-0002 crash\"]\nother = [\"STR-0001 leak\"]").unwrap();
        assert_eq!(
            list.of("late").iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["OBJ-0002 crash", "STR-0001 fail"]
        );
        assert_eq!(Consequences::parse(&list.text()).unwrap(), list);
        let mut none = Consequences::new();
        none.set("late", BTreeSet::new());
        list.update(&none);
        list.retain(|name| name == "late");
        assert_eq!(list.text(), HEAD);
        assert!(Consequences::parse("late = [\"STR-0001\"]").unwrap_err().contains("not a clause and an outcome"));
    }
}
