//! What a List holds, when it lets go of that, and that nothing stays behind.

use tvm_ffi_spec::*;

use super::kit::{FUNCTIONS, ints, with};
use crate::{
    checks::check,
    client::{
        Verdict,
        homemade::{self, Homemade},
        view,
    },
    trial::Trial,
};

/// A List holds one strong reference for each element, however it grows or is reordered.
#[check(LST_0021)]
fn holds_once(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = t.call_global("ffi.List", &[object.view()])?;
    t.eq("strong count of the element of a new List", object.counts().0, 2)?;
    t.call_void("ffi.ListAppend", &[list.any(), object.view()])?;
    t.eq("strong count after an append", object.counts().0, 3)?;
    t.call_void("ffi.ListInsert", &[list.any(), view::int(0), object.view()])?;
    t.eq("strong count after an insertion", object.counts().0, 4)?;
    for _ in 0..30 {
        t.call_void("ffi.ListAppend", &[list.any(), view::int(0)])?;
    }
    t.eq("strong count after growth", object.counts().0, 4)?;
    t.call_void("ffi.ListReverse", &[list.any()])?;
    t.eq("strong count after a reversal", object.counts().0, 4)?;
    drop(list);
    t.eq("strong count after the List", object.counts().0, 1)
}

/// A List releases an element that is replaced, alone or in a range.
#[check(LST_0022)]
fn releases_replaced(t: &Trial) -> Verdict {
    let [old, new, slice] = [(); 3].map(|()| Homemade::new(kTVMFFIObject, ()));
    let list = t.call_global("ffi.List", &[old.view(), old.view(), view::int(0)])?;
    t.call_void("ffi.ListSetItem", &[list.any(), view::int(0), new.view()])?;
    t.eq("strong count of what was replaced", old.counts().0, 2)?;
    t.eq("strong count of what replaced it", new.counts().0, 2)?;
    t.call_void("ffi.ListSetItem", &[list.any(), view::int(0), new.view()])?;
    t.eq("strong count of what replaced itself", new.counts().0, 2)?;
    let replacement = t.call_global("ffi.List", &[slice.view(), slice.view()])?;
    t.call_void("ffi.ListReplaceSlice", &[list.any(), view::int(0), view::int(2), replacement.any()])?;
    t.eq("strong counts of a slice that was replaced", (old.counts().0, new.counts().0), (1, 1))?;
    t.eq("strong count of the slice in both Lists", slice.counts().0, 5)?;
    drop(replacement);
    t.eq("strong count of the slice in one List", slice.counts().0, 3)
}

/// A List releases an element that is erased, popped or cleared.
#[check(LST_0022)]
fn releases_removed(t: &Trial) -> Verdict {
    let objects = [(); 6].map(|()| Homemade::new(kTVMFFIObject, ()));
    let list = t.call_global("ffi.List", &objects.each_ref().map(Homemade::view))?;
    let counts = || objects.each_ref().map(|object| object.counts().0);
    t.call_void("ffi.ListErase", &[list.any(), view::int(1)])?;
    t.eq("strong counts after one was erased", counts(), [2, 1, 2, 2, 2, 2])?;
    t.call_void("ffi.ListEraseRange", &[list.any(), view::int(1), view::int(3)])?;
    t.eq("strong counts after two were erased", counts(), [2, 1, 1, 1, 2, 2])?;
    t.call_global("ffi.ListPop", &[list.any(), view::int(2)])?;
    t.eq("strong counts after one was popped", counts(), [2, 1, 1, 1, 2, 1])?;
    t.call_void("ffi.ListClear", &[list.any()])?;
    t.eq("strong counts after the rest was cleared", counts(), [1; 6])
}

/// The answer of `ffi.ListPop` takes over the reference that the List held.
#[check(LST_0022)]
fn pop_moves(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = t.call_global("ffi.List", &[object.view()])?;
    let popped = t.call_global("ffi.ListPop", &[list.any(), view::int(0)])?;
    t.any_eq("what was popped", &popped.any(), &object.view())?;
    t.eq("strong count of what was popped", object.counts().0, 2)?;
    drop(list);
    t.eq("strong count after the List", object.counts().0, 2)
}

/// A List gives up its reference to an element that is taken out or replaced wherever it stands.
#[check(LST_0022)]
fn releases_at_each_place(t: &Trial) -> Verdict {
    for len in 1..6 {
        for place in 0..len {
            let (at, end) = (view::int(place), view::int(place + 1));
            for (name, args) in [
                ("ffi.ListPop", vec![at]),
                ("ffi.ListErase", vec![at]),
                ("ffi.ListEraseRange", vec![at, end]),
                ("ffi.ListSetItem", vec![at, view::int(7)]),
            ] {
                let objects: Vec<_> = (0..len).map(|_| Homemade::new(kTVMFFIObject, ())).collect();
                let list = t.call_global("ffi.List", &objects.iter().map(Homemade::view).collect::<Vec<_>>())?;
                drop(t.call_global(name, &[vec![list.any()], args].concat())?);
                for (number, object) in (0..).zip(&objects) {
                    let expected = if number == place { 1 } else { 2 };
                    let what = format!("strong count of element {number} of {len} after {name} of element {place}");
                    t.eq(what, object.counts().0, expected)?;
                }
            }
        }
    }
    Ok(())
}

