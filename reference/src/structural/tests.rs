//! The algorithms on values of every kind, deep ones and circular ones.

use std::{
    ffi::c_void,
    ptr::{self, NonNull},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use proptest::prelude::*;
use rstest::rstest;
use tvm_ffi_spec::*;

use super::{
    equal::{self, Options},
    error_context,
    fixtures::*,
    hash, key,
    mutate::Mutator,
    visit::{Visitor, visit_sequence},
};
use crate::{
    border::error::{self, Error, Result},
    container::{array, list, map, sequence},
    function,
    object::{self, ObjectRef, Payload},
    reflection::{
        access_path::{self, AccessStep},
        structural_objects::{StructuralVisitor, VisitErrorContext, VisitorVTable},
    },
    startup::{builtin_types::STRUCTURAL_VISITOR, globals::call_builtin},
    tensor,
    value::{
        any::{Any, AnyView},
        text,
    },
};

fn hashed(value: &Any) -> u64 {
    hash::hash(value.view(), false, false).unwrap()
}

fn hashed_mapping(value: &Any) -> u64 {
    hash::hash(value.view(), true, false).unwrap()
}

fn equals(lhs: &Any, rhs: &Any) -> bool {
    equal::equal(lhs.view(), rhs.view(), Options::default()).unwrap()
}

fn equals_mapping(lhs: &Any, rhs: &Any) -> bool {
    let options = Options { map_free_vars: true, ..Options::default() };
    equal::equal(lhs.view(), rhs.view(), options).unwrap()
}

/// The steps of a path, each as its kind and the repr of its key.
fn steps(path: &ObjectRef) -> Vec<(i32, String)> {
    let shown = |key: &Any| match key.view().as_str() {
        Some(text) => String::from_utf8_lossy(text).into_owned(),
        None => key.view().as_int().map_or("?".into(), |int| int.to_string()),
    };
    let step = |step: ObjectRef| {
        // SAFETY: the steps of a path are steps.
        let AccessStep { kind, key } = unsafe { step.data::<AccessStep>() }.clone();
        (kind, shown(&key))
    };
    access_path::steps(path).unwrap().into_iter().map(step).collect()
}

/// Where two values differ first, on either side.
fn mismatch(lhs: &Any, rhs: &Any) -> Option<[Vec<(i32, String)>; 2]> {
    let paths = equal::first_mismatch(lhs.view(), rhs.view(), Options::default()).unwrap();
    paths.map(|(lhs, rhs)| [steps(&lhs), steps(&rhs)])
}

fn message(error: Error) -> (String, String) {
    let object = error.into_object();
    // SAFETY: the object is an error, whose texts live as long as it does.
    let cell = unsafe { object.data::<TVMFFIErrorCell>() };
    // SAFETY: as above.
    let text = |array| unsafe {
        String::from_utf8_lossy(crate::border::c_pointers::span(array, "text").unwrap()).into_owned()
    };
    (text(cell.kind), text(cell.message))
}

fn call(name: &str, args: &[&Any]) -> Result<Any> {
    let args: Vec<_> = args.iter().map(|value| *value.view()).collect();
    call_builtin(name, &args)
}

/// Entries for callbacks: a function for values of a type.
fn callback(type_index: i32, body: impl Fn(&[AnyView<'_>]) -> Result<Any> + Send + Sync + 'static) -> Any {
    array_of([array_of([i64::from(type_index).into(), function::from_closure(body).into()])])
}

fn nothing() -> Any {
    array_of([])
}

// ---------------------------------------------------------------------------------------------------------------------
// Hash
// ---------------------------------------------------------------------------------------------------------------------

fn variables() -> (Any, Any) {
    (VAR.make(1, text("x")).into(), VAR.make(1, text("y")).into())
}

fn dag_node() -> Any {
    DAG.make(1, 2).into()
}

/// Known answers: what the release makes of the same values of types with these keys.
#[rstest]
#[case::array(array_of([1.into(), 2.into(), text("x")]), 17457834911281710515)]
#[case::map(map_of([(1.into(), 1.into()), (2.into(), 2.into()), (3.into(), 3.into())]), 10365915379169908578)]
#[case::small_bytes(text::bytes(b"abc").unwrap(), 2660949777)]
#[case::string(text("hello world, this is long"), 3024346752)]
#[case::tree(TREE.make(1, text("x")).into(), 1285325551925415066)]
#[case::nested(
    TREE.make(
        array_of([1.into(), TREE.make(2, Any::NONE).into()]),
        map_of([(text("k"), TREE.make(float(1.5), text::bytes(b"y").unwrap()).into())]),
    ).into(),
    4782394117648473340
)]
#[case::constant(CONST.make(1, 2).into(), 5901656234997407261)]
fn values_hash_as_in_the_release(#[case] value: Any, #[case] expected: u64) {
    assert_eq!(hashed(&value), expected);
    assert_eq!(hashed_mapping(&value), expected);
}

#[test]
fn variables_and_graphs_hash_as_in_the_release() {
    let ((x, y), d) = (variables(), dag_node());
    let func = FUNC.make(array_of([x.clone(), y.clone()]), array_of([y.clone(), x.clone()]));
    assert_eq!(hashed(&func.into()), 14942105365236050730);
    assert_eq!(hashed(&TREE.make(d.clone(), d.clone()).into()), 6197861308103205394);
    assert_eq!(hashed(&TREE.make(d.clone(), dag_node()).into()), 6197861308103205395);
    let keyed = TREE.make(d.clone(), map_of([(d, 1.into()), (text("z"), 2.into())]));
    assert_eq!(hashed(&keyed.into()), 13191082521183324576);
    let inner = FUNC.make(x.clone(), array_of([x.clone(), y]));
    assert_eq!(hashed_mapping(&TREE.make(array_of([x]), inner).into()), 15433163223168908478);
}

fn float(value: f64) -> Any {
    // SAFETY: the value owns nothing.
    unsafe { Any::from_raw(TVMFFIAny::new(kTVMFFIFloat, value.to_bits())) }
}

#[test]
fn used_variables_hash_by_identity_and_defined_ones_by_position() {
    let (x, y) = variables();
    assert_ne!(hashed(&x), hashed(&y));
    assert_eq!(hashed_mapping(&x), hashed_mapping(&y));
    let func = |variable: &Any| FUNC.make(array_of([variable.clone()]), variable.clone()).into();
    assert_eq!(hashed(&func(&x)), hashed(&func(&y)));
}

#[test]
fn hooks_hash_what_they_say() {
    let hooked = |b: i64| Any::from(HOOKED.make(array_of([1.into()]), b));
    assert_eq!(hashed(&hooked(2)), hashed(&hooked(2)));
    assert_ne!(hashed(&hooked(2)), hashed(&hooked(3)));
    assert!(equals(&hooked(2), &hooked(2)) && !equals(&hooked(2), &hooked(3)));
}

#[rstest]
#[case(Any::from(ObjectRef::clone(&function::from_closure(|_| Ok(Any::NONE)))), "Type metadata is not set for type `ffi.Function`")]
#[case(call("ffi.VisitInterrupt", &[&Any::NONE]).unwrap(), "_type_s_eq_hash_kind is not set for type `ffi.VisitInterrupt`")]
fn types_that_do_not_say_how_are_not_compared(#[case] value: Any, #[case] text: &str) {
    let expected = ("TypeError".into(), format!("{text}, so StructuralHash is not supported for this type"));
    assert_eq!(message(hash::hash(value.view(), false, false).unwrap_err()), expected);
    assert_eq!(message(equal::equal(value.view(), value.view(), Options::default()).unwrap_err()), expected);
}

// ---------------------------------------------------------------------------------------------------------------------
// Equality
// ---------------------------------------------------------------------------------------------------------------------

#[rstest]
#[case::int_and_bool(1.into(), true.into(), false)]
#[case::nans(float(f64::NAN), float(-f64::NAN), true)]
#[case::zeros(float(0.0), float(-0.0), false)]
#[case::strings(text("abc"), text::string_object(b"abc").unwrap().into(), true)]
#[case::string_and_bytes(text("abc"), text::bytes(b"abc").unwrap(), false)]
#[case::array_and_list(array_of([1.into()]), list_of([1.into()]), false)]
#[case::lists(list_of([1.into()]), list_of([1.into()]), true)]
#[case::orders_of_maps(
    map_of([(1.into(), 2.into()), (text("b"), 3.into())]),
    map_of([(text("b"), 3.into()), (1.into(), 2.into())]),
    true
)]
#[case::map_and_dict(map_of([]), dict_of([]), false)]
#[case::trees(TREE.make(1, 2).into(), TREE.make(1, 2).into(), true)]
#[case::types(TREE.make(1, 2).into(), CONST.make(1, 2).into(), false)]
#[case::unique(UNIQUE.make(1, 2).into(), UNIQUE.make(1, 2).into(), false)]
fn values_are_equal_by_structure(#[case] lhs: Any, #[case] rhs: Any, #[case] expected: bool) {
    assert_eq!((equals(&lhs, &rhs), equals(&rhs, &lhs)), (expected, expected));
    assert_eq!(mismatch(&lhs, &rhs).is_none(), expected);
    assert!(!expected || hashed(&lhs) == hashed(&rhs));
}

