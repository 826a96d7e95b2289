//! Objects that a caller gives away among many arguments, or as keys that a map has already: each is taken, and none stays behind.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::keys::text_object,
        given::Given,
        globals,
        homemade::{Homemade, release, retain},
        reflected, types, view,
    },
    trial::Trial,
};

/// Numbers of arguments: few and many, even for those that take pairs, around the sizes of small and of dense maps.
const COUNTS: [usize; 9] = [1, 2, 4, 5, 6, 9, 10, 16, 20];

/// A function that makes a container of its arguments takes an object out of the caller's slot at each of up to twenty places, alone
/// and with all that follow, beside numbers, texts and objects that are lent.
#[check(ARG_0007, ARR_0007)]
fn at_every_place(t: &Trial) -> Verdict {
    let lent = Homemade::new(kTVMFFIObject, ());
    for (name, has_keys) in [("ffi.Array", false), ("ffi.List", false), ("ffi.Map", true), ("ffi.Dict", true)] {
        let Some(function) = globals::find(t, name)? else { continue };
        t.clause(if name == "ffi.Array" { id::ARR_0007 } else { id::ARG_0007 });
        for count in COUNTS.into_iter().filter(|count| !has_keys || count % 2 == 0) {
            for (first, last) in (0..count).flat_map(|place| [(place, place), (place, count - 1)]) {
                let mut given: Vec<_> = (first..=last).map(|_| Given::default()).collect();
                let mut args: Vec<_> = (0..count).map(|place| beside(place, &lent)).collect();
                args[first..=last].iter_mut().zip(&mut given).for_each(|(arg, given)| *arg = given.arg());
                let made = t.call(&function, &args)?;
                let values: Vec<_> = match has_keys {
                    true => t.map(made.handle())?.entries.into_iter().flat_map(|(key, value)| [key, value]).collect(),
                    false => t.sequence(made.handle())?.items,
                };
                let what = format!("{name} among {count} arguments, in the places {first} to {last}");
                t.eq(format_args!("number of values of {what}"), values.len(), count)?;
                for (value, given) in values[first..=last].iter().zip(&given) {
                    t.any_eq(format_args!("an object given to {what}"), value, &given.view())?;
                }
                drop(made);
                given.iter().try_for_each(|given| given.is_taken_and_gone(t, &what))?;
            }
        }
        t.eq(format_args!("counts of an object lent to {name}"), lent.counts(), (1, 1))?;
    }
    Ok(())
}

/// What is no gift: in the places of keys numbers, which all differ, and elsewhere texts and an object, too.
fn beside(place: usize, lent: &Homemade) -> TVMFFIAny {
    match place % 8 {
        3 => view::c_str(c"a text that has to be copied, and is not short"),
        5 => lent.view(),
        _ => view::int(place as i64),
    }
}

/// An object that is given to ffi.Shape in any of up to twenty places stays in its slot or ends.
#[check(ARG_0001)]
fn at_every_place_of_a_shape(t: &Trial) -> Verdict {
    let make = t.global("ffi.Shape")?;
    for count in COUNTS {
        for place in 0..count {
            let mut given = Given::default();
            let mut args: Vec<_> = (0..count as i64).map(view::int).collect();
            args[place] = given.arg();
            drop(t.answer_of(make.handle(), &args)?);
            given.is_accounted_for(t, format_args!("ffi.Shape in place {place} of {count}"))?;
        }
    }
    Ok(())
}

/// The functions that make structural keys take the key out of the caller's slot, and only what they have made holds it.
#[check(ARG_0007)]
fn structural_keys(t: &Trial) -> Verdict {
    let mut doors = Vec::new();
    doors.extend(globals::find(t, "ffi.StructuralKey")?.map(|function| ("ffi.StructuralKey", function)));
    if let Some(index) = types::find(t, "ffi.StructuralKey") {
        let methods = reflected::methods(t, index)?;
        let method = methods.iter().find(|method| t.read_array("name of a method", method.name).is_ok_and(is_init));
        if let Some(method) = method {
            let function = reflected::share(t, method.method)?;
            // Of the first release that had such keys it took the hash, too.
            if t.answer_of(function.handle(), &[view::int(1)])?.is_ok() {
                doors.push(("the method __ffi_init__", function));
            }
        }
    }
    for (name, function) in &doors {
        for make in ["ffi.Array", "ffi.Map"] {
            let key = t.call_global(make, &[view::int(1), view::int(2)])?;
            retain(key.handle());
            let mut slot = key.handle();
            let moved = TVMFFIAny::new(kTVMFFIObjectRValueRef, std::ptr::from_mut(&mut slot) as u64);
            let made = t.call(function, &[moved])?;
            t.eq(format_args!("the slot of what {make} made, given to {name}"), slot, std::ptr::null_mut())?;
            drop(made);
            t.eq(format_args!("counts of what {make} made, given to {name}"), t.counts(key.handle())?, (1, 1))?;
        }
    }
    Ok(())
}

fn is_init(name: Vec<u8>) -> bool {
    name == b"__ffi_init__"
}

/// The ways in which a key and a value, and then an equal key with another value, are given: lent or given away.
const WAYS: [[bool; 2]; 4] = [[false, false], [false, true], [true, false], [true, true]];

