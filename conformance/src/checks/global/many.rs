//! Names that come and go among many others.

use std::{collections::HashMap, ffi::CString, ptr::null_mut};

use tvm_ffi_spec::{clause::id, *};

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, view},
    trial::Trial,
};

/// Which of so many names are removed, one after the other.
type Order = fn(usize) -> Vec<usize>;

const ORDERS: [(&str, Order); 6] = [
    ("each third", |count| (0..count).step_by(3).collect()),
    ("each third, the last one first", |count| (0..count).rev().step_by(3).collect()),
    ("all but each third", |count| (0..count).filter(|number| number % 3 != 0).collect()),
    ("the first half", |count| (0..count / 2).collect()),
    ("scattered ones", |count| (0..count / 2).map(|step| step * 7 % count).collect()),
    ("all, the last one first", |count| (0..count).rev().collect()),
];

/// How the names are spelt, by number.
type Spelling = fn(usize) -> String;

/// Whichever of many names are removed, in whichever order, and registered again, the functions of all others are found and listed, and those of
/// the removed ones are not found.
#[check(GLB_0018, GLB_0001, GLB_0032, GLB_0020, patient = 2)]
fn removed_among_many(t: &Trial) -> Verdict {
    let spellings: [(usize, Spelling); 3] = [
        (1500, |number| format!("n{number}")),
        (1000, |number| format!("verify.of-many.{number}.which-is-not-short")),
        (40, |number| format!("v.{number}")),
    ];
    for (count, spelling) in spellings {
        let mut names = Names::new(t, count, spelling)?;
        (0..count).try_for_each(|number| names.put(t, number))?;
        names.are_found(t, "after all were registered")?;
        for (which, order) in ORDERS {
            let removed = order(count);
            removed.iter().try_for_each(|number| names.take_out(t, *number))?;
            names.are_found(t, &format!("after of {count} names {which} were removed"))?;
            if which == ORDERS[0].0 {
                names.are_listed(t)?;
            }
            removed.iter().rev().try_for_each(|number| names.put(t, *number))?;
            names.are_found(t, &format!("after of {count} names {which} were removed and registered again"))?;
        }
    }
    Ok(())
}

/// In any long sequence of names removed and registered again, each name that is registered then leads to its function, and no other does.
#[check(GLB_0018, GLB_0001, GLB_0032, patient = 2)]
fn come_and_go(t: &Trial) -> Verdict {
    for (count, steps, look_each) in [(24, 400, 1), (200, 1500, 50), (1000, 4000, 500)] {
        let mut names = Names::new(t, count, |number| format!("verify.comes-and-goes.{number}"))?;
        (0..count).try_for_each(|number| names.put(t, number))?;
        let mut random = 0x2545_f491_4f6c_dd1d_u64;
        for step in 1..=steps {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let number = (random >> 16) as usize % count;
            if names.taken[number].is_some() {
                names.take_out(t, number)?;
            } else {
                names.put(t, number)?;
            }
            if step % look_each == 0 {
                names.are_found(t, &format!("after {step} names of {count} were removed or registered again"))?;
            }
        }
        // What follows has names of its own: these would be registered a second time.
        for number in 0..count {
            if names.taken[number].is_some() {
                names.take_out(t, number)?;
            }
        }
    }
    Ok(())
}

/// However many names, each another, have come and gone, one at a time or a few, a name that was never registered leads to nothing, and
/// those that stayed lead to their functions.
#[check(GLB_0003, GLB_0001, GLB_0018, patient = 2)]
fn others_come_and_go(t: &Trial) -> Verdict {
    // How many names there are, how many of them at a time, and each how many-th stays.
    let rounds: [(usize, usize, usize, Spelling); 3] = [
        (6000, 1, 3000, |number| format!("verify.once.{number}")),
        (3000, 7, 500, |number| format!("o{number}")),
        (2000, 40, 50, |number| format!("v.{number}.comes-and-goes")),
    ];
    for (count, at_a_time, stays, spelling) in rounds {
        let mut names = Names::new(t, count, spelling)?;
        for number in 0..count {
            names.put(t, number)?;
            match number.checked_sub(at_a_time - 1) {
                Some(oldest) if oldest % stays != 0 => names.take_out(t, oldest)?,
                _ => {}
            }
            names.nobody_has(t, b"verify.never-registered")?;
            names.nobody_has(t, names.names[number].to_bytes_with_nul())?;
        }
        names.are_found(t, &format!("after {count} names have come, and most of them gone"))?;
        for number in 0..count {
            if names.taken[number].is_some() {
                names.take_out(t, number)?;
            }
        }
        names.are_found(t, &format!("after {count} names have come and gone"))?;
    }
    Ok(())
}

