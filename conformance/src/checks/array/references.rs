//! What an Array holds, when it lets go of that, and that nothing stays behind.

use std::ptr::null_mut;

use tvm_ffi_spec::*;

use super::kit::ints;
use crate::{
    checks::check,
    client::{
        Verdict,
        homemade::{self, Homemade},
        view,
    },
    trial::Trial,
};

/// An Array holds one strong reference for each element, however many hold the Array.
#[check(ARR_0009)]
fn holds_once(t: &Trial) -> Verdict {
    let objects = [(); 3].map(|()| Homemade::new(kTVMFFIObject, ()));
    let array = t.call_global("ffi.Array", &objects.each_ref().map(Homemade::view))?;
    for object in &objects {
        t.eq("strong and weak count of an element", object.counts(), (2, 1))?;
    }
    homemade::retain(array.handle());
    t.eq("strong count of an element of an Array with two holders", objects[0].counts().0, 2)?;
    homemade::release(array.handle());
    t.eq("strong count of an element with one holder left", objects[0].counts().0, 2)
}

/// An Array that ends releases each element once.
#[check(ARR_0009)]
fn ends_elements(t: &Trial) -> Verdict {
    let objects = [(); 6].map(|()| Homemade::new(kTVMFFIObject, ()));
    let array = t.call_global("ffi.Array", &objects.each_ref().map(Homemade::view))?;
    objects.iter().for_each(|object| homemade::release(object.handle()));
    t.eq("ends while the Array lives", homemade::all_ends(), 0)?;
    drop(array);
    t.each_ended_once("element", &objects)
}

/// An element that was read from an Array outlives the Array.
#[check(ARR_0009)]
fn element_outlives(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let array = t.call_global("ffi.Array", &[object.view()])?;
    let element = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(0)])?;
    drop(array);
    t.eq("strong count of an element that was taken out", object.counts().0, 2)?;
    drop(element);
    t.eq("strong count in the end", object.counts().0, 1)?;
    t.eq("calls of the deleter", object.ends(), vec![])
}

/// An Array holds an object once for each element that it is.
#[check(ARR_0009)]
fn same_object_twice(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let array = t.call_global("ffi.Array", &[object.view(); 5])?;
    t.eq("strong count of an object that is five elements", object.counts().0, 6)?;
    drop(array);
    t.eq("strong count afterwards", object.counts().0, 1)
}

/// The end of a hundred nested Arrays releases the innermost element.
#[check(ARR_0009)]
fn nested(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let mut array = t.call_global("ffi.Array", &[object.view()])?;
    for _ in 0..100 {
        array = t.call_global("ffi.Array", &[view::int(0), array.any()])?;
    }
    t.eq("strong count of the innermost element", object.counts().0, 2)?;
    drop(array);
    t.eq("strong count after the outermost Array", object.counts().0, 1)
}

/// An Array releases its elements with its last strong reference, even while a weak reference keeps its memory.
#[check(ARR_0010)]
fn ends_with_weak(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let array = t.call_global("ffi.Array", &[object.view()])?;
    let handle = array.handle();
    homemade::retain_weak(handle);
    drop(array);
    t.eq("strong count of the element of an Array that only a weak reference is left to", object.counts().0, 1)?;
    t.eq("counts of the Array", t.counts(handle)?, (0, 1))?;
    t.that("promotion of the weak reference", !homemade::promote(handle), "refused", "granted")?;
    homemade::release_weak(handle);
    t.eq("strong count of the element when the memory is gone", object.counts().0, 1)
}

/// `ffi.ArrayGetItem` answers a new reference to an element that is an object.
#[check(ARR_0011)]
fn get_is_owned(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let array = t.call_global("ffi.Array", &[object.view()])?;
    let element = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(0)])?;
    t.any_eq("the answer", &element.any(), &object.view())?;
    t.eq("strong count with the answer", object.counts().0, 3)?;
    drop(element);
    t.eq("strong count without it", object.counts().0, 2)
}

/// No function of an Array changes the reference counts of the Array.
#[check(ARR_0017)]
fn lent(t: &Trial) -> Verdict {
    let array = ints(t, &[1, 2, 3])?;
    for name in ["ffi.ArraySize", "ffi.ArrayGetItem"] {
        let args = [array.any(), view::int(1)];
        let count = if name == "ffi.ArraySize" { 1 } else { 2 };
        t.call_global(name, &args[..count])?;
        t.eq(format_args!("strong count after {name}"), t.counts(array.handle())?, (1, 1))?;
    }
    t.refuses("ffi.ArrayGetItem", &[array.any(), view::int(99)], &[])?;
    t.eq("strong count after a refused call", t.counts(array.handle())?, (1, 1))
}

/// Arrays that have ended leave no memory behind.
#[check(ARR_0022, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let [make, get] = t.globals(["ffi.Array", "ffi.ArrayGetItem"])?;
    t.no_growth("memory of Arrays", || {
        let array = t.call(&make, &[view::c_str(c"a text that is not short"), view::int(1), TVMFFIAny::NONE])?;
        t.call(&get, &[array.any(), view::int(0)])?;
        t.call(&make, &[array.any(); 9])?;
        Ok(())
    })
}

/// Calls that an Array's functions refuse leave no memory behind.
#[check(ARR_0022, patient = 2)]
fn no_growth_refused(t: &Trial) -> Verdict {
    let [make, get] = t.globals(["ffi.Array", "ffi.ArrayGetItem"])?;
    let mut result = TVMFFIAny::NONE;
    let array = t.call(&make, &[view::int(1)])?;
    t.raises(t.try_call(&get, &[array.any(), view::int(1)], &mut result), &["IndexError"])?;
    t.no_growth("memory of refused calls", || {
        let array = t.call(&make, &[view::c_str(c"a text that is not short")])?;
        let mut result = TVMFFIAny::NONE;
        let code = t.try_call(&get, &[array.any(), view::int(1)], &mut result);
        t.ne("return value", code, 0)?;
        let mut error = null_mut();
        t.api.TVMFFIErrorMoveFromRaised(&mut error);
        t.own_object("the raised error", error).map(drop)
    })
}