#[test]
fn variables_correspond_from_their_definition_on() {
    let (x, y) = variables();
    let (a, b) = variables();
    let func = |params: [&Any; 2], body: [&Any; 2]| -> Any {
        FUNC.make(array_of(params.map(Any::clone)), array_of(body.map(Any::clone))).into()
    };
    assert!(equals(&func([&x, &y], [&x, &y]), &func([&a, &b], [&a, &b])));
    assert!(!equals(&func([&x, &y], [&x, &y]), &func([&a, &b], [&b, &a])));
    assert!(!equals(&func([&x, &y], [&x, &x]), &func([&a, &b], [&a, &b])));
    assert!(!equals(&x, &y) && equals(&x, &x) && equals_mapping(&x, &y));
    // A simple definition is about the variable alone: what its fields refer to must be defined already.
    let typed = |inner: &Any| Any::from(VAR.make(inner.clone(), Any::NONE));
    assert!(equals(&FUNC.make(typed(&x), 0).into(), &FUNC.make(typed(&y), 0).into()));
    assert!(!equals(&LET.make(typed(&x), 0).into(), &LET.make(typed(&y), 0).into()));
    assert!(equals(&LET.make(typed(&x), 0).into(), &LET.make(typed(&x), 0).into()));
}

#[test]
fn graphs_are_equal_if_they_share_alike() {
    let (d, e) = (dag_node(), dag_node());
    let shared = |node: &Any| Any::from(TREE.make(node.clone(), node.clone()));
    let separate = Any::from(TREE.make(d.clone(), e.clone()));
    assert!(equals(&shared(&d), &shared(&e)));
    assert!(!equals(&shared(&d), &separate) && !equals(&separate, &shared(&d)));
}

