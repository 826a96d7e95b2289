//! Values of every size, and on several threads at once.

use tvm_ffi_spec::{TVMFFIAny, clause::id, kTVMFFIArray, kTVMFFIList};

use crate::{
    checks::check,
    client::{
        Client, Owned, Verdict,
        model::Value,
        samples::{Place, SIZES},
        view,
    },
    trial::Trial,
};

/// Containers of every kind and size are recursively equal, with one hash, exactly if all their values are.
#[check(REC_0004, REC_0011, patient = 2)]
fn equal_of_every_size(t: &Trial) -> Verdict {
    for size in SIZES {
        let (all, twins, others) = (t.containers_of(size, -1)?, t.containers_of(size, -1)?, t.containers_of(size, -2)?);
        for ((one, twin), other) in all.iter().zip(&twins).zip(&others) {
            let what = format_args!("containers of type {} and {size} values", one.any().type_index);
            t.clause(id::REC_0004);
            let equal = |other: &Owned| t.call_int("ffi.RecursiveEq", &[one.any(), other.any()]);
            t.eq(format_args!("whether equal {what} are equal"), equal(twin)?, 1)?;
            t.eq(format_args!("whether {what} that differ in the last are equal"), equal(other)?, (size == 0).into())?;
            t.clause(id::REC_0011);
            t.eq(format_args!("the hash of {what}"), t.recursive_hash(&twin.any())?, t.recursive_hash(&one.any())?)?;
        }
    }
    Ok(())
}

/// A List or a Dict that has had more values is recursively equal to a new one with the same values, and has its hash.
#[check(REC_0004, REC_0011)]
fn what_was_there_before(t: &Trial) -> Verdict {
    for (size, more) in [0, 1, 4, 9, 20].into_iter().flat_map(|size| [1, 5, 60].map(|more| (size, more))) {
        let ints = |count: i64| (0..count).map(view::int).collect::<Vec<_>>();
        let pairs = |count: i64| (0..count).flat_map(|at| [view::int(at), view::int(-at)]).collect::<Vec<_>>();
        let list = t.call_global("ffi.List", &ints(size + more))?;
        t.call_void("ffi.ListEraseRange", &[list.any(), view::int(size), view::int(size + more)])?;
        let dict = t.call_global("ffi.Dict", &pairs(size + more))?;
        for key in size..size + more {
            t.call_void("ffi.DictErase", &[dict.any(), view::int(key)])?;
        }
        let new = [t.call_global("ffi.List", &ints(size))?, t.call_global("ffi.Dict", &pairs(size))?];
        for (old, new) in [list, dict].iter().zip(&new) {
            let what =
                format_args!("a container of type {} with {size} of {} values", new.any().type_index, size + more);
            t.clause(id::REC_0004);
            let equal = t.call_int("ffi.RecursiveEq", &[old.any(), new.any()])?;
            t.eq(format_args!("whether {what} left equals a new one"), equal, 1)?;
            t.clause(id::REC_0011);
            t.eq(
                format_args!("the hash of {what} left"),
                t.recursive_hash(&old.any())?,
                t.recursive_hash(&new.any())?,
            )?;
        }
    }
    Ok(())
}

