//! What containers of several types promise alike. A container's functions begin with the name of the one that makes it,
//! such as `ffi.Map`, which is given as `name`.

use tvm_ffi_spec::*;

use super::{
    hash::{keys_of_one_hash, texts_of_one_hash},
    numbers::{flattened, up_to},
};
use crate::client::{
    callback::Body,
    connection::Client,
    globals,
    homemade::Homemade,
    near,
    node::{fields_of, node, node_type},
    owned::Owned,
    samples::pairs,
    value::view,
    verdict::Verdict,
};

/// Lengths of sequences around which those end that are looked at several at a time.
const AMONG: [usize; 12] = [1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 40];

impl Client {
    /// Expects a new container to be of that type and held by the caller alone.
    pub fn is_new(&self, container: &Owned, type_index: i32) -> Verdict {
        self.type_index_eq("type_index of the result", container.any().type_index, type_index)?;
        self.type_index_eq("type_index in the header", self.header(container.handle())?.type_index, type_index)?;
        self.eq("strong count of a new container", self.counts(container.handle())?.0, 1)
    }

    /// Expects a sequence of this many threes to have its size, its capacity and the address of the elements behind its
    /// header.
    pub fn has_cell_of_threes(&self, sequence: &Owned, len: usize) -> Verdict {
        let cell: TVMFFISeqCell = self.cell("cell", sequence.handle())?;
        self.eq("size", cell.size, len as i64)?;
        self.that("capacity", cell.capacity >= cell.size, format_args!("at least {len}"), cell.capacity)?;
        let last = self.read("the last element", cell.data.cast::<TVMFFIAny>().wrapping_add(len - 1).cast_const())?;
        self.any_eq("the last element", &last, &view::int(3))
    }

    /// Expects `GetItemOrMissing` of a map of the keys [up to](super::numbers::up_to) `len` to answer their values, and one
    /// object for any other key.
    pub fn has_sentinel(&self, name: &str, map: &Owned, len: i64) -> Verdict {
        let get = format!("{name}GetItemOrMissing");
        for key in 0..len {
            let found = self.call_int(&get, &[map.any(), view::int(key)])?;
            self.eq(format_args!("value of {key}"), found, key)?;
        }
        let missing = self.call_global(&get, &[map.any(), view::int(len)])?;
        self.type_index_eq("type_index of the sentinel", missing.any().type_index, kTVMFFIObject)?;
        let again = self.call_global(&get, &[map.any(), TVMFFIAny::NONE])?;
        self.eq("the sentinel for another key", again.handle(), missing.handle())?;
        self.is_answered_with_references(&missing, &get, &[map.any(), view::int(len)])
    }

    /// Expects a function that answers an object which others hold, too, to give the caller a reference with each answer: giving the
    /// answers back leaves no fewer than there were.
    pub fn is_answered_with_references(&self, shared: &Owned, name: &str, args: &[TVMFFIAny]) -> Verdict {
        const TIMES: u32 = 8;
        // Where too few come with the answers, these keep the object alive.
        for _ in 0..TIMES {
            self.ok(self.api.TVMFFIObjectIncRef(shared.handle()))?;
        }
        let (before, _) = self.counts(shared.handle())?;
        for _ in 0..TIMES {
            drop(self.call_global(name, args)?);
        }
        let (after, _) = self.counts(shared.handle())?;
        let what = format_args!("strong count of what {name} answers when {TIMES} answers were given back");
        self.that(what, after >= before, format_args!("at least {before}"), after)?;
        (0..TIMES).try_for_each(|_| self.ok(self.api.TVMFFIObjectDecRef(shared.handle())))
    }

    /// Expects a map to have the Bytes `a value that is not short` for the String `a key that is not short`.
    pub fn has_text_entry(&self, name: &str, map: &Owned) -> Verdict {
        let args = [map.any(), view::c_str(c"a key that is not short")];
        let found = self.call_global(&format!("{name}GetItem"), &args)?;
        self.type_index_eq("type_index of the value", found.any().type_index, kTVMFFIBytes)?;
        self.eq("value", String::from_utf8_lossy(&self.text(&found.any())?), "a value that is not short".into())?;
        self.map(map.handle()).map(drop)
    }

