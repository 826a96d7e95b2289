//! Where in a value an error arose.

use super::*;
use crate::object::TypedRef;

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
    let pattern = context.reverse_visit_pattern().unwrap();
    let named = sequence::elements(&pattern).unwrap();
    let elements = sequence::elements(named[2].view().cast_ref().unwrap()).unwrap();
    assert!(same_object(&named[0], &bad) && same_object(&named[1], &elements[1]) && same_object(&named[3], &root));
    assert_eq!(named.len(), 4);
    // Only objects with fields are looked for, so that containers in between do not lead to a match.
    let objects = list_of([bad, root.clone()]).view().cast().unwrap();
    let context = crate::reflection::structural_objects::visit_error_context(objects, None).unwrap();
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
    let context = crate::reflection::structural_objects::visit_error_context(pattern, None).unwrap();
    assert!(error_context::find_access_paths(Some(&root), &context, false).unwrap().is_empty());
    let paths = error_context::find_access_paths(Some(&root), &context, true).unwrap();
    assert_eq!(paths.iter().map(steps).collect::<Vec<_>>(), [vec![(0, "a".to_owned())]]);
}

#[test]
fn a_context_keeps_the_one_before() {
    let previous = text::string_object(b"before").unwrap().into_object();
    let error = error_object::new_object(b"ValueError", b"", b"", None, Some(previous.clone())).unwrap();
    let node = TREE.make(1, 2);
    let error = error_context::add(Error::object(error), Any::from(node.clone()).view());
    let context = context_of(error_context::add(error, Any::from(1).view()));
    // SAFETY: the object is such a context.
    let VisitErrorContext { reverse_visit_pattern, prev_error_context } = unsafe { context.data() };
    assert_eq!(sequence::len(reverse_visit_pattern.as_ref().unwrap()), 1);
    assert_eq!(prev_error_context.as_ref().map(ObjectRef::handle), Some(previous.handle()));
}

#[test]
fn an_error_that_others_have_tells_of_each_walk() {
    let error = error_object::new_object(b"ValueError", b"seven", b"", None, None).unwrap();
    for nodes in
        [[TREE.make(1, 2), TREE.make(3, 4)], [TREE.make(5, 6), TREE.make(7, 8)]].map(|nodes| nodes.map(Any::from))
    {
        let raised =
            nodes.iter().fold(Error::object(error.clone()), |error, node| error_context::add(error, node.view()));
        error_context::close();
        let named = sequence::elements(&context_of(raised).reverse_visit_pattern().unwrap()).unwrap();
        assert!(named.len() == 2 && named.iter().zip(&nodes).all(|(named, node)| same_object(named, node)));
    }
    assert!(error.is_unique());
}
