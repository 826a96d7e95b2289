//! Dicts beside a model: any operations, by the library's functions and by a client in place, with a look at the memory
//! after each.

use proptest::{collection::vec, prelude::*};
use tvm_ffi_spec::clause::id;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::{
            client::{self, free_buffer},
            keys::{Entry, Pool, Pooled, values},
            map::{MapCell, SMALL},
            retain,
        },
    },
    trial::Trial,
};

/// How many objects may be keys and values.
const OBJECTS: usize = 3;

/// An operation.
#[derive(Clone, Debug)]
enum Op {
    Set(Pooled, Pooled),
    Erase(Pooled),
    Clear,
    Get(Pooled),
}

/// Any operation on keys and values of every kind.
fn ops() -> impl Strategy<Value = Op> {
    let value = || values(OBJECTS);
    prop_oneof![
        20 => (value(), value()).prop_map(|(key, value)| Op::Set(key, value)),
        6 => value().prop_map(Op::Erase),
        1 => Just(Op::Clear),
        4 => value().prop_map(Op::Get),
    ]
}

/// Insertions and erasures of few numbers, which meet again and again, and of numbers whose chains begin in one slot.
fn ops_on_numbers() -> impl Strategy<Value = Op> {
    let number = || prop_oneof![4 => 0_i64..24, 1 => (0_i64..24).prop_map(|number| number << 40)].prop_map(Pooled::Int);
    prop_oneof![
        8 => (number(), number()).prop_map(|(key, value)| Op::Set(key, value)),
        4 => number().prop_map(Op::Erase),
    ]
}

/// Random changes lead to the entries that a model predicts, and a Dict holds each object once.
#[check(DCT_0002, DCT_0003, DCT_0004, DCT_0005, patient = 2)]
fn model(t: &Trial) -> Verdict {
    t.short_backtraces();
    t.property(vec(ops(), 0..16), |ops| {
        let (pool, mut model) = (Pool::new(OBJECTS), Vec::new());
        let dict = t.call_global("ffi.Dict", &[])?;
        for op in ops {
            apply(t, &pool, &dict, &mut model, op, false)?;
            agrees(t, &pool, &dict, &model)?;
        }
        drop(dict);
        pool.let_go(t)
    })
}

/// A dense Dict of integers keeps sound chains and links through random insertions and erasures.
#[check(DCT_0016, DCT_0002, DCT_0003, DCT_0004, patient = 2)]
fn model_of_numbers(t: &Trial) -> Verdict {
    t.property(vec(ops_on_numbers(), 0..32), |ops| {
        let (pool, mut model) = (Pool::new(0), Vec::new());
        let dict = t.call_global("ffi.Dict", &[])?;
        for op in ops {
            apply(t, &pool, &dict, &mut model, op, false)?;
            t.clause(id::DCT_0016);
            agrees(t, &pool, &dict, &model)?;
        }
        Ok(())
    })
}

/// Random changes to a Dict, by the library and by a client in place, lead to what a model predicts.
#[check(DCT_0025, DCT_0002, DCT_0003, DCT_0004, DCT_0005, patient = 2)]
fn model_with_client(t: &Trial) -> Verdict {
    t.short_backtraces();
    t.property(vec((any::<bool>(), ops()), 0..16), |ops| {
        let (pool, mut model) = (Pool::new(OBJECTS), Vec::new());
        let dict = t.call_global("ffi.Dict", &[])?;
        for (by_client, op) in ops {
            apply(t, &pool, &dict, &mut model, op, *by_client)?;
            t.clause(id::DCT_0025);
            agrees(t, &pool, &dict, &model)?;
        }
        drop(dict);
        pool.let_go(t)
    })
}

/// Does an operation to the Dict, by its functions or as a client, and to the model.
fn apply(t: &Trial, pool: &Pool, dict: &Owned, model: &mut Vec<Entry>, op: &Op, by_client: bool) -> Verdict {
    let place = |key: &Pooled| Entry::place(model, key);
    let is_dense = || -> Verdict<bool> { Ok(t.cell::<MapCell>("cell", dict.handle())?.slots & SMALL == 0) };
    match op {
        Op::Set(key, value) => {
            let (made_key, made_value) = (pool.make(t, key)?, pool.make(t, value)?);
            if by_client {
                let owned = [retain(&made_key.any), retain(&made_value.any)];
                client::set_in_dict(t, dict.handle(), owned, free_buffer)?;
            } else {
                t.clause(if place(key).is_none() { id::DCT_0002 } else { id::DCT_0003 });
                t.call_void("ffi.DictSetItem", &[dict.any(), made_key.any, made_value.any])?;
            }
            Entry::put(model, key, value);
        }
        Op::Erase(key) => {
            let made = pool.make(t, key)?;
            if by_client && is_dense()? {
                let erased = client::erase_from_dense(t, dict.handle(), &made.any)?;
                t.eq("whether a client finds the key", erased, place(key).is_some())?;
            } else {
                t.clause(id::DCT_0004);
                t.call_void("ffi.DictErase", &[dict.any(), made.any])?;
            }
            if let Some(place) = place(key) {
                model.remove(place);
            }
        }
        Op::Clear => {
            t.clause(id::DCT_0005);
            t.call_void("ffi.DictClear", &[dict.any()])?;
            model.clear();
        }
        Op::Get(key) => {
            let made = pool.make(t, key)?;
            let args = [dict.any(), made.any];
            match place(key) {
                Some(place) => {
                    let found = t.call_global("ffi.DictGetItem", &args)?;
                    t.is("value", &found.any(), pool, &model[place].value)?;
                }
                None => drop(t.refuses("ffi.DictGetItem", &args, &["KeyError"])?),
            }
        }
    }
    Ok(())
}

/// Expects the entries of the model, and one reference to each object for each time that it is among them.
fn agrees(t: &Trial, pool: &Pool, dict: &Owned, model: &[Entry]) -> Verdict {
    t.has_entries(pool, &t.map(dict.handle())?.entries, model)?;
    pool.counted(t, model.iter().flat_map(|entry| [&entry.key, &entry.value]))
}