#[rstest]
#[case::element(
    array_of([1.into(), array_of([2.into(), 3.into()])]),
    array_of([1.into(), array_of([2.into(), 4.into()])]),
    vec![(1, "1"), (1, "1")], vec![(1, "1"), (1, "1")]
)]
#[case::missing_element(array_of([1.into()]), array_of([1.into(), 2.into()]), vec![(4, "1")], vec![(1, "1")])]
#[case::further_element(list_of([1.into()]), list_of([]), vec![(1, "0")], vec![(4, "0")])]
#[case::value(map_of([(text("k"), 1.into())]), map_of([(text("k"), 2.into())]), vec![(2, "k")], vec![(2, "k")])]
#[case::missing_key(map_of([(text("k"), 1.into())]), map_of([]), vec![(2, "k")], vec![(5, "k")])]
#[case::further_key(dict_of([]), dict_of([(text("k"), 1.into())]), vec![(5, "k")], vec![(2, "k")])]
#[case::field(TREE.make(1, 2).into(), TREE.make(1, 3).into(), vec![(0, "b")], vec![(0, "b")])]
#[case::root(1.into(), 2.into(), vec![], vec![])]
#[case::in_hooked(
    array_of([HOOKED.make(1, list_of([])).into()]), array_of([HOOKED.make(1, list_of([0.into()])).into()]),
    vec![(1, "0"), (0, "b"), (4, "0")], vec![(1, "0"), (0, "b"), (1, "0")]
)]
fn the_first_mismatch_is_found(
    #[case] lhs: Any,
    #[case] rhs: Any,
    #[case] expected_lhs: Vec<(i32, &str)>,
    #[case] expected_rhs: Vec<(i32, &str)>,
) {
    let expected =
        [expected_lhs, expected_rhs].map(|steps| steps.into_iter().map(|(kind, key)| (kind, key.to_owned())).collect());
    assert_eq!(mismatch(&lhs, &rhs), Some(expected));
}

/// A tensor over memory that lives as long as the process.
fn tensor_of(data: &'static [u8; 4], device_type: i32, strides: &'static [i64; 2]) -> Any {
    let dl_tensor = DLTensor {
        data: data.as_ptr().cast_mut().cast(),
        device: DLDevice { device_type, device_id: 0 },
        ndim: 2,
        dtype: DLDataType { code: kDLUInt, bits: 8, lanes: 1 },
        shape: [2_i64, 2].as_slice().as_ptr().cast_mut(),
        strides: strides.as_ptr().cast_mut(),
        byte_offset: 0,
    };
    let version = tensor::DLPACK_VERSION;
    let managed =
        DLManagedTensorVersioned { version, manager_ctx: ptr::null_mut(), deleter: None, flags: 0, dl_tensor };
    // SAFETY: all that the tensor points to is static, and so is its description, which is never freed.
    unsafe { tensor::import(NonNull::from(Box::leak(Box::new(managed))), tensor::Requirements::default()) }
        .unwrap()
        .into()
}

const ROWS: &[i64; 2] = &[2, 1];
const COLUMNS: &[i64; 2] = &[1, 2];

#[test]
fn tensors_are_compared_by_content_unless_it_is_skipped() {
    let (a, b) = (tensor_of(b"abcd", kDLCPU, ROWS), tensor_of(b"abce", kDLCPU, ROWS));
    assert!(equals(&a, &tensor_of(b"abcd", kDLCPU, ROWS)) && !equals(&a, &b));
    assert_eq!(hashed(&a), hashed(&tensor_of(b"abcd", kDLCPU, ROWS)));
    assert_ne!(hashed(&a), hashed(&b));
    let skipping = Options { skip_tensor_content: true, ..Options::default() };
    assert!(equal::equal(a.view(), b.view(), skipping).unwrap());
    let skipped = |value: &Any| hash::hash(value.view(), false, true).unwrap();
    assert_eq!(skipped(&a), skipped(&b));
}

#[test]
fn the_content_of_a_tensor_must_be_in_reach() {
    let elsewhere = tensor_of(b"abcd", kDLCUDA, ROWS);
    let text = "Check failed: tensor.device().device_type == kDLCPU (2 vs. 1) : can only hash CPU tensor";
    let error = hash::hash(elsewhere.view(), false, false).unwrap_err();
    assert_eq!(message(error), ("InternalError".into(), text.into()));
    let scattered = tensor_of(b"abcd", kDLCPU, COLUMNS);
    assert!(hash::hash(scattered.view(), false, false).is_err());
    let other = tensor_of(b"abcd", kDLCPU, ROWS);
    assert!(equal::equal(scattered.view(), other.view(), Options::default()).is_err());
}

#[test]
fn keys_are_equal_by_structure() {
    let key_of = |value: &Any| Any::from(key::new(value.clone()).unwrap());
    let (first, second, third) =
        (key_of(&array_of([1.into()])), key_of(&array_of([1.into()])), key_of(&array_of([2.into()])));
    assert!(key::keys_equal(first.view(), second.view()).unwrap());
    assert!(!key::keys_equal(first.view(), third.view()).unwrap());
    let by_structure = map::new(vec![(first, 1.into()), (third, 3.into())]).unwrap();
    assert_eq!(map::get(&by_structure, second.view()).unwrap().unwrap().view().as_int(), Some(1));
    let error = key::keys_equal(second.view(), Any::from(1).view()).unwrap_err();
    assert_eq!(message(error), ("RuntimeError".into(), "Check not null: rhs_obj ".into()));
}

// ---------------------------------------------------------------------------------------------------------------------
// Walks
// ---------------------------------------------------------------------------------------------------------------------

/// Runs a walk over a value and tells what it has shown, integers only.
fn walked(root: &Any, order: i64) -> Vec<i64> {
    let seen = Arc::new(Mutex::new(vec![]));
    let shown = seen.clone();
    let callbacks = callback(kTVMFFIInt, move |args| {
        shown.lock().unwrap().push(args[0].as_int().unwrap());
        Ok(Any::NONE)
    });
    assert!(call("ffi.StructuralWalk", &[root, &callbacks, &nothing(), &order.into()]).unwrap().view().is_none());
    seen.lock().unwrap().clone()
}

#[test]
fn a_walk_shows_elements_values_and_fields_in_order() {
    let tree = TREE.make(list_of([1.into(), map_of([(9.into(), 2.into())])]), dict_of([(8.into(), 3.into())]));
    let root = array_of([tree.into(), VAR.make(4, 5).into(), 6.into()]);
    assert_eq!(walked(&root, 0), [1, 2, 3, 4, 6]);
    assert_eq!(walked(&root, 1), [1, 2, 3, 4, 6]);
}

