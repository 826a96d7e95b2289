//! Which tensor allocator a thread has: its own, or the global one.

use std::ffi::c_int;

use tvm_ffi_spec::clause::id;

use super::{
    allocation::stride,
    kit::{Allocator, GLOBAL, OWN, ROW_STRIDE, plain, refuse, rows, set_allocator},
};
use crate::{checks::check, client::Verdict, trial::Trial};

/// TVMFFIEnvGetDLPackManagedTensorAllocator answers NULL on every thread until an allocator is set.
#[check(ENV_0009)]
fn no_allocator_at_first(t: &Trial) -> Verdict {
    uses(t, "at first", None)?;
    t.threads(1, |t, _| uses(t, "on a new thread", None))
}

/// An allocator set without write_to_global_context is that of the thread that set it, and of no other.
#[check(ENV_0010)]
fn own_allocator_is_answered(t: &Trial) -> Verdict {
    for allocator in [rows, plain, rows] {
        set_allocator(t, Some(allocator), OWN)?;
        uses(t, "after setting it", Some(allocator))?;
    }
    t.threads(1, |t, _| {
        let current = t.api.TVMFFIEnvGetDLPackManagedTensorAllocator();
        t.ne("the allocator on another thread", name_of(current), name_of(Some(rows)))?;
        set_allocator(t, Some(plain), OWN)
    })?;
    uses(t, "after another thread has set its own", Some(rows))
}

/// A thread that begins after others have ended does not have the allocators that those have set.
#[check(ENV_0010)]
fn own_allocators_end_with_their_thread(t: &Trial) -> Verdict {
    // The system gives a new thread the stack, and with it the name, of one that has ended.
    for _ in 0..20 {
        t.threads(1, |t, _| {
            let current = t.api.TVMFFIEnvGetDLPackManagedTensorAllocator();
            t.ne("the allocator of a new thread", name_of(current), name_of(Some(rows)))?;
            set_allocator(t, Some(rows), OWN)
        })?;
    }
    Ok(())
}

/// Each of hundreds of threads keeps its own allocator, or none, while all of them live; where there is a global one, each allocates with its
/// own, or with that one.
#[check(ENV_0010, ENV_0011, ENV_0024)]
fn allocators_of_a_crowd(t: &Trial) -> Verdict {
    let own = |number: usize| [Some(rows as Allocator), Some(plain as Allocator), None][number % 3];
    let set_own = |t: &Trial, number: usize| {
        if let Some(own) = own(number) { set_allocator(t, Some(own), OWN) } else { Ok(()) }
    };
    // Whether NULL stands for none is for another clause to say.
    let none = t.api.TVMFFIEnvGetDLPackManagedTensorAllocator();
    t.crowd(
        |t, number| {
            uses(t, "of a new thread", none)?;
            set_own(t, number)
        },
        |t, number, ()| uses(t, &format!("of thread {number}"), own(number).or(none)),
    )?;
    t.threads(1, |t, _| set_allocator(t, Some(rows), GLOBAL))?;
    t.crowd(
        |t, number| {
            t.clause(id::ENV_0011);
            uses(t, "of a new thread", Some(rows))?;
            t.clause(id::ENV_0024);
            set_own(t, number)
        },
        // Which of the two is answered where a thread has one of its own is for another clause to say.
        |t, number, ()| {
            let by_plain = own(number).is_some_and(|own| own as usize == plain as *const () as usize);
            let expected = if by_plain { 3 } else { ROW_STRIDE };
            t.eq(format_args!("stride by the allocator of thread {number}"), stride(t)?, expected)
        },
    )
}

/// An allocator set with write_to_global_context is that of the thread that set it and of new threads.
#[check(ENV_0011)]
fn global_allocator_reaches_all_threads(t: &Trial) -> Verdict {
    set_allocator(t, Some(rows), GLOBAL)?;
    uses(t, "on the thread that set it", Some(rows))?;
    t.threads(2, |t, _| uses(t, "on another thread", Some(rows)))
}