    /// Expects `Contains` of a sequence to find a value in whatever form it is asked for, and none that is only like it.
    pub fn contains_every_form(&self, name: &str) -> Verdict {
        let samples = self.samples()?;
        // Behind few others, and behind as many as are looked at several at a time.
        let others = [view::pointer(std::ptr::null_mut()); 40];
        for (number, (kept, asked)) in pairs(&samples).enumerate() {
            let args = [&others[..if number % 2 == 0 { 1 } else { 40 }], &[kept.any()]].concat();
            let sequence = self.call_global(name, &args)?;
            let found = self.call_int(&format!("{name}Contains"), &[sequence.any(), asked.any()])?;
            let what = format_args!("whether {} is found in a sequence with {}", asked.name, kept.name);
            self.eq(what, found, kept.same(asked).into())?;
        }
        for [kept, other] in near::texts_of_one_hash() {
            let sequence = self.call_global(name, &[self.string(&kept)?.any()])?;
            for (asked, expected) in [(&kept, 1), (&other, 0)] {
                let found = self.call_int(&format!("{name}Contains"), &[sequence.any(), self.string(asked)?.any()])?;
                let what = |text: &[u8]| text.escape_ascii().to_string();
                self.eq(format_args!("whether {} is found beside {}", what(asked), what(&kept)), found, expected)?;
            }
        }
        Ok(())
    }

    /// Expects `Contains` of a sequence to find a value among as many that are only like it as there is room for, wherever it stands, and none
    /// where these are alone, however many they are.
    pub fn contains_among_the_like(&self, name: &str) -> Verdict {
        let make = self.global(name)?;
        let contains = self.global(&format!("{name}Contains"))?;
        for group in self.alike_in_payload()? {
            for (number, asked) in group.iter().enumerate() {
                let others: Vec<_> = group.iter().filter(|other| !other.same(asked)).collect();
                if others.is_empty() {
                    continue;
                }
                // In turn, so that each length comes with some; one of each three is long.
                for (turn, len) in AMONG.into_iter().enumerate().skip(number % 4).step_by(4) {
                    // From another one on each time, so that each of them stands in each place.
                    let mut items: Vec<_> = others.iter().cycle().skip(turn).take(len).map(|it| it.any()).collect();
                    let ask = |items: &[TVMFFIAny]| -> Verdict<i64> {
                        let sequence = self.call(&make, items)?;
                        Ok(self.call(&contains, &[sequence.any(), asked.any()])?.any().payload() as i64)
                    };
                    let what = |where_: &str| format!("whether {} is found {where_} {len} values like it", asked.name);
                    self.eq(what("among"), ask(&items)?, 0)?;
                    let place = [0, len / 2, len - 1][turn % 3];
                    items[place] = asked.any();
                    self.eq(what(&format!("at {place} of")), ask(&items)?, 1)?;
                }
            }
        }
        Ok(())
    }

    /// Expects `Contains` to know objects of a type with `__any_equal__` as that says, be there an `__any_hash__` or not, and all others by
    /// identity, those of a type with `__any_hash__` alone among them.
    pub fn contains_by_hooks(&self, name: &str) -> Verdict {
        const EQUAL: Body = |_, args| {
            let [one, other] = args else { return None };
            Some(view::bool(fields_of(one)?.first.payload() == fields_of(other)?.first.payload()))
        };
        const HASH: Body = |_, _| Some(view::int(7));
        let contains = format!("{name}Contains");
        for (which, equal, hash) in [
            ("neither hook", false, false),
            ("__any_equal__ alone", true, false),
            ("__any_hash__ alone", false, true),
            ("both hooks", true, true),
        ] {
            let kind = node_type(self, &format!("verify.{contains}.{which}"), kTVMFFISEqHashKindTreeNode, [0, 0])?;
            for (column, hook, wanted) in [("__any_equal__", EQUAL, equal), ("__any_hash__", HASH, hash)] {
                if wanted {
                    self.set_hook(kind, column, &self.callback(hook)?.any())?;
                }
            }
            let object = |number: i64| node(kind, view::int(number), view::int(0));
            let (kept, twin, unlike) = (object(1), object(1), object(2));
            for (others, place) in [0_usize, 1, 2, 5, 40].into_iter().flat_map(|others| [(others, 0), (others, others)])
            {
                // Besides objects of the type there are values of others.
                let beside: Vec<_> = (0..others).map(|at| object(100 + at as i64)).collect();
                let mut items: Vec<_> = beside.iter().map(Homemade::view).collect();
                items.insert(place, kept.view());
                items.push(view::int(1));
                let sequence = self.call_global(name, &items)?;
                for (asked, expected, what) in [
                    (&kept, true, "the object itself"),
                    (&twin, equal, "one with the same content"),
                    (&unlike, false, "one with another content"),
                ] {
                    let found = self.call_int(&contains, &[sequence.any(), asked.view()])?;
                    let what =
                        format_args!("whether {contains} finds {what}, of a type with {which}, {place} of {others}");
                    self.eq(what, found, expected.into())?;
                }
            }
        }
        Ok(())
    }