#[test]
fn a_walk_is_steered_by_what_callbacks_answer() {
    let root = array_of([list_of([1.into()]), 2.into(), 3.into()]);
    let skip = callback(kTVMFFIList, |_| Ok(1.into()));
    let seen = Arc::new(AtomicUsize::new(0));
    let count = seen.clone();
    let stop_at_2 = function::from_closure(move |args| {
        count.fetch_add(1, Ordering::Relaxed);
        match args[0].as_int() {
            Some(2) => call("ffi.VisitInterrupt", &[&text("found")]),
            _ => Ok(Any::NONE),
        }
    });
    let entries = sequence::elements(&skip.view().as_object().unwrap());
    let both = array_of([entries[0].clone(), array_of([i64::from(kTVMFFIInt).into(), stop_at_2.into()])]);
    let interrupt = call("ffi.StructuralWalk", &[&root, &both, &nothing(), &0.into()]).unwrap();
    assert_eq!(interrupt.view().type_index(), kTVMFFIVisitInterrupt);
    assert_eq!(seen.load(Ordering::Relaxed), 1);
}

#[test]
fn walks_tell_the_definition_region() {
    let (x, y) = variables();
    let root = FUNC.make(x, TREE.make(y.clone(), LET.make(y, 0)));
    let regions = Arc::new(Mutex::new(vec![]));
    let seen = regions.clone();
    let informed = callback(VAR.index(), move |args| {
        seen.lock().unwrap().push(args[1].as_int().unwrap());
        Ok(Any::NONE)
    });
    call("ffi.StructuralWalk", &[&root.into(), &nothing(), &informed, &0.into()]).unwrap();
    assert_eq!(*regions.lock().unwrap(), [1, 0, 2]);
}

#[test]
fn visits_go_where_callbacks_lead_them() {
    let root = array_of([TREE.make(1, 2).into(), list_of([3.into()]), 4.into()]);
    let seen = Arc::new(Mutex::new(vec![]));
    let (numbers, of_tree) = (seen.clone(), seen.clone());
    let number = function::from_closure(move |args| {
        numbers.lock().unwrap().push(args[0].as_int().unwrap());
        Ok(Any::NONE)
    });
    let tree = function::from_closure(move |args| {
        of_tree.lock().unwrap().push(-1);
        let (value, visitor) = (args[0].to_owned()?, args[1].to_owned()?);
        call("ffi.StructuralVisitorDefaultVisit", &[&visitor, &value])
    });
    let skip = function::from_closure(|_| Ok(Any::NONE));
    let callbacks = array_of([
        array_of([i64::from(kTVMFFIInt).into(), number.into()]),
        array_of([i64::from(TREE.index()).into(), tree.into()]),
        array_of([i64::from(kTVMFFIList).into(), skip.into()]),
    ]);
    assert!(call("ffi.StructuralVisit", &[&root, &callbacks]).unwrap().view().is_none());
    assert_eq!(*seen.lock().unwrap(), [-1, 1, 2, 4]);
}

#[rstest]
#[case(callback(-1, |_| Ok(text("no"))), "CallExpected: result type mismatch, expected WalkResult, but got ffi.SmallStr")]
#[case(array_of([1.into()]), "Expected `Array<Tuple<int, ffi.Function>>` but got `Array[index 0: int]`")]
#[case(array_of([array_of([1.into()])]), "but got `Array[index 0: Array[size=1]]`")]
#[case(array_of([array_of([text("x"), 1.into()])]), "but got `Array[index 0: Array[index 0: ffi.SmallStr]]`")]
fn wrong_callbacks_are_refused(#[case] callbacks: Any, #[case] text: &str) {
    let error = call("ffi.StructuralWalk", &[&1.into(), &callbacks, &nothing(), &0.into()]).err().unwrap();
    let (kind, message) = message(error);
    assert_eq!(kind, "TypeError");
    assert!(message.contains(text), "{message}");
}

/// A visitor of a client: it counts integers and leaves containers to their hooks.
#[repr(C)]
struct Counter {
    visitor: StructuralVisitor,
    integers: AtomicUsize,
}

// SAFETY: `repr(C)`, and begins with the fields of visitors.
unsafe impl Payload for Counter {
    const TYPE_INDEX: i32 = STRUCTURAL_VISITOR;
}

static COUNTER: VisitorVTable = VisitorVTable { visit: count };

unsafe extern "C" fn count(visitor: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    match value.type_index {
        // SAFETY: the function is only found in counters.
        kTVMFFIInt => unsafe {
            let counter = visitor.cast::<u8>().add(object::HEADER_SIZE).cast::<Counter>();
            (*counter).integers.fetch_add(1, Ordering::Relaxed);
            TVMFFIAny::NONE
        },
        // SAFETY: a live visitor and an array or list.
        kTVMFFIArray | kTVMFFIList => unsafe { visit_sequence(visitor, value) },
        _ => TVMFFIAny::NONE,
    }
}

fn counter() -> ObjectRef {
    let visitor = StructuralVisitor { vtable: &raw const COUNTER, def_region_kind: 0 };
    object::new(Counter { visitor, integers: AtomicUsize::new(0) })
}

#[test]
fn visitors_of_clients_are_led_through_containers() {
    let counter = counter();
    // SAFETY: a counter is a visitor.
    let visitor = unsafe { Visitor::from_object(counter.clone()) };
    let root = array_of([1.into(), list_of([2.into(), 3.into()]), map_of([(4.into(), 4.into())])]);
    assert!(visitor.visit(root.view()).unwrap().is_none());
    assert!(visitor.default_visit(map_of([(5.into(), 5.into())]).view()).unwrap().is_none());
    // SAFETY: the object is a counter.
    assert_eq!(unsafe { counter.data::<Counter>() }.integers.load(Ordering::Relaxed), 4);
}

