//! Walks and visits.

use super::*;

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
    let entries = sequence::elements(skip.view().cast_ref().unwrap()).unwrap();
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

pub(super) fn counter() -> ObjectRef {
    let visitor = StructuralVisitor { vtable: &raw const COUNTER, def_region_kind: 0 };
    object::new(Counter { visitor, integers: AtomicUsize::new(0) })
}

#[test]
fn visitors_of_clients_are_led_through_containers() {
    let counter = counter();
    let visitor = counter.clone().cast::<Visitor>().unwrap();
    let root = array_of([1.into(), list_of([2.into(), 3.into()]), map_of([(4.into(), 4.into())])]);
    assert!(visitor.visit(root.view()).unwrap().is_none());
    assert!(visitor.default_visit(map_of([(5.into(), 5.into())]).view()).unwrap().is_none());
    // SAFETY: the object is a counter.
    assert_eq!(unsafe { counter.data::<Counter>() }.integers.load(Ordering::Relaxed), 4);
}
