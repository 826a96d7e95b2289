//! Lists beside a model: any operations, by the library's functions and by a client in place, with a look at the memory
//! after each.

use proptest::{collection::vec, prelude::*};
use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        containers::{
            client,
            keys::{Pool, Pooled, values},
            retain,
        },
        view,
    },
    trial::Trial,
};

/// How many objects may be elements.
const OBJECTS: usize = 3;

/// An operation. Indices may be out of range.
#[derive(Clone, Debug)]
enum Op {
    Append(Pooled),
    Set(i64, Pooled),
    Insert(i64, Pooled),
    Pop(i64),
    Erase(i64),
    EraseRange(i64, i64),
    ReplaceSlice(i64, i64, Vec<Pooled>),
    Reverse,
    Clear,
}

/// Any operation on elements of every kind.
fn ops() -> impl Strategy<Value = Op> {
    let value = || values(OBJECTS);
    let index = || -2_i64..10;
    prop_oneof![
        8 => value().prop_map(Op::Append),
        3 => (index(), value()).prop_map(|(index, value)| Op::Set(index, value)),
        4 => (index(), value()).prop_map(|(index, value)| Op::Insert(index, value)),
        3 => index().prop_map(Op::Pop),
        2 => index().prop_map(Op::Erase),
        2 => (index(), index()).prop_map(|(start, stop)| Op::EraseRange(start, stop)),
        2 => (index(), index(), vec(value(), 0..4)).prop_map(|(start, stop, new)| Op::ReplaceSlice(start, stop, new)),
        1 => Just(Op::Reverse),
        1 => Just(Op::Clear),
    ]
}

/// Random changes lead to the elements that a model predicts, and a List holds each object once.
#[check(LST_0006, LST_0007, LST_0008, LST_0009, LST_0010, LST_0011, LST_0012, LST_0013, LST_0014, patient = 2)]
fn model(t: &Trial) -> Verdict {
    t.short_backtraces();
    t.property(vec(ops(), 0..14), |ops| {
        let (pool, mut model) = (Pool::new(OBJECTS), Vec::new());
        let list = t.call_global("ffi.List", &[])?;
        for op in ops {
            apply(t, &pool, &list, &mut model, op)?;
            agrees(t, &pool, &list, &model)?;
        }
        drop(list);
        pool.let_go(t)
    })
}

/// Random changes by the library and appends by a client in place lead to the List that a model predicts.
#[check(LST_0028, LST_0006, LST_0007, LST_0008, LST_0009, LST_0010, LST_0011, LST_0012, LST_0014, patient = 2)]
fn model_with_client(t: &Trial) -> Verdict {
    t.short_backtraces();
    t.property(vec((any::<bool>(), ops()), 0..14), |ops| {
        let (pool, mut model) = (Pool::new(OBJECTS), Vec::new());
        let list = t.call_global("ffi.List", &[])?;
        for (by_client, op) in ops {
            match op {
                Op::Append(value) if *by_client => {
                    client::append_to_list(list.handle(), retain(&pool.make(t, value)?.any));
                    model.push(value.clone());
                }
                op => apply(t, &pool, &list, &mut model, op)?,
            }
            agrees(t, &pool, &list, &model)?;
        }
        drop(list);
        pool.let_go(t)
    })
}

/// Does an operation to the List and to the model. The List has to refuse what the model cannot do.
fn apply(t: &Trial, pool: &Pool, list: &Owned, model: &mut Vec<Pooled>, op: &Op) -> Verdict {
    let (len, at) = (model.len() as i64, |index: &i64| view::int(*index));
    let (within, range) = (|index: &i64| (0..len).contains(index), |a: &i64, b: &i64| 0 <= *a && a <= b && *b <= len);
    let change = |name: &str, args: &[TVMFFIAny], allowed: bool| {
        if allowed { t.call_void(name, args) } else { t.refuses(name, args, &["IndexError"]).map(drop) }
    };
    match op {
        Op::Append(value) => {
            t.clause(id::LST_0006);
            change("ffi.ListAppend", &[list.any(), pool.make(t, value)?.any], true)?;
            model.push(value.clone());
        }
        Op::Set(index, value) => {
            t.clause(id::LST_0007);
            change("ffi.ListSetItem", &[list.any(), at(index), pool.make(t, value)?.any], within(index))?;
            if within(index) {
                model[*index as usize] = value.clone();
            }
        }
        Op::Insert(index, value) => {
            t.clause(id::LST_0008);
            let allowed = (0..=len).contains(index);
            change("ffi.ListInsert", &[list.any(), at(index), pool.make(t, value)?.any], allowed)?;
            if allowed {
                model.insert(*index as usize, value.clone());
            }
        }
        Op::Pop(index) => {
            t.clause(id::LST_0009);
            let args = [list.any(), at(index)];
            if within(index) {
                let popped = t.call_global("ffi.ListPop", &args)?;
                t.is("what was popped", &popped.any(), pool, &model.remove(*index as usize))?;
            } else {
                t.refuses("ffi.ListPop", &args, &["IndexError"])?;
            }
        }
        Op::Erase(index) => {
            t.clause(id::LST_0010);
            change("ffi.ListErase", &[list.any(), at(index)], within(index))?;
            if within(index) {
                model.remove(*index as usize);
            }
        }
        // Whether an empty range may lie outside of the List is not laid down.
        Op::EraseRange(start, stop) if start != stop || range(start, stop) => {
            t.clause(id::LST_0011);
            change("ffi.ListEraseRange", &[list.any(), at(start), at(stop)], range(start, stop))?;
            if range(start, stop) {
                model.drain(*start as usize..*stop as usize);
            }
        }
        Op::ReplaceSlice(start, stop, new) if range(start, stop) => {
            t.clause(id::LST_0012);
            let kept: Vec<_> = new.iter().map(|value| pool.make(t, value)).collect::<Verdict<_>>()?;
            let replacement = t.call_global("ffi.List", &kept.iter().map(|made| made.any).collect::<Vec<_>>())?;
            change("ffi.ListReplaceSlice", &[list.any(), at(start), at(stop), replacement.any()], true)?;
            model.splice(*start as usize..*stop as usize, new.iter().cloned());
        }
        Op::EraseRange(..) | Op::ReplaceSlice(..) => {}
        Op::Reverse => {
            t.clause(id::LST_0013);
            change("ffi.ListReverse", &[list.any()], true)?;
            model.reverse();
        }
        Op::Clear => {
            t.clause(id::LST_0014);
            change("ffi.ListClear", &[list.any()], true)?;
            model.clear();
        }
    }
    Ok(())
}

/// Expects the elements of the model, in order, and one reference to each object for each time that it is among them.
fn agrees(t: &Trial, pool: &Pool, list: &Owned, model: &[Pooled]) -> Verdict {
    let items = t.sequence(list.handle())?.items;
    t.eq("number of elements", items.len(), model.len())?;
    for (index, (item, value)) in items.iter().zip(model).enumerate() {
        t.is(format_args!("element {index}"), item, pool, value)?;
    }
    pool.counted(t, model.iter())
}