// ---------------------------------------------------------------------------------------------------------------------
// Mutation
// ---------------------------------------------------------------------------------------------------------------------

/// A callback that adds one to integers.
fn increment() -> Any {
    callback(kTVMFFIInt, |args| Ok((args[0].as_int().unwrap() + 1).into()))
}

fn mapped(root: &Any, callbacks: &Any, order: i64) -> Any {
    call("ffi.StructuralMap", &[root, callbacks, &nothing(), &order.into()]).unwrap()
}

fn same_object(lhs: &Any, rhs: &Any) -> bool {
    lhs.view().raw().payload() == rhs.view().raw().payload()
}

#[rstest]
#[case(0)]
#[case(1)]
fn a_map_replaces_values_in_copies(#[case] order: i64) {
    let unchanged = list_of([text("kept")]);
    let root = array_of([
        TREE.make(list_of([1.into()]), dict_of([(1.into(), 2.into())])).into(),
        map_of([(text("k"), 3.into())]),
        unchanged.clone(),
    ]);
    let copy = mapped(&root, &increment(), order);
    let expected = array_of([
        TREE.make(list_of([2.into()]), dict_of([(1.into(), 3.into())])).into(),
        map_of([(text("k"), 4.into())]),
        unchanged.clone(),
    ]);
    assert_eq!(mismatch(&copy, &expected), None);
    assert!(!equals(&root, &copy));
    let kept = sequence::get(&copy.view().as_object().unwrap(), 2).unwrap();
    assert!(same_object(&kept, &unchanged));
}

#[test]
fn a_map_that_replaces_nothing_gives_the_value_itself() {
    let root = array_of([TREE.make(1, list_of([2.into()])).into()]);
    assert!(same_object(&root, &mapped(&root, &nothing(), 0)));
    assert!(same_object(&root, &mapped(&root, &callback(-1, |args| args[0].to_owned()), 1)));
}

/// Gives a value up as the first argument of a function.
fn given_up(value: Any, name: &str, args: &[&Any]) -> Result<Any> {
    let mut handle = value.view().as_object().unwrap().into_handle();
    drop(value);
    let moved = TVMFFIAny { type_index: kTVMFFIObjectRValueRef, ..TVMFFIAny::new(0, (&raw mut handle).addr() as u64) };
    // SAFETY: the slot lives through the call.
    let mut all = vec![unsafe { AnyView::from_raw(&moved) }];
    all.extend(args.iter().map(|value| *value.view()));
    call_builtin(name, &all)
}

#[rstest]
#[case(0)]
#[case(1)]
fn what_nobody_else_has_is_changed_in_place(#[case] order: i64) {
    let shared = list_of([1.into()]);
    let root = array_of([list_of([1.into()]), map_of([(0.into(), 1.into())]), shared.clone()]);
    let handle = root.view().raw().payload();
    let inner = sequence::get(&root.view().as_object().unwrap(), 0).unwrap().view().raw().payload();
    let result = given_up(root, "ffi.StructuralMap", &[&increment(), &nothing(), &order.into()]).unwrap();
    assert_eq!(result.view().raw().payload(), handle);
    let object = result.view().as_object().unwrap();
    assert_eq!(sequence::get(&object, 0).unwrap().view().raw().payload(), inner);
    let expected = array_of([list_of([2.into()]), map_of([(0.into(), 2.into())]), list_of([2.into()])]);
    assert_eq!(mismatch(&result, &expected), None);
    assert_eq!(mismatch(&shared, &list_of([1.into()])), None);
}

#[test]
fn an_error_leaves_everything_in_its_place() {
    let seen = Arc::new(AtomicUsize::new(0));
    let lists = seen.clone();
    let in_place = function::from_closure(move |args| {
        let (list, mutator) = (args[0].as_object().unwrap(), args[1].as_object().unwrap());
        let before = sequence::elements(&list).iter().map(|part| part.view().type_index()).collect::<Vec<_>>();
        // SAFETY: callbacks get a mutator.
        let answer = unsafe { Mutator::from_object(mutator) }.default_mutate(&args[0], args[2].as_int() == Some(1));
        let after = sequence::elements(&list).iter().map(|part| part.view().type_index()).collect::<Vec<_>>();
        assert_eq!(before, after);
        lists.fetch_add(args[2].as_int().unwrap() as usize, Ordering::Relaxed);
        answer
    });
    let fail = function::from_closure(|_| Err(Error::new("ValueError", "no")));
    let callbacks = array_of([
        array_of([i64::from(kTVMFFIList).into(), in_place.into(), true.into()]),
        array_of([i64::from(kTVMFFIInt).into(), fail.into(), false.into()]),
    ]);
    let root = list_of([text("x"), list_of([text("y"), 1.into()])]);
    assert!(given_up(root, "ffi.StructuralMutate", &[&callbacks]).is_err());
    assert_eq!(seen.load(Ordering::Relaxed), 2);
}

#[test]
fn variables_are_replaced_wherever_they_are_used() {
    let x = Any::from(VAR.make(1, text("x")));
    let root = FUNC.make(array_of([x.clone()]), array_of([x.clone(), x.clone()]));
    let copy = mapped(&root.into(), &increment(), 1);
    let y = Any::from(VAR.make(2, text("x")));
    let expected = FUNC.make(array_of([y.clone()]), array_of([y.clone(), y]));
    assert_eq!(mismatch(&copy, &expected.into()), None);
    // Nodes of graphs stay shared.
    let d = dag_node();
    let copy = mapped(&array_of([d.clone(), d]), &increment(), 1);
    let elements = sequence::elements(&copy.view().as_object().unwrap());
    assert!(same_object(&elements[0], &elements[1]));
}

