//! Names that somebody may have meant: the interface to the `strsim` crate, which is used here and nowhere else.

/// Those of the names that somebody may have meant who wrote `text`, the likeliest first.
pub fn nearest<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    /// How many are worth reading.
    const SOME: usize = 5;
    /// From where on two names are alike, between 0 and 1.
    const ALIKE: f64 = 0.6;
    let wanted = text.to_lowercase();
    let likeness = |name: &str| {
        let name = name.to_lowercase();
        let part_of_it = wanted.len() > 2 && name.contains(&wanted);
        // A name that holds the text is likelier than one that looks like it; the shorter, the likelier.
        let held = if part_of_it { 1.0 + wanted.len() as f64 / name.len() as f64 } else { 0.0 };
        // Some write no more than how a name begins.
        let beginning: String = name.chars().take(wanted.chars().count()).collect();
        let begun = strsim::normalized_damerau_levenshtein(&wanted, &beginning) - 0.01;
        strsim::normalized_damerau_levenshtein(&wanted, &name).max(begun).max(held)
    };
    let mut alike: Vec<_> =
        names.map(|name| (likeness(name), name)).filter(|(likeness, _)| *likeness >= ALIKE).collect();
    alike.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    // Beside a name that holds the text, what only looks like it was not meant.
    if alike.first().is_some_and(|(likeness, _)| *likeness > 1.0) {
        alike.retain(|(likeness, _)| *likeness > 1.0);
    }
    alike.dedup_by_key(|(_, name)| *name);
    alike.into_iter().take(SOME).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_name_comes_first() {
        let names = ["ffi.MapSize", "ffi.MapItems", "ffi.Map", "STR-0001"];
        assert_eq!(nearest("MapSize", names.into_iter()), ["ffi.MapSize"]);
        assert_eq!(nearest("apSize", ["ffi.MapSize", "apsise"].into_iter()), ["ffi.MapSize"]);
        assert_eq!(nearest("ffi.mpa", ["ffi.MapSize", "ffi.Any"].into_iter())[0], "ffi.MapSize");
        assert_eq!(nearest("ffi.mapzise", names.into_iter())[0], "ffi.MapSize");
        assert_eq!(nearest("STR-0100", names.into_iter()), ["STR-0001"]);
        assert!(nearest("qqq", names.into_iter()).is_empty());
    }
}