/// Any number but 0 for write_to_global_context makes an allocator a global one.
#[check(ENV_0011)]
fn global_allocator_by_any_number(t: &Trial) -> Verdict {
    for (allocator, global) in [(rows as Allocator, 2), (plain, -1), (rows, 256), (plain, c_int::MIN)] {
        t.threads(1, |t, _| set_allocator(t, Some(allocator), global))?;
        uses(t, &format!("after one was set with {global}"), Some(allocator))?;
    }
    Ok(())
}

/// An allocator that another thread sets with write_to_global_context is also that of a thread already running.
#[check(ENV_0011)]
fn global_allocator_from_another_thread(t: &Trial) -> Verdict {
    t.threads(1, |t, _| set_allocator(t, Some(rows), GLOBAL))?;
    uses(t, "after another thread has set a global one", Some(rows))?;
    t.threads(1, |t, _| set_allocator(t, Some(plain), GLOBAL))?;
    uses(t, "after another thread has replaced the global one", Some(plain))
}

/// The allocator that a thread has, its own or the global one, is still its own when its process makes a copy of itself, in both.
#[check(ENV_0010, ENV_0011)]
fn allocators_outlast_a_fork(t: &Trial) -> Verdict {
    for (clause, place, allocator) in [(id::ENV_0010, OWN, rows as Allocator), (id::ENV_0011, GLOBAL, plain)] {
        t.clause(clause);
        set_allocator(t, Some(allocator), place)?;
        let answer = t.lasts_in_copies("the allocator", |client| {
            Ok(name_of(client.api.TVMFFIEnvGetDLPackManagedTensorAllocator()))
        })?;
        t.eq("the allocator", answer, name_of(Some(allocator)))?;
        set_allocator(t, None, place)?;
    }
    Ok(())
}

/// A thread's own allocator goes before the global one.
#[check(ENV_0012)]
fn own_allocator_goes_first(t: &Trial) -> Verdict {
    set_allocator(t, Some(rows), OWN)?;
    t.threads(1, |t, _| set_allocator(t, Some(plain), GLOBAL))?;
    uses(t, "with one of the thread's own and a global one", Some(rows))?;
    t.threads(1, |t, _| {
        uses(t, "on a thread without one of its own", Some(plain))?;
        set_allocator(t, Some(rows), OWN)?;
        uses(t, "on a thread that has set its own", Some(rows))
    })
}

/// Setting NULL without write_to_global_context gives a thread the global allocator back.
#[check(ENV_0013)]
fn null_uncovers_the_global_allocator(t: &Trial) -> Verdict {
    set_allocator(t, Some(plain), GLOBAL)?;
    set_allocator(t, Some(rows), OWN)?;
    set_allocator(t, None, OWN)?;
    uses(t, "after the thread's own was taken away", Some(plain))
}

/// Setting NULL with write_to_global_context takes the global allocator away from every thread.
#[check(ENV_0013)]
fn null_removes_the_global_allocator(t: &Trial) -> Verdict {
    // Whether NULL stands for none is for another clause to say.
    let none = t.api.TVMFFIEnvGetDLPackManagedTensorAllocator();
    set_allocator(t, Some(plain), GLOBAL)?;
    set_allocator(t, None, GLOBAL)?;
    uses(t, "after both were taken away", none)?;
    t.threads(1, |t, _| uses(t, "on another thread", none))
}

/// An allocator that is set with write_to_global_context is that of this thread and of others, whatever both had before, the same one among
/// them; NULL takes both away.
#[check(ENV_0011, ENV_0013)]
fn global_allocator_after_any_other(t: &Trial) -> Verdict {
    // Whether NULL stands for none is for another clause to say.
    let none = t.api.TVMFFIEnvGetDLPackManagedTensorAllocator();
    let all = [None, Some(rows as Allocator), Some(plain)];
    for (own, global) in all.into_iter().flat_map(|own| all.map(|global| (own, global))) {
        for new in all {
            t.clause(if new.is_some() { id::ENV_0011 } else { id::ENV_0013 });
            t.threads(1, |t, _| set_allocator(t, global, GLOBAL))?;
            set_allocator(t, own, OWN)?;
            set_allocator(t, new, GLOBAL)?;
            let after = format!("after {} was its own and {} the global one", name_of(own), name_of(global));
            uses(t, &format!("of the thread that set it, {after}"), new.or(none))?;
            t.threads(1, |t, _| uses(t, &format!("of another thread, {after}"), new.or(none)))?;
        }
    }
    Ok(())
}