/// Many names, and which of a few functions is registered under each that is taken.
struct Names {
    names: Vec<CString>,
    taken: Vec<Option<usize>>,
    functions: Vec<Owned>,
    remove: Owned,
    /// How often a name was registered.
    registered: usize,
}

impl Names {
    fn new(t: &Trial, count: usize, spelling: Spelling) -> Verdict<Self> {
        let functions = (0..3).map(|tag| tagged(t, tag)).collect::<Verdict<Vec<_>>>()?;
        let names = (0..count).map(|number| CString::new(spelling(number)).unwrap_or_default()).collect();
        t.api.note(&format!("TVMFFIFunctionSetGlobal, TVMFFIFunctionGetGlobal and removing, of {count} names"));
        let remove = t.global("ffi.FunctionRemoveGlobal")?;
        Ok(Self { names, taken: vec![None; count], functions, remove, registered: 0 })
    }

    /// Registers a name that is free, for the next function.
    fn put(&mut self, t: &Trial, number: usize) -> Verdict {
        t.clause(if self.registered < self.names.len() { id::GLB_0001 } else { id::GLB_0032 });
        let set = t.api.bare("TVMFFIFunctionSetGlobal", |table| table.TVMFFIFunctionSetGlobal);
        let function = self.registered % self.functions.len();
        let name = TVMFFIByteArray::new(self.names[number].to_bytes());
        // SAFETY: a call as the header asks for; the target is the one under test.
        t.ok(unsafe { set(&name, self.functions[function].handle(), 0) })?;
        self.taken[number] = Some(function);
        self.registered += 1;
        Ok(())
    }

    /// Removes a name that is taken.
    fn take_out(&mut self, t: &Trial, number: usize) -> Verdict {
        t.clause(id::GLB_0018);
        t.call_untraced(self.remove.handle() as usize, &[view::c_str(&self.names[number])])?;
        self.taken[number] = None;
        Ok(())
    }

    /// Expects a name that is none of these to lead to nothing.
    fn nobody_has(&self, t: &Trial, name: &[u8]) -> Verdict {
        t.clause(id::GLB_0003);
        let get = t.api.bare("TVMFFIFunctionGetGlobal", |table| table.TVMFFIFunctionGetGlobal);
        let mut found = null_mut();
        // SAFETY: a call as the header asks for; the target is the one under test.
        t.ok(unsafe { get(&TVMFFIByteArray::new(name), &mut found) })?;
        t.eq("function under a name that nobody has", found, null_mut())
    }

    /// Expects each name to lead to its function, or to none.
    fn are_found(&self, t: &Trial, when: &str) -> Verdict {
        let get = t.api.bare("TVMFFIFunctionGetGlobal", |table| table.TVMFFIFunctionGetGlobal);
        let release = t.api.bare("TVMFFIObjectDecRef", |table| table.TVMFFIObjectDecRef);
        for (name, taken) in self.names.iter().zip(&self.taken) {
            t.clause(if taken.is_some() { id::GLB_0001 } else { id::GLB_0018 });
            let mut found = null_mut();
            // SAFETY: a call as the header asks for; the target is the one under test.
            t.ok(unsafe { get(&TVMFFIByteArray::new(name.to_bytes()), &mut found) })?;
            let expected = taken.map_or(null_mut(), |function| self.functions[function].handle());
            t.eq(format_args!("function under {name:?} {when}"), found, expected)?;
            if !found.is_null() {
                // SAFETY: the reference that was just taken.
                t.ok(unsafe { release(found) })?;
            }
        }
        Ok(())
    }

    /// Expects each name that is taken to be listed once.
    fn are_listed(&self, t: &Trial) -> Verdict {
        t.clause(id::GLB_0020);
        let mut times: HashMap<Vec<u8>, usize> = HashMap::new();
        for name in listed(t)? {
            *times.entry(name).or_default() += 1;
        }
        for (name, _) in self.names.iter().zip(&self.taken).filter(|(_, taken)| taken.is_some()) {
            let listed = times.get(name.to_bytes()).copied().unwrap_or_default();
            t.eq(format_args!("times that {name:?} is listed after others were removed"), listed, 1)?;
        }
        Ok(())
    }
}
