//! StructuralKeys whose values hold Maps by other StructuralKeys.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{Owned, Verdict, view},
    trial::Trial,
};

/// Whether StructuralKeys are equal whose values hold Maps by other StructuralKeys is found out anew by each call, after what is in those has
/// changed and when it is as before, and each call gives back all references that it takes to them.
#[check(SEQ_0028, SEQ_0032)]
fn keys_in_keys_are_compared_anew(t: &Trial) -> Verdict {
    for make in ["ffi.List", "ffi.Dict"] {
        for (turn, size) in [0, 1, 5, 40].into_iter().enumerate() {
            // In turn, so that each comes with few and with many.
            let arounds = [["ffi.Array", "ffi.Map"], ["ffi.List", "ffi.Dict"]][(turn + turn / 2) % 2];
            for around in arounds {
                Keys::new(t, make, size, around)?.are_judged(t)?;
            }
        }
    }
    Ok(())
}

/// Two keys of equal values that can be changed, and a key for each, in whose value there are Maps by it.
struct Keys {
    what: String,
    size: i64,
    values: [Owned; 2],
    inner: [Owned; 2],
    outer: [Owned; 2],
}

impl Keys {
    fn new(t: &Trial, make: &str, size: i64, around: &str) -> Verdict<Self> {
        let key = |value: &Owned| t.call_global("ffi.StructuralKey", &[value.any()]);
        let value = || -> Verdict<Owned> {
            let part = |at| t.call_global("ffi.Map", &[view::int(at), view::int(at + 1)]);
            let parts = (0..size).map(part).collect::<Verdict<Vec<_>>>()?;
            t.container_of(make, &parts.iter().map(Owned::any).collect::<Vec<_>>())
        };
        let with = |inner: &Owned| -> Verdict<Owned> {
            let map = t.call_global("ffi.Map", &[inner.any(), view::int(1)])?;
            key(&t.container_of(around, &[map.any(), map.any()])?)
        };
        let values = [value()?, value()?];
        let inner = [key(&values[0])?, key(&values[1])?];
        let outer = [with(&inner[0])?, with(&inner[1])?];
        let what = format!("{make} of {size} in a key of a Map, twice in {around}, in a key");
        Ok(Self { what, size, values, inner, outer })
    }

    fn are_judged(&self, t: &Trial) -> Verdict {
        let Self { what, size, values: [_, changed], inner, outer } = self;
        let is_list = changed.any().type_index == kTVMFFIList;
        // Of the keys themselves first, so that it is known of them when others ask.
        for keys in [inner, outer, inner] {
            self.are_one(t, keys, true, format_args!("of equal values, {what}"))?;
        }
        let (end, other) = (view::int(1 << 40), view::int(-1));
        match is_list {
            true => t.call_void("ffi.ListAppend", &[changed.any(), other])?,
            false => t.call_void("ffi.DictSetItem", &[changed.any(), end, other])?,
        }
        for keys in [inner, outer, inner] {
            self.are_one(t, keys, false, format_args!("of which one has changed, {what}"))?;
        }
        match is_list {
            true => t.call_void("ffi.ListErase", &[changed.any(), view::int(*size)])?,
            false => drop(t.call_global("ffi.DictErase", &[changed.any(), end])?),
        }
        for keys in [outer, inner] {
            self.are_one(t, keys, true, format_args!("that are equal again, {what}"))?;
        }
        Ok(())
    }

    /// Expects two keys to be one wherever that is asked, or two, and all references to be given back.
    fn are_one(&self, t: &Trial, [one, other]: &[Owned; 2], expected: bool, what: std::fmt::Arguments) -> Verdict {
        let all = || self.values.iter().chain(&self.inner).chain(&self.outer);
        let counts = || all().map(|object| t.counts(object.handle())).collect::<Verdict<Vec<_>>>();
        let before = counts()?;
        let (lhs, rhs, number) = (one.any(), other.any(), view::int(1));
        let expect = |name: &str, answer: u64, expected: u64| {
            t.clause(id::SEQ_0028);
            t.eq(format_args!("what {name} says of keys {what}"), answer, expected)?;
            t.clause(id::SEQ_0032);
            t.eq(format_args!("the counts of keys and values {what} after {name}"), counts()?, before.clone())
        };
        let size = |make: &str, ask: &str| -> Verdict<u64> {
            let map = t.call_global(make, &[lhs, number, rhs, view::int(2)])?;
            Ok(t.call_global(ask, &[map.any()])?.any().payload())
        };
        let equal = t.call_global("ffi.StructuralKeyEqual", &[lhs, rhs])?.any().payload();
        expect("ffi.StructuralKeyEqual", equal, expected.into())?;
        expect("ffi.MapSize", size("ffi.Map", "ffi.MapSize")?, if expected { 1 } else { 2 })?;
        expect("ffi.DictSize", size("ffi.Dict", "ffi.DictSize")?, if expected { 1 } else { 2 })?;
        let count = || -> Verdict<u64> {
            let map = t.call_global("ffi.Map", &[lhs, number])?;
            Ok(t.call_global("ffi.MapCount", &[map.any(), rhs])?.any().payload())
        };
        expect("ffi.MapCount", count()?, expected.into())
    }
}