#[test]
fn mutations_go_where_callbacks_lead_them() {
    let negate = function::from_closure(|args| Ok((-args[0].as_int().unwrap()).into()));
    let only_first = function::from_closure(|args| {
        assert_eq!(args[2].as_int(), Some(0));
        let list = args[0].as_object().unwrap();
        let mut elements = sequence::elements(&list);
        elements[0] = call("ffi.StructuralMutatorMutate", &[&args[1].to_owned()?, &elements[0]])?;
        Ok(list::new(elements)?.into())
    });
    let callbacks = array_of([
        array_of([i64::from(kTVMFFIInt).into(), negate.into(), false.into()]),
        array_of([i64::from(kTVMFFIList).into(), only_first.into(), true.into()]),
    ]);
    let root = array_of([1.into(), list_of([2.into(), 3.into()])]);
    let result = call("ffi.StructuralMutate", &[&root, &callbacks]).unwrap();
    assert_eq!(mismatch(&result, &array_of([(-1).into(), list_of([(-2).into(), 3.into()])])), None);
}

// ---------------------------------------------------------------------------------------------------------------------
// Errors and their places
// ---------------------------------------------------------------------------------------------------------------------

fn context_of(error: Error) -> ObjectRef {
    let object = error.into_object();
    // SAFETY: the object is an error; the context is a reference of its own.
    unsafe { ObjectRef::from_borrowed(object.data::<TVMFFIErrorCell>().extra_context) }.unwrap()
}

#[rstest]
#[case("ffi.StructuralWalk", 0)]
#[case("ffi.StructuralWalk", 1)]
#[case("ffi.StructuralMap", 0)]
#[case("ffi.StructuralMap", 1)]
fn errors_name_the_objects_around_them(#[case] name: &str, #[case] order: i64) {
    let bad = Any::from(TREE.make(7, 0));
    let root = Any::from(TREE.make(0, array_of([1.into(), dict_of([(text("k"), bad.clone())])])));
    let fail = callback(kTVMFFIInt, |args| match args[0].as_int() {
        Some(7) => Err(Error::new("ValueError", "seven")),
        _ => args[0].to_owned().map(|_| Any::from(0)),
    });
    let fail = if name.ends_with("Map") {
        callback(kTVMFFIInt, |args| match args[0].as_int() {
            Some(7) => Err(Error::new("ValueError", "seven")),
            _ => args[0].to_owned(),
        })
    } else {
        fail
    };
    let context = context_of(call(name, &[&root, &fail, &nothing(), &order.into()]).err().unwrap());
    // SAFETY: the object is such a context.
    let pattern = unsafe { context.data::<VisitErrorContext>() }.reverse_visit_pattern.clone().unwrap();
    let named = sequence::elements(&pattern);
    let elements = sequence::elements(&named[2].view().as_object().unwrap());
    assert!(same_object(&named[0], &bad) && same_object(&named[1], &elements[1]) && same_object(&named[3], &root));
    assert_eq!(named.len(), 4);
    // Only objects with fields are looked for, so that containers in between do not lead to a match.
    let objects = list_of([bad, root.clone()]).view().as_object().unwrap();
    let context = crate::reflection::structural_objects::visit_error_context(objects, None);
    let root = root.view().as_object().unwrap();
    let paths = error_context::find_access_paths(Some(&root), &context, false).unwrap();
    assert_eq!(paths.len(), 1);
    assert_eq!(steps(&paths[0]), [(0, "b".into()), (1, "1".into()), (2, "k".into())]);
}

#[test]
fn a_match_of_the_outer_objects_alone_is_told_if_asked_for() {
    let (inner, missing) = (TREE.make(1, 2), TREE.make(3, 4));
    let root = TREE.make(inner.clone(), 5);
    let pattern = list::new(vec![missing.into(), inner.clone().into(), inner.into(), root.clone().into()]).unwrap();
    let context = crate::reflection::structural_objects::visit_error_context(pattern, None);
    assert!(error_context::find_access_paths(Some(&root), &context, false).unwrap().is_empty());
    let paths = error_context::find_access_paths(Some(&root), &context, true).unwrap();
    assert_eq!(paths.iter().map(steps).collect::<Vec<_>>(), [vec![(0, "a".to_owned())]]);
}

#[test]
fn a_context_keeps_the_one_before() {
    let previous = text::string_object(b"before").unwrap();
    let error = error::new_object(b"ValueError", b"", b"", None, Some(previous.clone())).unwrap();
    let node = TREE.make(1, 2);
    let error = error_context::add(Error::object(error), Any::from(node.clone()).view());
    let context = context_of(error_context::add(error, Any::from(1).view()));
    // SAFETY: the object is such a context.
    let VisitErrorContext { reverse_visit_pattern, prev_error_context } = unsafe { context.data() };
    assert_eq!(sequence::len(reverse_visit_pattern.as_ref().unwrap()), 1);
    assert_eq!(prev_error_context.as_ref().map(ObjectRef::handle), Some(previous.handle()));
}

// ---------------------------------------------------------------------------------------------------------------------
// Depth, circles and sharing
// ---------------------------------------------------------------------------------------------------------------------

/// Runs `body` on a stack on which no recursion gets far.
fn on_small_stack(body: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(1 << 20).spawn(body).unwrap().join().unwrap();
}

fn in_tree(inner: Any) -> Any {
    TREE.make(inner, 0).into()
}

fn in_array(inner: Any) -> Any {
    array_of([inner])
}

fn in_list(inner: Any) -> Any {
    list_of([inner])
}

fn in_dict(inner: Any) -> Any {
    dict_of([(0.into(), inner)])
}

fn nested(around: fn(Any) -> Any, levels: usize) -> Any {
    (0..levels).fold(Any::from(1), |inner, _| around(inner))
}