    /// Expects functions that look a key up in a map with so many others (`Count`, `GetItem` or `GetItemOrMissing`, each with the
    /// clause about it) to find it in whatever form it is asked for, and none that is only like it.
    pub fn finds_every_form(&self, name: &str, others: i64, doors: &[(&str, &'static str)]) -> Verdict {
        let samples = self.samples()?;
        // The other keys are like no sample.
        let others: Vec<_> = flattened(&(0..others).map(|key| (key + 1000, key)).collect::<Vec<_>>());
        let functions: Verdict<Vec<_>> = doors.iter().map(|(door, _)| self.global(&format!("{name}{door}"))).collect();
        let functions = functions?;
        for (kept, asked) in pairs(&samples) {
            let map = self.call_global(name, &[&others[..], &[kept.any(), view::int(7)]].concat())?;
            let args = [map.any(), asked.any()];
            for ((door, clause), function) in doors.iter().zip(&functions) {
                self.crumbs.set_clause(clause);
                let found = match *door {
                    "GetItem" => self.answer_of(function.handle(), &args)?.is_ok(),
                    "Count" => self.call(function, &args)?.any().payload() != 0,
                    _ => self.call(function, &args)?.any().type_index == kTVMFFIInt,
                };
                let what = format_args!("whether {} is found in a map with {} by {door}", asked.name, kept.name);
                self.eq(what, found, kept.same(asked))?;
            }
        }
        Ok(())
    }

    /// Expects functions that read the value of a key in a map with so many others (`Count`, `GetItem`, `GetItemOrMissing` or
    /// `ForwardIterFunctor`, each with the clause about it) to answer it, whatever it is, or to count the key.
    pub fn answers_every_value(&self, name: &str, others: i64, doors: &[(&str, &'static str)]) -> Verdict {
        let others = flattened(&up_to(others));
        let key = view::int(-1);
        for sample in self.samples()? {
            let map = self.call_global(name, &[&[key, sample.any()], &others[..]].concat())?;
            for (door, clause) in doors {
                self.crumbs.set_clause(clause);
                let what = format_args!("the value {} by {name}{door}", sample.name);
                match *door {
                    "Count" => self.eq(what, self.call_int(&format!("{name}{door}"), &[map.any(), key])?, 1)?,
                    "ForwardIterFunctor" => {
                        let next = self.call_global(&format!("{name}{door}"), &[map.any()])?;
                        self.is_sample(what, &self.call(&next, &[view::int(1)])?.any(), &sample)?;
                    }
                    _ => {
                        let found = self.call_global(&format!("{name}{door}"), &[map.any(), key])?;
                        self.is_sample(what, &found.any(), &sample)?;
                    }
                }
            }
        }
        // What stands for a missing key may itself be the value of one.
        let Some(make) = globals::find(self, "ffi.GetInvalidObject")? else { return Ok(()) };
        let missing = self.call(&make, &[])?;
        let map = self.call_global(name, &[&[key, missing.any()], &others[..]].concat())?;
        for (door, clause) in doors.iter().filter(|(door, _)| ["Count", "GetItem"].contains(door)) {
            self.crumbs.set_clause(clause);
            let found = self.call_global(&format!("{name}{door}"), &[map.any(), key])?;
            let expected = if *door == "Count" { view::int(1) } else { missing.any() };
            let what = format_args!("the value that ffi.GetInvalidObject answers, by {name}{door}");
            self.any_eq(what, &found.any(), &expected)?;
        }
        Ok(())
    }

    /// What every function that reads a map, whose keys are integers and texts, answers about those and about a few others.
    pub fn all_that_is_read(&self, name: &str, map: &TVMFFIAny) -> Verdict<Vec<(i32, u64)>> {
        let mut all = vec![(kTVMFFIInt, self.call_int(&format!("{name}Size"), &[*map])? as u64)];
        let keys =
            (-2..22).map(view::int).chain([view::c_str(c"a text that is not short"), view::c_str(c"another one")]);
        let [count, get] = ["Count", "GetItem"].map(|door| self.global(&format!("{name}{door}")));
        let (count, get) = (count?, get?);
        let or_missing = globals::find(self, &format!("{name}GetItemOrMissing"))?;
        for key in keys {
            all.push((kTVMFFIInt, self.call(&count, &[*map, key])?.any().payload()));
            let found = self.answer_of(get.handle(), &[*map, key])?;
            all.extend(found.ok().map(|value| (value.any().type_index, value.any().payload())));
            if let Some(get) = &or_missing {
                let found = self.call(get, &[*map, key])?.any();
                all.push((found.type_index, found.payload()));
            }
        }
        let next = self.call_global(&format!("{name}ForwardIterFunctor"), &[*map])?;
        loop {
            for command in [0, 1] {
                let found = self.call(&next, &[view::int(command)])?.any();
                all.push((found.type_index, found.payload()));
            }
            if self.call(&next, &[view::int(2)])?.any().payload() == 0 {
                return Ok(all);
            }
        }
    }

    /// Expects a map to tell keys apart that have one hash, whatever their types, and to find each. The clauses are those
    /// of `Count`, of `GetItem` for a key that is there, and for one that is not.
    pub fn tells_apart(&self, name: &str, others: i64, clauses: [&str; 3]) -> Verdict {
        let mut keys = keys_of_one_hash().to_vec();
        let texts = texts_of_one_hash().map(|text| self.string(&text));
        let texts = texts.into_iter().collect::<Verdict<Vec<_>>>()?;
        keys.extend(texts.iter().map(Owned::any));
        for missing in 0..keys.len() {
            let there = (0..).zip(&keys).filter(|(number, _)| *number != missing as i64);
            let mut args = flattened(&up_to(others));
            args.extend(there.flat_map(|(number, key)| [*key, view::int(100 + number)]));
            let map = self.call_global(name, &args)?;
            self.eq("entries", self.map(map.handle())?.entries.len(), others as usize + keys.len() - 1)?;
            for (number, key) in (0..).zip(&keys) {
                let is_there = number != missing as i64;
                self.crumbs.set_clause(clauses[if is_there { 1 } else { 2 }]);
                let got =
                    self.answer(&format!("{name}GetItem"), &[map.any(), *key])?.map(|value| value.any().payload());
                self.eq(format_args!("value of {key:?}"), got.ok(), is_there.then_some(100 + number as u64))?;
                self.crumbs.set_clause(clauses[0]);
                let count = self.call_int(&format!("{name}Count"), &[map.any(), *key])?;
                self.eq(format_args!("whether {key:?} is there"), count, is_there.into())?;
            }
        }
        Ok(())
    }

    /// Expects the function that makes a map to refuse a key without a value, and to hold nothing of the call.
    pub fn refuses_odd(&self, name: &str) -> Verdict {
        for count in (1..=21).step_by(2) {
            let objects: Vec<_> = (0..count).map(|_| Homemade::new(kTVMFFIObject, ())).collect();
            self.refuses(name, &objects.iter().map(Homemade::view).collect::<Vec<_>>(), &[])?;
            for (at, object) in objects.iter().enumerate() {
                let what = format_args!("counts of argument {at} of {count} that were refused");
                self.eq(what, object.counts(), (1, 1))?;
            }
        }
        Ok(())
    }

    /// Expects each function, given with the number of its arguments, to refuse each of these values as its first one.
    pub fn refuse_first(&self, functions: &[(&str, usize)], values: &[TVMFFIAny]) -> Verdict {
        for (name, count) in functions {
            for value in values {
                self.refuses(name, &[*value, view::int(0), view::int(0)][..*count], &["TypeError"])?;
            }
        }
        Ok(())
    }
}