/// An element that only a List holds ends when it is taken out or replaced, though a weak reference to it is left.
#[check(LST_0022)]
fn releases_what_is_held_weakly(t: &Trial) -> Verdict {
    let (first, second) = (view::int(0), view::int(1));
    let slice = ints(t, &[7])?;
    for len in [1, 2, 5] {
        for (name, args) in [
            ("ffi.ListPop", vec![first]),
            ("ffi.ListErase", vec![first]),
            ("ffi.ListEraseRange", vec![first, second]),
            ("ffi.ListSetItem", vec![first, view::int(7)]),
            ("ffi.ListReplaceSlice", vec![first, second, slice.any()]),
            ("ffi.ListClear", vec![]),
        ] {
            let object = Homemade::new(kTVMFFIObject, ());
            let list = t.call_global("ffi.List", &[vec![object.view()], vec![view::int(1); len - 1]].concat())?;
            homemade::retain_weak(object.handle());
            homemade::release(object.handle());
            drop(t.call_global(name, &[vec![list.any()], args].concat())?);
            let what = format!("ends of an element, the first of {len}, after {name}");
            t.eq(what, object.ends(), vec![kTVMFFIObjectDeleterFlagBitMaskStrong])?;
            homemade::release_weak(object.handle());
        }
    }
    Ok(())
}

/// A List that ends releases each element once.
#[check(LST_0021)]
fn ends_elements(t: &Trial) -> Verdict {
    let objects = [(); 6].map(|()| Homemade::new(kTVMFFIObject, ()));
    let list = t.call_global("ffi.List", &[])?;
    for object in &objects {
        t.call_void("ffi.ListAppend", &[list.any(), object.view()])?;
        homemade::release(object.handle());
    }
    t.eq("ends while the List lives", homemade::all_ends(), 0)?;
    drop(list);
    t.each_ended_once("element", &objects)
}

/// A List releases its elements with its last strong reference, even while a weak reference keeps its memory.
#[check(LST_0021)]
fn ends_with_weak(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = t.call_global("ffi.List", &[object.view()])?;
    t.releases_while_weak("List", list, &object)
}

/// No function of a List changes the reference counts of the List.
#[check(LST_0033)]
fn lent(t: &Trial) -> Verdict {
    let list = ints(t, &[1, 2, 3, 4, 5])?;
    for (name, args) in FUNCTIONS {
        let args = with(list.any(), args);
        t.call_global(name, &args)?;
        t.eq(format_args!("counts after {name}"), t.counts(list.handle())?, (1, 1))?;
    }
    Ok(())
}

/// Lists that have ended leave no memory behind.
#[check(LST_0035, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let [make, append] = t.globals(["ffi.List", "ffi.ListAppend"])?;
    t.no_growth("memory of Lists", || {
        let list = t.call(&make, &[view::c_str(c"a text that is not short"), view::int(1)])?;
        for _ in 0..3 {
            t.call(&append, &[list.any(), view::c_str(c"another text that is not short")])?;
        }
        Ok(())
    })
}

/// Lists that had become empty before they ended leave no memory behind, however many elements they had and whoever took them out.
#[check(LST_0035, patient = 2)]
fn no_growth_of_the_emptied(t: &Trial) -> Verdict {
    let [make, pop, clear, erase, erase_range] =
        t.globals(["ffi.List", "ffi.ListPop", "ffi.ListClear", "ffi.ListErase", "ffi.ListEraseRange"])?;
    t.no_growth("memory of Lists that had become empty", || {
        for size in [1, 2, 9] {
            let new = || t.call(&make, &vec![view::c_str(c"a text that is not short"); size]);
            t.call(&clear, &[new()?.any()])?;
            t.call(&erase_range, &[new()?.any(), view::int(0), view::int(size as i64)])?;
            for from_the_end in [false, true] {
                let (popped, erased) = (new()?, new()?);
                for left in (0..size as i64).rev() {
                    let at = view::int(if from_the_end { left } else { 0 });
                    t.call(&pop, &[popped.any(), at])?;
                    t.call(&erase, &[erased.any(), at])?;
                }
            }
        }
        Ok(())
    })
}

/// List elements that were replaced, popped or erased leave no memory behind.
#[check(LST_0035, patient = 2)]
fn no_growth_in_place(t: &Trial) -> Verdict {
    let [append, pop, insert, set, erase] =
        t.globals(["ffi.ListAppend", "ffi.ListPop", "ffi.ListInsert", "ffi.ListSetItem", "ffi.ListErase"])?;
    let list = ints(t, &[1])?;
    let text = view::c_str(c"a text that is not short");
    t.no_growth("memory of elements", || {
        t.call(&append, &[list.any(), text])?;
        t.call(&set, &[list.any(), view::int(1), text])?;
        t.call(&insert, &[list.any(), view::int(0), text])?;
        t.call(&pop, &[list.any(), view::int(0)])?;
        t.call(&erase, &[list.any(), view::int(1)]).map(drop)
    })
}