#[rstest]
#[case(in_array, 50_000)]
#[case(in_list, 50_000)]
#[case(in_dict, 50_000)]
#[case(in_tree, 50_000)]
fn nested_values_are_no_deeper_than_memory_is_large(#[case] around: fn(Any) -> Any, #[case] levels: usize) {
    on_small_stack(move || {
        let (lhs, rhs) = (nested(around, levels), nested(around, levels));
        assert_eq!(hashed(&lhs), hashed(&rhs));
        assert!(equals(&lhs, &rhs));
        assert_eq!(walked(&lhs, 0).into_iter().sum::<i64>(), 1);
        let other = mapped(&lhs, &increment(), 1);
        let paths = equal::first_mismatch(lhs.view(), other.view(), Options::default()).unwrap().unwrap();
        assert_eq!(access_path::steps(&paths.0).unwrap().len(), levels);
        let in_place = given_up(other, "ffi.StructuralMap", &[&increment(), &nothing(), &0.into()]).unwrap();
        assert!(!equals(&lhs, &in_place));
    });
}

#[test]
fn a_million_levels_are_not_too_many() {
    on_small_stack(|| {
        let (lhs, rhs) = (nested(in_array, 1_000_000), nested(in_array, 1_000_000));
        assert_eq!(hashed(&lhs), hashed(&rhs));
        assert!(equals(&lhs, &rhs));
        assert_eq!(walked(&lhs, 1), [1]);
    });
}

#[test]
fn errors_come_out_of_any_depth() {
    on_small_stack(|| {
        let fail = callback(kTVMFFIInt, |_| Err(Error::new("ValueError", "deep")));
        let root = nested(in_tree, 100_000);
        let error = call("ffi.StructuralWalk", &[&root, &fail, &nothing(), &0.into()]).err().unwrap();
        let (context, root) = (context_of(error), root.view().as_object().unwrap());
        let paths = error_context::find_access_paths(Some(&root), &context, false).unwrap();
        assert_eq!(access_path::steps(&paths[0]).unwrap().len(), 99_999);
    });
}

#[test]
fn hooks_recurse_as_far_as_the_stack_goes() {
    on_small_stack(|| {
        let deep = (0..100_000).fold(Any::from(1), |inner, _| HOOKED.make(inner, 0).into());
        let other = (0..100_000).fold(Any::from(1), |inner, _| HOOKED.make(inner, 0).into());
        let too_deep = "The value is nested too deeply: the stack of the thread is used up";
        let error = hash::hash(deep.view(), false, false).unwrap_err();
        assert_eq!(message(error), ("RuntimeError".into(), too_deep.into()));
        let error = equal::equal(deep.view(), other.view(), Options::default()).unwrap_err();
        assert_eq!(message(error), ("RuntimeError".into(), too_deep.into()));
        let counter = counter();
        // SAFETY: a counter is a visitor.
        let visitor = unsafe { Visitor::from_object(counter) };
        assert!(visitor.visit(nested(in_list, 100_000).view()).is_err());
    });
}

fn list_in_itself() -> Any {
    let list = list::new(vec![1.into()]).unwrap();
    list::push(&list, list.clone().into()).unwrap();
    list.into()
}

fn dict_in_itself() -> Any {
    let dict = map::new_dict(vec![]).unwrap();
    map::insert(&dict, 1.into(), array_of([list_of([dict.clone().into()])])).unwrap();
    dict.into()
}

fn object_in_itself() -> Any {
    let list = list::new(vec![]).unwrap();
    list::push(&list, TREE.make(0, list.clone()).into()).unwrap();
    list.into()
}

#[rstest]
#[case(list_in_itself)]
#[case(dict_in_itself)]
#[case(object_in_itself)]
fn what_contains_itself_is_an_error(#[case] make: fn() -> Any) {
    let (root, other) = (make(), make());
    let pass = callback(-1, |_| Ok(Any::NONE));
    let keep = callback(-1, |args| args[0].to_owned());
    let context = crate::reflection::structural_objects::visit_error_context(
        list::new(vec![TREE.make(0, 0).into()]).unwrap(),
        None,
    );
    let searched = TREE.make(root.clone(), 0);
    let order = [Any::from(0), Any::from(1)];
    let errors = [
        hash::hash(root.view(), false, false).map(drop),
        equal::equal(root.view(), other.view(), Options::default()).map(drop),
        equal::first_mismatch(root.view(), other.view(), Options::default()).map(drop),
        call("ffi.StructuralWalk", &[&root, &pass, &nothing(), &order[0]]).map(drop),
        call("ffi.StructuralWalk", &[&root, &pass, &nothing(), &order[1]]).map(drop),
        call("ffi.StructuralVisit", &[&root, &nothing()]).map(drop),
        call("ffi.StructuralMap", &[&root, &keep, &nothing(), &order[0]]).map(drop),
        call("ffi.StructuralMap", &[&root, &keep, &nothing(), &order[1]]).map(drop),
        call("ffi.StructuralMutate", &[&root, &nothing()]).map(drop),
        error_context::find_access_paths(Some(&searched), &context, false).map(drop),
    ];
    for (at, error) in errors.into_iter().enumerate() {
        let (kind, text) = message(error.expect_err("an error"));
        assert!(kind == "ValueError" && text.starts_with("A value contains itself"), "{at}: {kind}: {text}");
    }
}

#[test]
fn a_walk_may_keep_out_of_what_it_has_seen() {
    let seen = Mutex::new(std::collections::HashSet::new());
    let skip_seen = callback(kTVMFFIObject, move |args| {
        let fresh = seen.lock().unwrap().insert(args[0].raw().payload());
        Ok(i64::from(!fresh).into())
    });
    let result = call("ffi.StructuralWalk", &[&list_in_itself(), &skip_seen, &nothing(), &0.into()]);
    assert!(result.unwrap().view().is_none());
}