/// Maps and Dicts with the same entries in another order have one recursive hash where they are recursively equal, whatever their size
/// and keys, and wherever they stand.
#[check(REC_0011, patient = 2)]
fn equal_in_another_order(t: &Trial) -> Verdict {
    let makes: Vec<_> = t.containers()?.into_iter().filter(|make| ["ffi.Map", "ffi.Dict"].contains(make)).collect();
    for (make, size) in makes.iter().flat_map(|make| [1_usize, 2, 3, 4, 5, 6, 9].map(|size| (*make, size))) {
        let texts = (0..size).map(|at| t.string(format!("key {at}").as_bytes())).collect::<Verdict<Vec<_>>>()?;
        let value = |at: usize| view::int(100 - at as i64);
        let of_ints: Vec<_> = (0..size).map(|at| [view::int(at as i64), value(at)]).collect();
        let of_texts: Vec<_> = texts.iter().enumerate().map(|(at, text)| [text.any(), value(at)]).collect();
        for (keys, entries) in [("integers", of_ints), ("texts", of_texts)] {
            let made =
                |order: &[usize]| t.call_global(make, &order.iter().flat_map(|at| entries[*at]).collect::<Vec<_>>());
            let orders = orders(size);
            let first = made(&orders[0])?;
            for order in &orders[1..] {
                let other = made(order)?;
                for place in [Place::Alone, Place::InArray, Place::MapValue] {
                    let (one, other) = (place.put(t, &first.any())?, place.put(t, &other.any())?);
                    // Whether the order of entries counts is for other clauses to say.
                    if t.call_int("ffi.RecursiveEq", &[one.any(), other.any()])? != 0 {
                        let hashes = (t.recursive_hash(&other.any())?, t.recursive_hash(&one.any())?);
                        let what =
                            format_args!("the hash of {make} of {size} {keys} in the order {order:?}, {place:?}");
                        t.eq(what, hashes.0, hashes.1)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// The orders that so many entries may have: all if they are few; else those that begin elsewhere, forwards and backwards.
fn orders(size: usize) -> Vec<Vec<usize>> {
    if size > 4 {
        let turned = |turns: usize| {
            let forwards: Vec<usize> = (0..size).map(|at| (at + turns) % size).collect();
            let backwards = forwards.iter().rev().copied().collect();
            [forwards, backwards]
        };
        return (0..size).flat_map(turned).collect();
    }
    let mut all: Vec<Vec<usize>> = vec![vec![]];
    for at in 0..size {
        let longer =
            |order: Vec<usize>| (0..=order.len()).map(move |place| [&order[..place], &[at], &order[place..]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// The deep copy of a container of any kind and size has all its values, and is held once.
#[check(REC_0015, REC_0021, patient = 2)]
fn copy_of_every_size(t: &Trial) -> Verdict {
    for size in SIZES {
        for value in t.containers_of(size, -1)? {
            t.clause(id::REC_0015);
            let copy = t.call_global("ffi.DeepCopy", &[value.any()])?;
            t.type_index_eq("type_index of the copy", copy.any().type_index, value.any().type_index)?;
            let (got, expected) = (Value::read(t, &copy.any())?, Value::read(t, &value.any())?);
            t.that(format_args!("the copy of {size} values"), got == expected, "all of them", format_args!("{got:?}"))?;
            t.clause(id::REC_0021);
            // All empty Arrays may be one object, and so may all empty Maps.
            if copy.handle() != value.handle() && size > 0 {
                t.eq("counts of the copy", t.counts(copy.handle())?, (1, 1))?;
                t.eq("counts of the original", t.counts(value.handle())?, (1, 1))?;
            }
        }
    }
    Ok(())
}

/// A sequence of any size is printed with all its elements.
#[check(REC_0024, patient = 2)]
fn repr_of_every_size(t: &Trial) -> Verdict {
    for size in SIZES {
        let elements: Vec<_> =
            (0..size).map(|at| if at + 1 == size { "-1".to_owned() } else { at.to_string() }).collect();
        let elements = elements.join(", ");
        let comma = if size == 1 { "," } else { "" };
        for value in t.containers_of(size, -1)? {
            match value.any().type_index {
                kTVMFFIArray => t.prints(&value.any(), &format!("({elements}{comma})"))?,
                kTVMFFIList => t.prints(&value.any(), &format!("[{elements}]"))?,
                _ => {}
            }
        }
    }
    Ok(())
}

/// Threads may compare, hash, copy and print one value at the same time.
#[check(REC_0038)]
fn threads(t: &Trial) -> Verdict {
    let (one, twin) = (t.containers_of(40, -1)?, t.containers_of(40, -1)?);
    let pairs: Vec<_> = one.iter().zip(&twin).map(|(one, twin)| [one.any(), twin.any()]).collect();
    t.same_on_threads("equality, hash, copy and printed form on several threads", |client| {
        pairs.iter().map(|pair| answers(client, pair)).collect::<Verdict<Vec<_>>>()
    })
}

/// Containers are compared, hashed, copied and printed on a thread with a small stack as on any other.
#[check(REC_0015, REC_0004, REC_0011)]
fn on_a_small_stack(t: &Trial) -> Verdict {
    let (one, twin) = (t.containers_of(3, -1)?, t.containers_of(3, -1)?);
    let pairs: Vec<_> = one.iter().zip(&twin).map(|(one, twin)| [one.any(), twin.any()]).collect();
    t.same_on_a_small_stack("equality, hash, copy and printed form on a thread with a small stack", |client| {
        pairs.iter().map(|pair| answers(client, pair)).collect::<Verdict<Vec<_>>>()
    })
}

/// Values of a few levels are compared, hashed, copied and printed by a process that can open no file.
#[check(REC_0030, fresh)]
fn without_files(t: &Trial) -> Verdict {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let files = getrlimit(Resource::Nofile);
    let limit = |current| setrlimit(Resource::Nofile, Rlimit { current, ..files });
    limit(Some(0)).map_err(|problem| t.error("a limit to the number of files", problem))?;
    let nested = || -> Verdict<Owned> {
        (0..60).try_fold(t.call_global("ffi.Array", &[])?, |inner, level| {
            let entry = [view::int(1), inner.any()];
            if level % 2 == 0 { t.call_global("ffi.Array", &entry) } else { t.call_global("ffi.Map", &entry) }
        })
    };
    let answers = answers(t, &[nested()?.any(), nested()?.any()]);
    // What is written of a failure may take files.
    limit(files.current).map_err(|problem| t.error("a limit to the number of files", problem))?;
    t.eq("whether two values are equal", answers?.equal, 1)
}

/// What is answered of two values: whether they are equal and in order, and the hash, the copy and the printed form of the first.
#[derive(Debug, PartialEq)]
struct Answers {
    equal: i64,
    less: Option<i64>,
    hash: i64,
    copy: Value,
    text: String,
}

fn answers(client: &Client, [lhs, rhs]: &[TVMFFIAny; 2]) -> Verdict<Answers> {
    let equal = client.call_int("ffi.RecursiveEq", &[*lhs, *rhs])?;
    let is_sequence = matches!(lhs.type_index, kTVMFFIArray | kTVMFFIList);
    let less = is_sequence.then(|| client.call_int("ffi.RecursiveLt", &[*lhs, *rhs])).transpose()?;
    let copy = Value::read(client, &client.call_global("ffi.DeepCopy", &[*lhs])?.any())?;
    let text = client.printed(lhs)?;
    Ok(Answers { equal, less, hash: client.recursive_hash(lhs)?, copy, text })
}
