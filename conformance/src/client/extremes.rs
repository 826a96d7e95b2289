//! Values at the extremes: one that contains itself, and one that is nested deeply.

use tvm_ffi_spec::*;

use crate::client::{connection::Client, owned::Owned, samples::Place, value::view, verdict::Verdict};

/// For [`Client::deep_shared_and_apart`]: containers, and numbers of levels around the part and in it. What keeps watch over circles may
/// begin at some depth, and leave off at another.
pub const DEEP: [(&str, usize, usize); 4] =
    [("ffi.Array", 700, 500), ("ffi.List", 520, 600), ("ffi.Map", 1000, 150), ("ffi.Dict", 700, 500)];

impl Client {
    /// A List of 1 and itself; it must be [cleared](Self::clear_list) in the end, or it is never released.
    pub fn list_in_itself(&self) -> Verdict<Owned> {
        let list = self.call_global("ffi.List", &[view::int(1)])?;
        self.call_global("ffi.ListAppend", &[list.any(), list.any()])?;
        Ok(list)
    }

    /// Takes all elements out of a List, among them the List itself.
    pub fn clear_list(&self, list: &Owned) -> Verdict {
        self.call_global("ffi.ListClear", &[list.any()]).map(drop)
    }

    /// Tries something on two values of one shape that contain themselves: a List or a Dict in itself, at once or by way of
    /// another container. They are cleared in the end, as they are never released otherwise.
    pub fn each_cycle(&self, look: impl Fn(&TVMFFIAny, &TVMFFIAny) -> Verdict) -> Verdict {
        for (make, put, clear) in
            [("ffi.List", "ffi.ListAppend", "ffi.ListClear"), ("ffi.Dict", "ffi.DictSetItem", "ffi.DictClear")]
        {
            for place in Place::all(self)? {
                let cycle = || -> Verdict<Owned> {
                    let root = self.call_global(make, &[])?;
                    let holder = place.put(self, &root.any())?;
                    let key = (make == "ffi.Dict").then(|| view::int(1));
                    let args: Vec<_> = [Some(root.any()), key, Some(holder.any())].into_iter().flatten().collect();
                    self.call_global(put, &args)?;
                    Ok(root)
                };
                let (lhs, rhs) = (cycle()?, cycle()?);
                look(&lhs.any(), &rhs.any())?;
                for root in [lhs, rhs] {
                    self.call_global(clear, &[root.any()])?;
                }
            }
        }
        Ok(())
    }

    /// Two values that are alike: so many containers, made by the global function of that name, around one that has a part twice, or two
    /// parts that are alike. The part is so many levels deep itself.
    pub fn deep_shared_and_apart(&self, make: &str, around: usize, levels: usize) -> Verdict<[Owned; 2]> {
        let function = self.global(make)?;
        let is_map = make == "ffi.Map" || make == "ffi.Dict";
        let hold = |parts: &[TVMFFIAny]| {
            let entries = (0..).map(view::int).zip(parts).flat_map(|(key, part)| [key, *part]);
            if is_map { self.call(&function, &entries.collect::<Vec<_>>()) } else { self.call(&function, parts) }
        };
        let deep = |levels: usize, inner: Owned| self.around(&function, levels, inner, is_map.then(|| view::int(0)));
        let (one, twin) = (deep(levels, self.own(view::int(1)))?, deep(levels, self.own(view::int(1)))?);
        let shared = deep(around, hold(&[one.any(), one.any()])?)?;
        Ok([shared, deep(around, hold(&[one.any(), twin.any()])?)?])
    }

    /// So many containers around a value, each the only element of the next, made by the global function of that name.
    pub fn nested(&self, make: &str, levels: usize, innermost: TVMFFIAny) -> Verdict<Owned> {
        let function = self.global(make)?;
        self.around(&function, levels, self.own(innermost), None)
    }

    /// So many containers around a value, each the only element of the next, or its value under that key. Calls of one and the same kind in
    /// thousands: the first are noted.
    pub fn around(&self, make: &Owned, levels: usize, inner: Owned, key: Option<TVMFFIAny>) -> Verdict<Owned> {
        const NOTED: usize = 8;
        let mut inner = inner;
        for level in 0..levels {
            let args = [key.unwrap_or(TVMFFIAny::NONE), inner.any()];
            let args = if key.is_some() { &args[..] } else { &args[1..] };
            if level < NOTED {
                inner = self.call(make, args)?;
                continue;
            }
            let outer = self.call_unnoted(make, args)?;
            let inside = std::mem::replace(&mut inner, outer).into_any();
            if inside.type_index >= kTVMFFIStaticObjectBegin {
                self.api.release_unnoted(inside.payload() as TVMFFIObjectHandle);
            }
        }
        Ok(inner)
    }

    /// A StructuralKey of a Map that has such a key for its only key, and so on: so many Maps deep, every other one a Dict. It is less deep where
    /// the target refuses to make it. It is never released, as how what is deep ends is for other clauses to say.
    pub fn keys_in_keys(&self, levels: usize) -> Verdict<TVMFFIAny> {
        let [map, dict, structural] = self.globals(["ffi.Map", "ffi.Dict", "ffi.StructuralKey"])?;
        let mut key = self.call(&structural, &[view::int(1)])?.into_any();
        self.api.note(&format!("ffi.StructuralKey of maps with such keys, {levels} deep"));
        for level in 0..levels {
            let make = if level % 2 == 0 { &map } else { &dict };
            let (mut holder, mut outer) = (TVMFFIAny::NONE, TVMFFIAny::NONE);
            if self.api.call_unnoted(make.handle(), &[key, view::int(2)], &mut holder) != 0
                || self.api.call_unnoted(structural.handle(), &[holder], &mut outer) != 0
            {
                self.api.release_raised();
                break;
            }
            key = outer;
        }
        Ok(key)
    }

    /// A Map that has this value for its only key, never released either.
    pub fn map_by(&self, key: TVMFFIAny) -> Verdict<TVMFFIAny> {
        Ok(self.call_global("ffi.Map", &[key, view::int(2)])?.into_any())
    }
}