/// A key that is given again, be it the same object or an equal text, is held by nobody once the Map or the Dict has ended, however both are
/// given, with whatever before, between and behind; and so are both values.
#[check(MAP_0032, DCT_0034)]
fn key_given_again(t: &Trial) -> Verdict {
    for (name, clause) in [("ffi.Map", id::MAP_0032), ("ffi.Dict", id::DCT_0034)] {
        let Some(make) = globals::find(t, name)? else { continue };
        let set = if name == "ffi.Dict" { globals::find(t, "ffi.DictSetItem")? } else { None };
        t.clause(clause);
        for (type_index, way, others) in [kTVMFFIStr, kTVMFFIBytes]
            .into_iter()
            .flat_map(|of| WAYS.iter().flat_map(move |way| [0, 1, 2, 3, 4, 9].map(|others| (of, *way, others))))
        {
            for place in 0..3 {
                let [mut first, mut again] = [(); 2].map(|()| Twice::new(type_index));
                let [one, other] = [first.args(way[0]), again.args(way[1])];
                let fill: Vec<_> = (0..2 * others).map(view::int).collect();
                let [before, between, behind] = [0, 1, 2].map(|at| if at == place { &fill[..] } else { &[] });
                let what = format!("{name}, beside {others}, place {place}, given away: {way:?}");
                drop(t.call(&make, &[before, &one, between, &other, behind].concat())?);
                first.is_free(t, &what)?;
                again.is_free(t, &what)?;
                // The same one after the other: what is in the Dict is the first key, or none.
                let Some(set) = set.as_ref().filter(|_| place == 0) else { continue };
                let [mut first, mut again] = [(); 2].map(|()| Twice::new(type_index));
                let dict = t.call(&make, &fill)?;
                for args in [first.args(way[0]), again.args(way[1])] {
                    t.call(set, &[&[dict.any()], &args[..]].concat())?;
                }
                drop(dict);
                let what = format!("ffi.DictSetItem, beside {others}, given away: {way:?}");
                first.is_free(t, &what)?;
                again.is_free(t, &what)?;
            }
        }
    }
    Ok(())
}

/// A text and an object, each in a slot that also may give it away.
struct Twice {
    key: Slot<TVMFFIByteArray>,
    value: Slot<()>,
}

struct Slot<C> {
    object: Homemade<C>,
    slot: Box<TVMFFIObjectHandle>,
}

impl Twice {
    fn new(type_index: i32) -> Self {
        let key = Slot::new(text_object(type_index, b"a key that is not short"));
        Self { key, value: Slot::new(Homemade::new(kTVMFFIObject, ())) }
    }

    fn args(&mut self, gives: bool) -> [TVMFFIAny; 2] {
        [self.key.arg(gives), self.value.arg(gives)]
    }

    /// Expects nobody to hold the two but the caller, who holds them where they were not taken.
    fn is_free(&mut self, t: &Trial, what: &str) -> Verdict {
        self.key.is_free(t, format!("a key given to {what}"))?;
        self.value.is_free(t, format!("a value given to {what}"))
    }
}

impl<C> Slot<C> {
    fn new(object: Homemade<C>) -> Self {
        let slot = Box::new(object.handle());
        Self { object, slot }
    }

    fn arg(&mut self, gives: bool) -> TVMFFIAny {
        match gives {
            true => TVMFFIAny::new(kTVMFFIObjectRValueRef, std::ptr::from_mut(&mut *self.slot) as u64),
            false => self.object.view(),
        }
    }

    fn is_free(&mut self, t: &Trial, what: String) -> Verdict {
        // Whoever has lent it, or still has it in the slot, gives it up.
        if !self.slot.is_null() {
            t.eq(format_args!("the slot of {what}"), *self.slot, self.object.handle())?;
            release(self.object.handle());
        }
        match self.object.ends().len() {
            0 => Err(t.leak(format!("ends of {what}"), 1, 0)),
            _ => t.ended_once(format_args!("ends of {what}"), &self.object),
        }
    }
}

/// A key that is equal to one that a map has is taken out of the caller's slot by each function that looks it up, and ends.
#[check(ARG_0007)]
fn key_that_is_equal(t: &Trial) -> Verdict {
    const DOORS: [(&str, &[&str]); 2] = [
        ("ffi.Map", &["ffi.MapCount", "ffi.MapGetItem", "ffi.MapGetItemOrMissing"]),
        (
            "ffi.Dict",
            &["ffi.DictCount", "ffi.DictGetItem", "ffi.DictGetItemOrMissing", "ffi.DictSetItem", "ffi.DictErase"],
        ),
    ];
    for ((kind, doors), others) in DOORS.iter().flat_map(|doors| [0, 1, 3, 4, 9].map(|others| (doors, others))) {
        let Some(make) = globals::find(t, kind)? else { continue };
        let doors: Vec<(&str, Owned)> = doors
            .iter()
            .filter_map(|name| globals::find(t, name).transpose().map(|found| found.map(|found| (*name, found))))
            .collect::<Verdict<_>>()?;
        for ((name, door), type_index) in doors.iter().flat_map(|door| [kTVMFFIStr, kTVMFFIBytes].map(|of| (door, of)))
        {
            let text = || text_object(type_index, b"a key that is not short");
            let (known, mut given) = (text(), Given::new(text()));
            let fill = (0..2 * others).map(view::int);
            let entries: Vec<_> = fill.chain([known.view(), view::int(-1)]).collect();
            let map = t.call(&make, &entries)?;
            let args = [map.any(), given.arg(), view::int(-2)];
            drop(t.call(door, if *name == "ffi.DictSetItem" { &args } else { &args[..2] })?);
            drop(map);
            given.is_taken_and_gone(t, format_args!("{name} that has an equal one beside {others}"))?;
            t.eq(format_args!("counts of the key that was there for {name}"), known.counts(), (1, 1))?;
        }
    }
    Ok(())
}
