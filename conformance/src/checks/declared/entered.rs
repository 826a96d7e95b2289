//! Functions of a client's that make instances of the type that an instance is just being made of, and errors of such functions.

use std::{
    ffi::{c_int, c_void},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use tvm_ffi_spec::{clause::id, *};

use super::frontend_class::{Point, declare, declare_with, number, value, with_default};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        callback::{call, raise},
        node::set_any,
        types, view,
        whole_error::fail_whole,
    },
    trial::Trial,
};

/// A default factory, and a setter that is a function object, may make another instance of the type that an instance is just being made of, up to three levels
/// deep, by a generated initialiser or by ffi.MakeObjectFromPackedArgs, and go on when that fails: each instance has the fields that it should.
#[check(HOK_0021)]
fn instances_within_instances(t: &Trial) -> Verdict {
    let (factory, setter) = (t.callback(make_default)?.into_any(), t.callback(set_and_make)?.into_any());
    let x = number(b"x");
    let with_factory = with_default(value(b"v"), factory);
    let from = kTVMFFIFieldFlagBitMaskDefaultFromFactory;
    let with_factory = TVMFFIFieldInfo { flags: with_factory.flags | from, ..with_factory };
    let plain = with_default(value(b"v"), view::int(7));
    let flags = plain.flags | kTVMFFIFieldFlagBitSetterIsFunctionObj;
    let with_setter = TVMFFIFieldInfo { flags, setter: setter.payload() as *mut c_void, ..plain };
    let make = t.global("ffi.MakeObjectFromPackedArgs")?;
    for (key, who, v) in [("Factory", "a default factory", with_factory), ("Setter", "a setter", with_setter)] {
        let index = declare(t, &format!("verify.entered.{key}"), kTVMFFIObject, &[x, v])?;
        t.call_global("ffi._RegisterFFIInit", &[view::int(index.into())])?;
        let init = types::function_in(t, "__ffi_init__", index)?;
        let own = view::int(index.into());
        let ways: [(&str, &Owned, Vec<TVMFFIAny>); 2] = [
            ("a generated initialiser", &init, vec![]),
            ("ffi.MakeObjectFromPackedArgs", &make, vec![own, view::c_str(c"x")]),
        ];
        for ((outer, function, args), (inner, within, inner_args)) in
            ways.iter().flat_map(|outer| ways.iter().map(move |inner| (outer, inner)))
        {
            set(&WITHIN, (within.handle() as usize, inner_args.clone()));
            for (depth, fails) in (0..=3).flat_map(|depth| [(depth, false), (depth, true)]) {
                if depth == 0 && fails {
                    continue;
                }
                LEFT.store(depth, Ordering::Release);
                FAILS.store(fails, Ordering::Release);
                let made = t.call(function, &[&args[..], &[view::int(depth as i64)]].concat())?;
                let what =
                    format!("an instance that {outer} makes, within which {who} makes others by {inner}, {depth} deep");
                is_chain(t, &what, &made, depth, fails)?;
            }
        }
    }
    Ok(())
}

/// Expects an instance that holds another, which holds another, and so on: the innermost holds 7, or the one around it 8 where that one failed.
fn is_chain(t: &Trial, what: &str, made: &Owned, depth: usize, fails: bool) -> Verdict {
    let (mut at, mut left) = (Point::read(t, made)?, depth);
    loop {
        t.eq(format_args!("x of {what}, {left} around the innermost"), at.x, left as i64)?;
        let end = if left == 0 { Some(7) } else { (fails && left == 1).then_some(8) };
        if let Some(end) = end {
            return t.any_eq(format_args!("v of {what}, {left} around the innermost"), &at.v, &view::int(end));
        }
        let kind = t.header(made.handle())?.type_index;
        t.type_index_eq(format_args!("type_index of v of {what}, {left} around the innermost"), at.v.type_index, kind)?;
        at = t.read("an instance within", at.v.payload() as *const Point)?;
        left -= 1;
    }
}

/// How many instances are still to be made within.
static LEFT: AtomicUsize = AtomicUsize::new(0);
/// Whether the innermost is not made, as its factory or its setter fails.
static FAILS: AtomicBool = AtomicBool::new(false);
/// What makes an instance, by its address, and the arguments in front of its number.
static WITHIN: Mutex<(usize, Vec<TVMFFIAny>)> = Mutex::new((0, Vec::new()));

fn set<T>(place: &Mutex<T>, value: T) {
    *place.lock().unwrap_or_else(PoisonError::into_inner) = value;
}

/// Makes another instance, or what stands for one where there is none.
fn make_default(api: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let Ok(before) = LEFT.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| left.checked_sub(1)) else {
        return if FAILS.swap(false, Ordering::AcqRel) {
            raise(api, c"KeyError", c"innermost")
        } else {
            Some(view::int(7))
        };
    };
    let (function, mut args) = WITHIN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    args.push(view::int(before as i64 - 1));
    call(api, function as *mut c_void, &args).or_else(|| {
        api.release_raised();
        Some(view::int(8))
    })
}

/// A setter that is given the address of a field and a value, and stores what [`make_default`] makes in its place.
fn set_and_make(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [field, _] = args else { return raise(api, c"TypeError", c"a setter takes a field and a value") };
    let made = make_default(api, &[])?;
    // SAFETY: the target gives the address of a field of a point, which holds a value; the field takes a reference of its own.
    unsafe { set_any(field.payload() as *mut c_void, &made) };
    if made.type_index >= kTVMFFIStaticObjectBegin {
        api.release(made.payload() as TVMFFIObjectHandle);
    }
    Some(TVMFFIAny::NONE)
}

/// The error of a creator, and that of the converter of a setter that ffi.MakeFieldSetter makes, comes through with each byte of its kind and its
/// message.
#[check(DCL_0022, DCL_0027)]
fn errors_of_any_bytes(t: &Trial) -> Verdict {
    unsafe extern "C" fn create(_: *mut TVMFFIObjectHandle) -> c_int {
        fail_whole()
    }
    unsafe extern "C" fn convert(_: *mut c_void, _: *const TVMFFIAny, _: *mut TVMFFIAny) -> c_int {
        fail_whole()
    }
    let index = declare_with(t, "verify.entered.Failing", kTVMFFIObject, &[number(b"x")], Some(create))?;
    t.call_global("ffi._RegisterFFIInit", &[view::int(index.into())])?;
    let init = types::function_in(t, "__ffi_init__", index)?;
    let make = t.global("ffi.MakeObjectFromPackedArgs")?;
    let converter = view::int(convert as *const () as i64);
    let any = view::int(kTVMFFIAny.into());
    let setter = t.call_global("ffi.MakeFieldSetter", &[any, view::int(0), converter])?;
    let mut field = TVMFFIAny::NONE;
    let field = view::pointer((&raw mut field).cast());
    let packed = [view::int(index.into()), view::c_str(c"x"), view::int(1)];
    for whole in &t.whole_errors()? {
        t.choose_error(whole);
        for (clause, what, function, args) in [
            (id::DCL_0027, "a creator, by a generated initialiser", &init, &packed[2..]),
            (id::DCL_0027, "a creator, by ffi.MakeObjectFromPackedArgs", &make, &packed),
            (id::DCL_0022, "a converter", &setter, &[field, view::int(1)]),
        ] {
            t.clause(clause);
            let raised = t.call_fails(function, args, &[])?;
            t.says_the_same(format_args!("{what}, which is {}", whole.name()), &raised, whole)?;
        }
    }
    Ok(())
}
