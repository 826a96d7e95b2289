//! Looking a key up through every function that does so: in Maps and Dicts, small and dense, in Arrays and Lists.

use tvm_ffi_spec::*;

use crate::client::{connection::Client, globals, owned::Owned, value::view, verdict::Verdict};

/// Keys that fill a container up until it is dense, and which nobody looks up.
const FILLING: std::ops::Range<i64> = 0x7357_0000..0x7357_000a;

/// A container that a key is looked up in.
struct Place<'a> {
    client: &'a Client,
    kind: &'static str,
    container: Owned,
    size: i64,
    what: String,
}

impl Client {
    /// Expects `asked` to be the same key as the one of `keys` in that place, or as none of them, wherever it is looked up.
    /// The keys differ from one another.
    pub fn same_key(&self, keys: &[TVMFFIAny], asked: &TVMFFIAny, expected: Option<usize>) -> Verdict {
        self.places(keys)?.into_iter().try_for_each(|place| place.expect(asked, expected))?;
        for (make, contains) in [("ffi.Array", "ffi.ArrayContains"), ("ffi.List", "ffi.ListContains")] {
            if globals::find(self, contains)?.is_some() {
                let sequence = self.call_global(make, keys)?;
                let found = self.call_int(contains, &[sequence.any(), *asked])?;
                self.eq(format_args!("{contains} of {asked:?}"), found, expected.is_some().into())?;
            }
        }
        Ok(())
    }

    /// Expects each function that looks a key up to fail with an error of these kinds, and to change nothing.
    pub fn no_lookup(&self, keys: &[TVMFFIAny], asked: &TVMFFIAny, kinds: &[&str]) -> Verdict {
        for place in self.places(keys)? {
            for door in ["GetItem", "Count", "GetItemOrMissing", "Erase", "SetItem"] {
                let Some(function) = place.door(door)? else { continue };
                let args = [place.container.any(), *asked, view::int(-1)];
                let count = if door == "SetItem" { 3 } else { 2 };
                let refused = self.call_fails(&function, &args[..count], kinds);
                refused.map_err(|failure| failure.noting(format!("the function is {}{door}", place.kind)))?;
                place.has(place.size)?;
            }
        }
        Ok(())
    }

    /// Each kind of map with these keys and their places as values: small if they are few, and dense.
    fn places(&self, keys: &[TVMFFIAny]) -> Verdict<Vec<Place<'_>>> {
        let mut places = Vec::new();
        for kind in ["ffi.Map", "ffi.Dict"] {
            if globals::find(self, kind)?.is_none() {
                continue;
            }
            for filling in [FILLING.start..FILLING.start, FILLING] {
                let filled = filling.clone().map(|number| [view::int(number), view::int(number)]);
                let entries = keys.iter().zip(0..).map(|(key, place)| [*key, view::int(place)]).chain(filled);
                let container = self.call_global(kind, &entries.flatten().collect::<Vec<_>>())?;
                let size = keys.len() as i64 + (filling.end - filling.start);
                let place = Place { client: self, kind, container, size, what: format!("{kind} of {size} keys") };
                place.has(size)?;
                places.push(place);
            }
        }
        Ok(places)
    }
}

impl Place<'_> {
    /// The function of this kind of map, if the target has it.
    fn door(&self, name: &str) -> Verdict<Option<Owned>> {
        globals::find(self.client, &format!("{}{name}", self.kind))
    }

    /// Expects that many keys.
    fn has(&self, size: i64) -> Verdict {
        let got = self.client.call_int(&format!("{}Size", self.kind), &[self.container.any()])?;
        self.client.eq(format_args!("size of {}", self.what), got, size)
    }

    /// Expects each function to find the key in that place, or not to find it.
    fn expect(&self, asked: &TVMFFIAny, expected: Option<usize>) -> Verdict {
        let Self { client, kind, container, what, .. } = self;
        let args = [container.any(), *asked];
        let counted = client.call_int(&format!("{kind}Count"), &args)?;
        client.eq(format_args!("{kind}Count of {asked:?} in {what}"), counted, expected.is_some().into())?;
        let get = client.global(&format!("{kind}GetItem"))?;
        match expected {
            Some(place) => self.answers(&format!("{kind}GetItem"), &client.call(&get, &args)?, place)?,
            None => client.call_fails(&get, &args, &[]).map(drop)?,
        }
        if let Some(get) = self.door("GetItemOrMissing")? {
            let found = client.call(&get, &args)?;
            match expected {
                Some(place) => self.answers(&format!("{kind}GetItemOrMissing"), &found, place)?,
                None => client.ne(format_args!("{kind}GetItemOrMissing"), found.any().type_index, kTVMFFIInt)?,
            }
        }
        match self.door("SetItem")? {
            Some(set) => self.rewrite(&set, asked, expected),
            None => Ok(()),
        }
    }

    /// Expects what is found to be the value of the key in that place.
    fn answers(&self, door: &str, found: &Owned, place: usize) -> Verdict {
        self.client.any_eq(format_args!("{door} in {}", self.what), &found.any(), &view::int(place as i64))
    }

    /// Expects the key to be overwritten or added, and then to be taken out.
    fn rewrite(&self, set: &Owned, asked: &TVMFFIAny, expected: Option<usize>) -> Verdict {
        let (container, size) = (self.container.any(), self.size + i64::from(expected.is_none()));
        self.client.call(set, &[container, *asked, view::int(-1)])?;
        self.has(size)?;
        let written = self.client.call_int(&format!("{}GetItem", self.kind), &[container, *asked])?;
        self.client.eq(format_args!("value that was set in {}", self.what), written, -1)?;
        self.client.call_global(&format!("{}Erase", self.kind), &[container, *asked])?;
        self.has(size - 1)
    }
}