/// Each level refers to the one below twice, so that there are more ways to the bottom than there is time.
#[rstest]
#[case(|inner: Any| array_of([inner.clone(), inner]))]
#[case(|inner: Any| list_of([inner.clone(), inner]))]
#[case(|inner: Any| map_of([(0.into(), inner.clone()), (1.into(), inner)]))]
#[case(|inner: Any| map_of([(inner.clone(), 0.into()), (1.into(), inner)]))]
#[case(|inner: Any| TREE.make(inner.clone(), inner).into())]
#[case(|inner: Any| TREE.make(array_of([inner.clone(), inner.clone()]), inner).into())]
#[case(|inner: Any| DAG.make(inner.clone(), inner).into())]
#[case(|inner: Any| VAR.make(array_of([inner.clone(), inner]), 0).into())]
fn shared_parts_are_looked_at_once(#[case] around: fn(Any) -> Any) {
    let (lhs, rhs) = (nested(around, 100), nested(around, 100));
    assert_eq!(hashed_mapping(&lhs), hashed_mapping(&rhs));
    equals_mapping(&lhs, &rhs);
    let context = crate::reflection::structural_objects::visit_error_context(
        list::new(vec![TREE.make(0, 0).into()]).unwrap(),
        None,
    );
    let root = TREE.make(lhs, 0);
    assert!(error_context::find_access_paths(Some(&root), &context, false).unwrap().is_empty());
}

// ---------------------------------------------------------------------------------------------------------------------
// Properties
// ---------------------------------------------------------------------------------------------------------------------

/// How a value is built.
#[derive(Clone, Debug)]
enum Plan {
    Int(i64),
    Text(String),
    Array(Vec<Plan>),
    List(Vec<Plan>),
    Dict(Vec<(i64, Plan)>),
    Tree(Box<Plan>, Box<Plan>),
    /// A function of a variable, with the variable beside its body.
    Func(Box<Plan>),
}

fn plan() -> impl Strategy<Value = Plan> {
    let leaf = prop_oneof![any::<i64>().prop_map(Plan::Int), ".{0,12}".prop_map(Plan::Text)];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Plan::Array),
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Plan::List),
            proptest::collection::btree_map(0..20_i64, inner.clone(), 0..7)
                .prop_map(|entries| Plan::Dict(entries.into_iter().collect())),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Plan::Tree(a.into(), b.into())),
            inner.prop_map(|body| Plan::Func(body.into())),
        ]
    })
}

impl Plan {
    /// A value that shares nothing with others; each integer is changed by `change`.
    fn build(&self, change: &impl Fn(i64) -> i64) -> Any {
        let all = |plans: &[Self]| plans.iter().map(|plan| plan.build(change)).collect::<Vec<_>>();
        match self {
            Self::Int(int) => change(*int).into(),
            Self::Text(value) => text(value),
            Self::Array(plans) => array::new(all(plans)).unwrap().into(),
            Self::List(plans) => list::new(all(plans)).unwrap().into(),
            Self::Dict(entries) => {
                let entry = |(key, plan): &(i64, Self)| (Any::from(*key), plan.build(change));
                map::new_dict(entries.iter().map(entry).collect()).unwrap().into()
            }
            Self::Tree(a, b) => TREE.make(a.build(change), b.build(change)).into(),
            Self::Func(body) => {
                let variable = Any::from(VAR.make(Any::NONE, Any::NONE));
                FUNC.make(variable.clone(), array_of([variable, body.build(change)])).into()
            }
        }
    }

    fn integers(&self) -> Vec<i64> {
        match self {
            Self::Int(int) => vec![*int],
            Self::Text(_) => vec![],
            Self::Array(plans) | Self::List(plans) => plans.iter().flat_map(Self::integers).collect(),
            Self::Dict(entries) => entries.iter().flat_map(|(_, plan)| plan.integers()).collect(),
            Self::Tree(a, b) => [a.integers(), b.integers()].concat(),
            Self::Func(body) => body.integers(),
        }
    }
}

proptest! {
    #[test]
    fn values_of_one_plan_are_equal_and_hash_alike(plan in plan()) {
        let (lhs, rhs) = (plan.build(&|int| int), plan.build(&|int| int));
        prop_assert!(equals(&lhs, &rhs));
        prop_assert_eq!(mismatch(&lhs, &rhs), None);
        prop_assert_eq!(hashed(&lhs), hashed(&rhs));
    }

    #[test]
    fn values_of_two_plans_are_equal_only_if_they_hash_alike(lhs in plan(), rhs in plan()) {
        let (lhs, rhs) = (lhs.build(&|int| int), rhs.build(&|int| int));
        let equal = equals(&lhs, &rhs);
        prop_assert_eq!(equal, equals(&rhs, &lhs));
        prop_assert_eq!(equal, mismatch(&lhs, &rhs).is_none());
        prop_assert!(!equal || hashed(&lhs) == hashed(&rhs));
    }

    #[test]
    fn walks_show_what_there_is(plan in plan(), order in 0..2_i64) {
        prop_assert_eq!(walked(&plan.build(&|int| int), order), plan.integers());
    }

    #[test]
    fn maps_replace_what_there_is(plan in plan(), order in 0..2_i64, in_place: bool) {
        let root = plan.build(&|int| int.wrapping_sub(1));
        let add = callback(kTVMFFIInt, |args| Ok(args[0].as_int().unwrap().wrapping_add(1).into()));
        let expected = plan.build(&|int| int);
        let is_object = root.view().type_index() >= kTVMFFIStaticObjectBegin;
        let result = if in_place && is_object {
            given_up(root, "ffi.StructuralMap", &[&add, &nothing(), &order.into()]).unwrap()
        } else {
            let before = hashed(&root);
            let result = mapped(&root, &add, order);
            prop_assert_eq!(hashed(&root), before);
            result
        };
        prop_assert_eq!(mismatch(&result, &expected), None);
    }
}
