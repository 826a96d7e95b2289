//! Lists whose buffers clients replace or that clients have made, and which the library then goes on with.

use tvm_ffi_spec::*;

use super::kit::ints;
use crate::{
    checks::check,
    client::{
        Verdict,
        containers::{
            client::{self, ends_of},
            retain,
        },
        globals,
        homemade::{self, Homemade},
        view,
    },
    trial::Trial,
};

/// A List uses the buffers that a client gives it when it is full, and its `data_deleter` ends them.
#[check(LST_0028)]
fn client_grows(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = t.call_global("ffi.List", &[object.view()])?;
    for value in 0..20 {
        client::append_to_list(list.handle(), view::int(value));
        t.eq("ffi.ListSize after a client has appended", t.call_int("ffi.ListSize", &[list.any()])?, value + 2)?;
        let last = t.call_global("ffi.ListGetItem", &[list.any(), view::int(value + 1)])?;
        t.any_eq("the element that a client has appended", &last.any(), &view::int(value))?;
    }
    // The library ends a buffer of the client's when the List grows, and the client one of the library's.
    for _ in 0..40 {
        t.call_void("ffi.ListAppend", &[list.any(), object.view()])?;
        client::append_to_list(list.handle(), retain(&object.view()));
    }
    t.global_answers("ffi.ListSize", &[list.any()], 101)?;
    t.sequence(list.handle())?;
    t.eq("strong count of the element", object.counts().0, 82)?;
    drop(list);
    t.eq("strong count after the List", object.counts().0, 1)
}

/// A List that was made empty uses the first buffer that a client gives it.
#[check(LST_0028)]
fn client_grows_empty(t: &Trial) -> Verdict {
    let list = ints(t, &[])?;
    client::append_to_list(list.handle(), view::int(1));
    t.holds_ints(list.handle(), &[1])?;
    t.call_void("ffi.ListAppend", &[list.any(), view::int(2)])?;
    t.holds_ints(list.handle(), &[1, 2])
}

/// Buffers that a client gave to a List are freed when the List has outgrown them or ended.
#[check(LST_0028, patient = 2)]
fn no_growth_client(t: &Trial) -> Verdict {
    let [make, append] = t.globals(["ffi.List", "ffi.ListAppend"])?;
    t.no_growth("memory of Lists that a client has grown", || {
        let list = t.call(&make, &[view::int(1)])?;
        client::append_to_list(list.handle(), view::int(2));
        client::append_to_list(list.handle(), view::int(3));
        t.call(&append, &[list.any(), view::int(4)])?;
        t.call(&append, &[list.any(), view::int(5)])?;
        client::append_to_list(list.handle(), view::int(6));
        Ok(())
    })
}

/// A List that a client has made is read and changed like one of the library's own, and still ended by its own deleter.
#[check(LST_0029)]
fn client_list(t: &Trial) -> Verdict {
    let list = client::list(&[view::int(1), view::int(2), view::int(3)], 8);
    t.global_answers("ffi.ListSize", &[list.view()], 3)?;
    t.call_void("ffi.ListAppend", &[list.view(), view::int(4)])?;
    t.call_void("ffi.ListInsert", &[list.view(), view::int(0), view::int(0)])?;
    t.call_void("ffi.ListErase", &[list.view(), view::int(2)])?;
    t.call_void("ffi.ListReverse", &[list.view()])?;
    t.holds_ints(list.handle(), &[4, 3, 1, 0])?;
    t.eq("counts of the List", list.counts(), (1, 1))?;
    homemade::release(list.handle());
    t.ended_once("calls of the client's deleter", &list)
}

/// A List that a client has made ends once, by the client's deleter, when the library drops the last reference.
#[check(LST_0029)]
fn client_list_released(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = client::list(&[object.view()], 2);
    let buffer = t.sequence(list.handle())?.cell.data;
    let holder = t.call_global("ffi.List", &[list.view()])?;
    homemade::release(list.handle());
    t.eq("ends of the List while another one holds it", list.ends(), vec![])?;
    drop(holder);
    t.ended_once("calls of the client's deleter", &list)?;
    t.eq("ends of the buffer", ends_of(buffer), 1)?;
    t.eq("strong count of the element", object.counts().0, 1)
}

/// A List that a client has made has its old buffer ended once, by its `data_deleter`, when it grows.
#[check(LST_0030)]
fn client_list_grows(t: &Trial) -> Verdict {
    type Grow<'a> = (&'a str, &'a dyn Fn(&TVMFFIAny) -> Verdict);
    let more = t.call_global("ffi.Array", &(2..30).map(view::int).collect::<Vec<_>>())?;
    let ways: [Grow; 4] = [
        ("ffi.ListAppend", &|list| {
            (3..30).try_for_each(|value| t.call_void("ffi.ListAppend", &[*list, view::int(value)]))
        }),
        ("ffi.ListInsert", &|list| {
            (3..30).try_for_each(|value| t.call_void("ffi.ListInsert", &[*list, view::int(1), view::int(value)]))
        }),
        ("ffi.ListReserve", &|list| t.call_void("ffi.ListReserve", &[*list, view::int(100)])),
        ("ffi.ListReplaceSlice", &|list| {
            t.call_void("ffi.ListReplaceSlice", &[*list, view::int(1), view::int(2), more.any()])
        }),
    ];
    for (name, grow) in ways {
        if globals::find(t, name)?.is_none() {
            continue;
        }
        let object = Homemade::new(kTVMFFIObject, ());
        let list = client::list(&[object.view(), view::int(2)], 2);
        let first = t.sequence(list.handle())?.cell.data;
        grow(&list.view())?;
        t.any_eq(format_args!("element 0 after {name}"), &t.element(list.handle(), 0)?, &object.view())?;
        t.eq(format_args!("strong count of element 0 after {name}"), object.counts().0, 2)?;
        t.eq(format_args!("ends of the client's buffer after {name}"), ends_of(first), 1)?;
        homemade::release(list.handle());
        t.eq("ends of the client's buffer after the List", ends_of(first), 1)?;
        t.eq("strong count of element 0 after the List", object.counts().0, 1)?;
    }
    Ok(())
}

/// The functions of a List neither read nor release what lies in cells past the last element.
#[check(LST_0031)]
fn not_past_size(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIObject, ());
    let list = client::list(&[object.view(), view::int(1)], 12);
    t.eq("whether it contains a text", t.call_int("ffi.ListContains", &[list.view(), view::c_str(c"long text")])?, 0)?;
    for index in [2, 11, 12] {
        t.refuses("ffi.ListGetItem", &[list.view(), view::int(index)], &["IndexError"])?;
    }
    // An unused cell holds no value that could be released.
    t.call_void("ffi.ListAppend", &[list.view(), object.view()])?;
    t.call_void("ffi.ListInsert", &[list.view(), view::int(1), object.view()])?;
    let replacement = t.call_global("ffi.List", &[object.view(), object.view(), object.view()])?;
    t.call_void("ffi.ListReplaceSlice", &[list.view(), view::int(0), view::int(1), replacement.any()])?;
    t.eq("number of elements", t.sequence(list.handle())?.items.len(), 6)?;
    t.call_void("ffi.ListErase", &[list.view(), view::int(0)])?;
    t.call_void("ffi.ListClear", &[list.view()])?;
    drop(replacement);
    t.eq("strong count in the end", object.counts().0, 1)
}
