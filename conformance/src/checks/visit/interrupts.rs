//! Interrupts with any value, from callbacks, from hooks, and from visits within those.

use tvm_ffi_spec::{clause::id, *};

use super::{
    hooks::{in_each_form, native_answer_chosen, native_visit_second, visit_second},
    kit::{Callback, POST, PRE, answer_chosen, choose, choose_value, entries, go_on, note, saw, zeros},
};
use crate::{
    checks::check,
    client::{Owned, Verdict, node::node, samples::Place, view},
    trial::Trial,
};

/// An interrupt ends a walk and a visit and is their answer whatever value it carries, None too, be it answered by a callback, by a function in
/// `__s_visit__` in either of its forms, or by a visit that one of these asks for.
#[check(VIS_0043, VIS_0011)]
fn interrupted_with_any_value_by_whoever(t: &Trial) -> Verdict {
    let (half, seven) = (view::float(0.5), view::int(7));
    let default = t.global("ffi.StructuralVisitorDefaultVisit")?;
    choose(&default);
    let mut doors = Vec::new();
    let hooks = [
        ("answers", in_each_form(t, "__s_visit__", answer_chosen, native_answer_chosen)?),
        (
            "has visited a value that is answered for with",
            in_each_form(t, "__s_visit__", visit_second, native_visit_second)?,
        ),
    ];
    for (does, kinds) in hooks {
        for (form, kind) in kinds {
            let hooked = t.own(node(kind, view::int(1), half).view());
            let value = t.call_global("ffi.Array", &[hooked.any(), seven])?;
            doors.push((id::VIS_0043, format!("{form} in __s_visit__ that {does}"), value));
        }
    }
    doors.push((id::VIS_0011, "a callback that answers".to_owned(), t.call_global("ffi.List", &[half, seven])?));
    let callbacks: [Callback; 2] = [(kTVMFFIFloat, answer_chosen), (kTVMFFIInt, note)];
    let (none, list) = (entries(t, &[])?, entries(t, &callbacks)?);
    let entering = entries(t, &[&[(kTVMFFIArray, go_on as _), (kTVMFFIList, go_on as _)][..], &callbacks].concat())?;
    for carried in carried(t)? {
        let interrupt = t.call_global("ffi.VisitInterrupt", &[carried.any()])?;
        choose_value(&interrupt.any());
        for (clause, door, value) in &doors {
            let mut calls = vec![("ffi.StructuralVisit", *clause, false, vec![value.any(), list.any()])];
            for order in [PRE, POST].map(view::int) {
                let args = [value.any(), list.any(), none.any(), order];
                calls.push(("ffi.StructuralWalk", *clause, false, args.to_vec()));
                let args = [value.any(), none.any(), list.any(), order];
                calls.push(("ffi.StructuralWalk", *clause, false, args.to_vec()));
            }
            // The callback for the whole has the visitor go on, and passes its answer on.
            calls.push(("ffi.StructuralVisit", *clause, true, vec![value.any(), entering.any()]));
            for (name, clause, enters, args) in calls {
                t.clause(clause);
                let answer = t.call_global(name, &args)?;
                let what = format!("{name} by way of {door} an interrupt with {:?}", carried.any());
                t.any_eq(format_args!("the answer of {what}"), &answer.any(), &interrupt.any())?;
                let whole = value.any().type_index.to_string();
                let entered = [whole.as_str()];
                saw(t, if enters { &entered[..] } else { &[] })?;
            }
        }
        t.clause(id::VIS_0043);
        t.eq("counts of the interrupt afterwards", t.counts(interrupt.handle())?, (1, 1))?;
        let now = t.cell::<TVMFFIAny>("the interrupt", interrupt.handle())?;
        t.any_eq("the value of the interrupt afterwards", &now, &carried.any())?;
    }
    Ok(())
}

/// A value of each type in each form that is owned, zeros among them.
pub(super) fn carried(t: &Trial) -> Verdict<Vec<Owned>> {
    let mut all: Vec<_> = zeros().map(|value| t.own(value)).into();
    for sample in t.samples()? {
        let owned = Place::Alone.put(t, &sample.any())?;
        let alike = all.iter().filter(|other| other.any().type_index == owned.any().type_index).count();
        if alike < 2 {
            all.push(owned);
        }
    }
    for make in t.containers()? {
        all.push(t.call_global(make, &[])?);
    }
    all.push(t.call_global("ffi.Shape", &[])?);
    all.push(t.global("ffi.Array")?);
    all.push(t.new_error("ValueError", "a value like others", "")?);
    Ok(all)
}