/// Expects this thread to use that allocator.
pub(super) fn uses(t: &Trial, when: &str, allocator: Option<Allocator>) -> Verdict {
    let current = t.api.TVMFFIEnvGetDLPackManagedTensorAllocator();
    t.eq(format_args!("the allocator {when}"), name_of(current), name_of(allocator))
}

/// TVMFFIEnvTensorAlloc uses the allocator that its thread has set, and the global one where the thread has set none or has taken its own back,
/// in whatever order this thread and others have set both and taken them back.
#[check(ENV_0024)]
fn own_allocator_is_used_in_any_order(t: &Trial) -> Verdict {
    let all = [None, Some(rows as Allocator), Some(plain)];
    // Whether this thread sets it, where, and which.
    let steps: Vec<_> = [(true, OWN), (true, GLOBAL), (false, GLOBAL)]
        .into_iter()
        .flat_map(|(here, place)| all.map(|allocator| (here, place, allocator)))
        .collect();
    let (mut own, mut global) = (None, None);
    // Each comes after each, itself among them.
    for &(here, place, allocator) in steps.iter().flat_map(|first| steps.iter().flat_map(move |second| [first, second]))
    {
        if here {
            set_allocator(t, allocator, place)?;
            own = allocator;
        } else {
            t.threads(1, |t, _| set_allocator(t, allocator, place))?;
        }
        if place == GLOBAL {
            global = allocator;
        }
        let Some(used) = own.or(global) else { continue };
        let by_plain = used as usize == plain as *const () as usize;
        let (own, global) = (name_of(own), name_of(global));
        let what = format!("stride where {own} is the thread's own allocator and {global} the global one");
        t.eq(what, stride(t)?, if by_plain { 3 } else { ROW_STRIDE })?;
    }
    Ok(())
}

/// Setting an allocator gives out the thread's own former one, or NULL if there was none.
#[check(ENV_0014)]
fn replaced_allocator_is_given_out(t: &Trial) -> Verdict {
    let (all, mut replaced) = ([None, Some(rows as Allocator), Some(plain)], None);
    // Each comes after each, itself among them.
    for new in all.into_iter().flat_map(|first| all.into_iter().flat_map(move |second| [first, second])) {
        replaces(t, new, OWN, replaced)?;
        replaced = new;
    }
    Ok(())
}

/// Setting an allocator does not give out a global one that another thread has set.
#[check(ENV_0014)]
fn global_allocator_is_not_given_out(t: &Trial) -> Verdict {
    t.threads(1, |t, _| set_allocator(t, Some(plain), GLOBAL))?;
    replaces(t, Some(rows), OWN, None)?;
    replaces(t, None, OWN, Some(rows))?;
    replaces(t, Some(rows), GLOBAL, None)?;
    replaces(t, Some(plain), GLOBAL, Some(rows))
}

/// Sets an allocator and expects that one to be given out as the former one.
fn replaces(t: &Trial, allocator: Option<Allocator>, place: c_int, replaced: Option<Allocator>) -> Verdict {
    let mut original = Some(refuse as Allocator);
    t.ok(t.api.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, place, &mut original))?;
    t.eq("the allocator that was replaced", name_of(original), name_of(replaced))
}

/// An allocator's name, or its address if it is none of ours.
pub(super) fn name_of(allocator: Option<Allocator>) -> String {
    let Some(allocator) = allocator else { return "NULL".to_owned() };
    let ours: [(&str, Allocator); 3] = [("rows", rows), ("plain", plain), ("refuse", refuse)];
    match ours.into_iter().find(|(_, ours)| *ours as usize == allocator as usize) {
        Some((name, _)) => name.to_owned(),
        None => format!("{:#x}", allocator as usize),
    }
}
