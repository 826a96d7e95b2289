//! Graphs, as `to_graph` makes them, to values.
//!
//! A graph comes from anywhere: indices may point nowhere or in circles, and data may be of any type.

use tvm_ffi_spec::*;

use crate::{
    border::error::{Error, Result},
    container::{
        array,
        held::{Held, Parts},
        list,
        map::{self, InStep, Map, Mapping},
        sequence::{self, Array, Sequence},
        shape,
    },
    function,
    json::base64,
    object::ObjectRef,
    reflection::{
        convert::Convert,
        create, enums,
        field::{self, Field, Fields},
    },
    scalar::dtype,
    system::memory::{self, RoomFor},
    types::{
        attribute,
        builtin_indices::{ENUM, INT_ENUM},
        lineage,
        schema::Type,
        type_table,
    },
    value::{
        any::{Any, AnyView},
        text,
    },
    walk::{
        recursion::{Fold, Visit, fold},
        stack_guard,
        verdicts::operation,
    },
};

/// The value that a graph stands for.
///
/// # Errors
/// `ValueError`, `TypeError` or `KeyError` for a graph that is malformed, and what setters and hooks fail with.
pub fn from_graph(graph: &Any) -> Result<Any> {
    stack_guard::check()?;
    let graph = graph.view().cast_ref::<Map>().ok_or_else(|| malformed(", expected an object"))?;
    let root = entry(graph, "root_index")?.filter(|root| root.view().type_index() == kTVMFFIInt);
    let root = root.and_then(|root| root.view().as_int());
    let root = root.ok_or_else(|| malformed(", expected `root_index` integer field"))?;
    let nodes = entry(graph, "nodes")?.and_then(|nodes| nodes.view().cast::<Array>());
    let nodes = nodes.ok_or_else(|| malformed(", expected `nodes` array field"))?;
    let nodes = sequence::elements(&nodes)?;
    let mut decoded = memory::room(nodes.len())?;
    decoded.resize(nodes.len(), State::Waiting);
    // Many Maps may have the same keys.
    operation(|| fold(&mut Decoder { nodes, decoded, types: Types::default() }, root))
}

struct Decoder {
    nodes: Vec<Any>,
    decoded: Vec<State>,
    types: Types,
}

/// The types that nodes are of, as far as they have been looked for and are few.
#[derive(Default)]
struct Types(Vec<(Box<[u8]>, i32)>);

impl Types {
    fn index_of(&mut self, key: &[u8]) -> Result<i32> {
        const FEW: usize = 16;
        if let Some((_, index)) = self.0.iter().find(|(known, _)| **known == *key) {
            return Ok(*index);
        }
        let index = type_table::index_of(key)?;
        if self.0.len() >= FEW {
            return Ok(index);
        }
        self.0.room_for(1)?;
        self.0.push((key.into(), index));
        Ok(index)
    }
}

/// What has become of a node.
#[derive(Clone)]
enum State {
    Waiting,
    /// Those that it refers to come first.
    Open,
    Done(Any),
}

/// A node that is made of others.
struct Frame {
    index: usize,
    making: Making,
}

/// A value that is being made; its node's data, as far as they are still to come.
enum Making {
    Sequence {
        type_index: i32,
        /// Keeps the rest.
        _data: Held,
        rest: Parts,
        elements: Vec<Any>,
    },
    /// A Map or a Dict.
    Mapping {
        /// Keeps the rest.
        _data: Held,
        rest: Parts,
        map: Mapping,
        entry: Entry,
    },
    Object {
        object: ObjectRef,
        rest: Fields,
        /// The field whose node is being decoded.
        current: Option<Field>,
        data: Mapping,
    },
}

/// How much is known of an entry: its value is decoded before its key, as in the releases.
enum Entry {
    Nothing,
    /// The index of the key.
    Begun(i64),
    /// The index of the key, and the value.
    Valued(i64, Any),
}

impl Entry {
    /// Takes in the value, or the key, with which the entry goes into the map.
    fn add(&mut self, map: &Mapping, part: Any) -> Result<()> {
        match std::mem::replace(self, Self::Nothing) {
            Self::Begun(key) => *self = Self::Valued(key, part),
            Self::Valued(_, value) => map::insert(map, part, value)?,
            Self::Nothing => {}
        }
        Ok(())
    }
}

/// The value of a node that has been decoded, which needs no visit.
fn done(decoded: &[State], index: i64) -> Option<&Any> {
    match decoded.get(usize::try_from(index).ok()?)? {
        State::Done(value) => Some(value),
        _ => None,
    }
}

impl Fold for Decoder {
    type Input = i64;
    type Output = Any;
    type Frame = Frame;
    const NAME: &'static str = "FromJSONGraph";

    fn visit(&mut self, index: i64) -> Result<Visit<Frame, Any>> {
        let node = usize::try_from(index).ok().filter(|&index| index < self.nodes.len());
        let Some(index) = node else {
            return Err(malformed(&format!(": invalid node index {index}")));
        };
        match &self.decoded[index] {
            State::Done(value) => return Ok(Visit::Done(value.clone())),
            State::Open => return Err(malformed(&format!(": node {index} refers to itself"))),
            State::Waiting => {}
        }
        Ok(match begin(&self.nodes[index], &mut self.types)? {
            Visit::Enter(making) => {
                self.decoded[index] = State::Open;
                Visit::Enter(Frame { index, making })
            }
            Visit::Done(value) => {
                self.decoded[index] = State::Done(value.clone());
                Visit::Done(value)
            }
        })
    }

    fn next(&mut self, frame: &mut Frame) -> Result<Option<i64>> {
        match &mut frame.making {
            Making::Sequence { rest, elements, .. } => {
                for index in rest {
                    let index = int(index.view())?;
                    let Some(value) = done(&self.decoded, index) else { return Ok(Some(index)) };
                    elements.push(value.clone());
                }
                Ok(None)
            }
            Making::Mapping { rest, map, entry, .. } => loop {
                // The value comes first, then the key.
                let index = match entry {
                    Entry::Valued(key, _) => *key,
                    _ => {
                        let Some((key, value)) = rest.next().zip(rest.next()) else { return Ok(None) };
                        *entry = Entry::Begun(int(key.view())?);
                        int(value.view())?
                    }
                };
                let Some(value) = done(&self.decoded, index) else { return Ok(Some(index)) };
                entry.add(map, value.clone())?;
            },
            Making::Object { object, rest, current, data } => {
                for field in rest {
                    // SAFETY: the object was made for the type that has the fields.
                    if let Some(index) = unsafe { set_or_find(object, &field, data)? } {
                        *current = Some(field);
                        return Ok(Some(index));
                    }
                }
                Ok(None)
            }
        }
    }

    fn feed(&mut self, frame: &mut Frame, output: Any) -> Result<()> {
        match &mut frame.making {
            Making::Sequence { elements, .. } => elements.push(output),
            Making::Mapping { map, entry, .. } => entry.add(map, output)?,
            Making::Object { object, current, .. } => {
                // SAFETY: the object was made for the type that has the field.
                return current.take().map_or(Ok(()), |field| unsafe { field.set(object, output.view()) });
            }
        }
        Ok(())
    }

    fn finish(&mut self, frame: Frame) -> Result<Any> {
        let value = match frame.making {
            Making::Sequence { type_index: kTVMFFIArray, mut elements, .. } => array::of_last(&mut elements, 0)?.into(),
            Making::Sequence { elements, .. } => list::new(elements)?.into(),
            Making::Mapping { map, .. } => map.into(),
            Making::Object { object, .. } => Any::from(object),
        };
        self.decoded[frame.index] = State::Done(value.clone());
        Ok(value)
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Nodes
// ---------------------------------------------------------------------------------------------------------------------

/// Looks at a node: the value, or what it is to be made of.
fn begin(node: &Any, types: &mut Types) -> Result<Visit<Making, Any>> {
    let node = mapping(node.view())?;
    // SAFETY: nodes are kept for as long as the walk.
    let (mut entries, is_fixed) = (unsafe { InStep::of(node) }, node.type_index() == kTVMFFIMap);
    let type_key = required(&mut entries, is_fixed, "type")?;
    let type_index = types.index_of(text(type_key.view())?)?;
    if type_index == kTVMFFINone {
        return Ok(Visit::Done(Any::NONE));
    }
    let data = required(&mut entries, is_fixed, "data")?;
    let view = data.view();
    Ok(Visit::Done(match type_index {
        kTVMFFIBool => view.as_bool().ok_or_else(|| Type::Bool.refuse(view))?.into(),
        kTVMFFIInt => int(view)?.into(),
        kTVMFFIFloat => Type::Float.cast(view)?,
        kTVMFFIDataType => dtype_named(view)?,
        kTVMFFIDevice => device(view)?,
        kTVMFFIStr => Type::Str.cast(view)?,
        kTVMFFIBytes => text::bytes(&base64::decode(text(view)?)?)?,
        kTVMFFIShape => shape::new(&ints(view)?)?.into(),
        kTVMFFIArray | kTVMFFIList => {
            let rest = parts(view)?;
            let elements = memory::room(rest.len())?;
            return Ok(Visit::Enter(Making::Sequence { type_index, _data: data, rest, elements }));
        }
        kTVMFFIMap | kTVMFFIDict => {
            let rest = parts(view)?;
            if rest.len() % 2 != 0 {
                let text = "Map/Dict data must contain an even number of [key, value] entries, got";
                return Err(malformed(&format!(": {text} {}", rest.len())));
            }
            let map = map::empty(type_index)?;
            return Ok(Visit::Enter(Making::Mapping { _data: data, rest, map, entry: Entry::Nothing }));
        }
        _ => return begin_object(type_index, view),
    }))
}

fn begin_object(type_index: i32, data: &AnyView<'_>) -> Result<Visit<Making, Any>> {
    if lineage::is_instance(type_index, INT_ENUM) {
        let index = Any::from(int(data)?);
        return Ok(Visit::Done(enums::find(type_index, index.view())?.into()));
    }
    if lineage::is_instance(type_index, ENUM) {
        let index = Type::Str.cast(data)?;
        return Ok(Visit::Done(enums::find(type_index, index.view())?.into()));
    }
    if let Some(hook) = create::function_of(&attribute::DATA_FROM_JSON, type_index) {
        return function::call(&hook, &[*data]).map(Visit::Done);
    }
    let object = create::empty_object(type_index)?;
    let (rest, data) = (field::fields(type_index)?, mapping(data)?.clone());
    Ok(Visit::Enter(Making::Object { object, rest, current: None, data }))
}

/// Sets a field from the data of its object, or to its default, unless its value is a node: then the index of that.
///
/// # Safety
/// The field is one of the object's type.
unsafe fn set_or_find(object: &ObjectRef, field: &Field, data: &Mapping) -> Result<Option<i64>> {
    let name = text::string(field.name())?;
    let value = match map::get(data, name.view())? {
        None => field.default()?.ok_or_else(|| not_set(object, field))?,
        Some(data) => match field.info().field_static_type_index {
            kTVMFFINone => Any::NONE,
            kTVMFFIBool => data.view().as_bool().ok_or_else(|| Type::Bool.refuse(data.view()))?.into(),
            kTVMFFIInt => int(data.view())?.into(),
            kTVMFFIFloat => Type::Float.cast(data.view())?,
            kTVMFFIDataType => dtype_named(data.view())?,
            _ => return int(data.view()).map(Some),
        },
    };
    // SAFETY: the caller's contract is the same.
    unsafe {
        field.set(object, value.view())?;
        match value.view().as_int().filter(|&int| may_be_cut(field, int)) {
            Some(int) if field.get(object)?.view().as_int() != Some(int) => Err(cut(field, int)),
            _ => Ok(None),
        }
    }
}

/// Whether a field may be too narrow for an integer, of which the setter of a client may then keep the low bits.
fn may_be_cut(field: &Field, int: i64) -> bool {
    let info = field.info();
    let spare = 64 - 8 * info.size.clamp(1, 8);
    info.field_static_type_index == kTVMFFIInt && int << spare >> spare != int
}

fn device(data: &AnyView<'_>) -> Result<Any> {
    let data = ints(data)?;
    let &[device_type, device_id] = data.as_slice() else {
        let text = "Device data must be an array of [device_type, device_id], got";
        return Err(malformed(&format!(": {text} {} element(s)", data.len())));
    };
    let no_device = |_| malformed(&format!(": there is no device [{device_type}, {device_id}]"));
    let mut payload = [0; 8];
    payload[..4].copy_from_slice(&i32::try_from(device_type).map_err(no_device)?.to_ne_bytes());
    payload[4..].copy_from_slice(&i32::try_from(device_id).map_err(no_device)?.to_ne_bytes());
    // SAFETY: a device owns nothing.
    Ok(unsafe { Any::from_raw(TVMFFIAny::new(kTVMFFIDevice, u64::from_ne_bytes(payload))) })
}

fn dtype_named(name: &AnyView<'_>) -> Result<Any> {
    let DLDataType { code, bits, lanes } = dtype::parse(text(name)?, dtype::registered_code)?;
    let [low, high] = lanes.to_ne_bytes();
    let payload = u64::from_ne_bytes([code, bits, low, high, 0, 0, 0, 0]);
    // SAFETY: a data type owns nothing.
    Ok(unsafe { Any::from_raw(TVMFFIAny::new(kTVMFFIDataType, payload)) })
}

// ---------------------------------------------------------------------------------------------------------------------
// Parts of nodes, of the types that they should be of
// ---------------------------------------------------------------------------------------------------------------------

fn int(value: &AnyView<'_>) -> Result<i64> {
    value.as_int().ok_or_else(|| Type::Int.refuse(value))
}

fn text<'a>(value: &'a AnyView<'a>) -> Result<&'a [u8]> {
    value.as_str().ok_or_else(|| Type::Str.refuse(value))
}

fn ints(value: &AnyView<'_>) -> Result<Vec<i64>> {
    let array = Type::Array(Type::Int.into()).cast(value)?;
    let elements = elements(array.view())?;
    let mut ints = memory::room(elements.len())?;
    for element in &elements {
        ints.push(int(element.view())?);
    }
    Ok(ints)
}

/// The elements of an Array or a List.
fn elements(value: &AnyView<'_>) -> Result<Vec<Any>> {
    let sequence = value.cast_ref().ok_or_else(|| Type::Array(Type::Any.into()).refuse(value))?;
    sequence::elements(sequence)
}

/// The elements of an Array or a List, which outlives them.
fn parts(value: &AnyView<'_>) -> Result<Parts> {
    let refuse = || Type::Array(Type::Any.into()).refuse(value);
    let sequence: &Sequence = value.cast_ref().ok_or_else(refuse)?;
    // SAFETY: the data of a node are kept with what is left of them.
    unsafe { Parts::of(sequence)? }.ok_or_else(refuse)
}

/// A Map or a Dict.
fn mapping<'a>(value: &'a AnyView<'a>) -> Result<&'a Mapping> {
    value.cast_ref().ok_or_else(|| Type::Map([Type::Any, Type::Any].into()).refuse(value))
}

fn entry(map: &Mapping, key: &str) -> Result<Option<Any>> {
    map::get(map, text::string(key.as_bytes())?.view())
}

/// What a node has under a name: lent if the node is a Map, since nodes are kept for as long as the walk.
fn required(node: &mut InStep<'_>, is_fixed: bool, key: &str) -> Result<Held> {
    let key = text::string(key.as_bytes())?;
    // SAFETY: as said above; of other nodes it is cloned at once.
    let found = unsafe { node.find(key.view())?.map(|value| Held::part(value, is_fixed)) };
    found.ok_or_else(|| Error::new("KeyError", "key is not in Map"))
}

#[cold]
fn malformed(what: &str) -> Error {
    Error::new("ValueError", format!("Invalid JSON Object Graph{what}"))
}

#[cold]
fn cut(field: &Field, int: i64) -> Error {
    malformed(&format!(": field `{}` has no room for {int}", String::from_utf8_lossy(field.name())))
}

#[cold]
fn not_set(object: &ObjectRef, field: &Field) -> Error {
    let (name, key) = (String::from_utf8_lossy(field.name()), type_table::key_of(object.type_index()));
    Error::new("TypeError", format!("Required field `{name}` not set in type `{key}`"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::{
        json::{parse, stringify, to_graph},
        recursive::{compare, repr::repr},
        test_values,
    };

    fn value_of(graph: &str) -> Result<Any> {
        from_graph(&parse(graph.as_bytes()).unwrap())
    }

    fn graph_of(nodes: &str) -> String {
        format!(r#"{{"root_index":0,"nodes":[{nodes}]}}"#)
    }

    // Known answers: what the releases make of these nodes.
    #[rstest]
    #[case(r#"{"type":"None"}"#, "None")]
    #[case(r#"{"type":"bool","data":1}"#, "True")]
    #[case(r#"{"type":"float","data":2}"#, "2")]
    #[case(r#"{"type":"DataType","data":"int8"}"#, "int8")]
    #[case(r#"{"type":"Device","data":[2,1]}"#, "cuda:1")]
    #[case(r#"{"type":"ffi.Bytes","data":"YWI="}"#, r#"b"ab""#)]
    #[case(r#"{"type":"ffi.Shape","data":[1,-2]}"#, "Shape(1, -2)")]
    #[case(r#"{"type":"ffi.BigInt","data":"18446744073709551616"}"#, "18446744073709551616")]
    #[case(r#"{"type":"ffi.Array","data":[1,1]},{"type":"int","data":7}"#, "(7, 7)")]
    #[case(r#"{"type":"ffi.Dict","data":[1,2,1,1]},{"type":"int","data":7},{"type":"ffi.List","data":[]}"#, "{7: 7}")]
    #[case(
        r#"{"type":"ffi.VisitInterrupt","data":{"value":1}},{"type":"bool","data":true}"#,
        "ffi.VisitInterrupt(value=True)"
    )]
    #[case(r#"{"type":"ffi.VisitInterrupt","data":{}}"#, "ffi.VisitInterrupt(value=None)")]
    fn nodes_become_values(#[case] nodes: &str, #[case] expected: &str) {
        let text = repr(&value_of(&graph_of(nodes)).unwrap()).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    // Known answers: what the releases say, but for cycles, which they do not survive.
    #[rstest]
    #[case("[]", "ValueError: Invalid JSON Object Graph, expected an object")]
    #[case(r#"{"root_index":true}"#, "ValueError: Invalid JSON Object Graph, expected `root_index` integer field")]
    #[case(r#"{"root_index":0}"#, "ValueError: Invalid JSON Object Graph, expected `nodes` array field")]
    #[case(r#"{"root_index":1,"nodes":[]}"#, "ValueError: Invalid JSON Object Graph: invalid node index 1")]
    #[case(r#"{"root_index":-1,"nodes":[]}"#, "ValueError: Invalid JSON Object Graph: invalid node index -1")]
    #[case(r#"{"root_index":0,"nodes":[5]}"#, "TypeError: Cannot convert from type `int` to `Map<Any, Any>`")]
    #[case(r#"{"root_index":0,"nodes":[{}]}"#, "KeyError: key is not in Map")]
    #[case(r#"{"root_index":0,"nodes":[{"type":"int"}]}"#, "KeyError: key is not in Map")]
    fn malformed_graphs_are_refused(#[case] graph: &str, #[case] message: &str) {
        assert_eq!(value_of(graph).err().unwrap().to_string(), message);
    }

    // Known answers, as above.
    #[rstest]
    #[case(r#"{"type":1}"#, "TypeError: Cannot convert from type `int` to `str`")]
    #[case(r#"{"type":"int","data":"s"}"#, "TypeError: Cannot convert from type `ffi.SmallStr` to `int`")]
    #[case(
        r#"{"type":"void*","data":0}"#,
        "RuntimeError: Type `void*` does not support reflection creation (no native \
        creator or __ffi_new__ type attr)"
    )]
    #[case(
        r#"{"type":"Device","data":[1]}"#,
        "ValueError: Invalid JSON Object Graph: Device data must be an array of \
        [device_type, device_id], got 1 element(s)"
    )]
    #[case(
        r#"{"type":"Device","data":["x"]}"#,
        "TypeError: Cannot convert from type `Array[index 0: ffi.SmallStr]` to \
        `Array<int>`"
    )]
    #[case(
        r#"{"type":"ffi.Map","data":[0]}"#,
        "ValueError: Invalid JSON Object Graph: Map/Dict data must contain an \
        even number of [key, value] entries, got 1"
    )]
    #[case(r#"{"type":"ffi.Map","data":[7,9]}"#, "ValueError: Invalid JSON Object Graph: invalid node index 9")]
    #[case(r#"{"type":"ffi.Array","data":[0.5]}"#, "TypeError: Cannot convert from type `float` to `int`")]
    #[case(
        r#"{"type":"ffi.Bytes","data":"abc"}"#,
        "InternalError: Check failed: (bytes.size % 4 == 0) is false: \
        invalid base64 encoding"
    )]
    #[case(
        r#"{"type":"Device","data":[4294967298,0]}"#,
        "ValueError: Invalid JSON Object Graph: there is no device [4294967298, 0]"
    )]
    #[case(
        r#"{"type":"ffi.reflection.AccessPath","data":{"parent":1,"step":1,"depth":4294967296}},{"type":"None"}"#,
        "a function has failed"
    )]
    #[case(r#"{"type":"ffi.IntEnum","data":3}"#, "ValueError: Enum `ffi.IntEnum` has no instance with index 3")]
    #[case(
        r#"{"type":"ffi.reflection.AccessStep","data":{"kind":1}}"#,
        "TypeError: Required field `key` not set in \
        type `ffi.reflection.AccessStep`"
    )]
    #[case(r#"{"type":"ffi.List","data":[0]}"#, "ValueError: Invalid JSON Object Graph: node 0 refers to itself")]
    #[case(
        r#"{"type":"ffi.Map","data":[1,1]},{"type":"ffi.VisitInterrupt","data":{"value":0}}"#,
        "ValueError: Invalid JSON Object Graph: node 0 refers to itself"
    )]
    fn malformed_nodes_are_refused(#[case] nodes: &str, #[case] message: &str) {
        assert_eq!(value_of(&graph_of(nodes)).err().unwrap().to_string(), message);
    }

    #[test]
    fn deep_graphs_are_no_danger() {
        const DEPTH: usize = 100_000;
        let value = Any::from(test_values::nested_lists(DEPTH));
        let graph = to_graph(value.clone(), &Any::NONE).unwrap();
        assert!(compare::equal(from_graph(&graph).unwrap().view(), value.view()).unwrap());
        // Each node refers to the next one.
        let nodes: Vec<_> = (1..=DEPTH).map(|next| format!(r#"{{"type":"ffi.Array","data":[{next}]}}"#)).collect();
        assert!(value_of(&graph_of(&format!("{},{}", nodes.join(","), r#"{"type":"None"}"#))).is_ok());
    }

    proptest! {
        #[test]
        fn values_come_back_from_their_graphs(sample in test_values::values()) {
            let value = sample.value();
            let graph = to_graph(value.clone(), &Any::NONE).unwrap();
            prop_assert!(compare::equal(from_graph(&graph).unwrap().view(), value.view()).unwrap());
        }

        #[test]
        fn values_come_back_from_texts_of_their_graphs(sample in test_values::json_values()) {
            let value = sample.value();
            let text = stringify(&to_graph(value.clone(), &Any::NONE).unwrap(), None).unwrap();
            prop_assert!(compare::equal(from_graph(&parse(&text).unwrap()).unwrap().view(), value.view()).unwrap());
        }

        /// Nodes of all types with indices that lead anywhere.
        #[test]
        fn any_graph_is_a_value_or_an_error(
            nodes in prop::collection::vec(
                (
                    prop::sample::select(vec!["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict", "ffi.Shape", "int", "None"]),
                    prop::collection::vec(-1..8_i64, 0..5),
                ),
                0..8,
            ),
            root in -1..8_i64,
        ) {
            let nodes: Vec<_> =
                nodes.iter().map(|(ty, data)| format!(r#"{{"type":"{ty}","data":{data:?}}}"#)).collect();
            let _ = value_of(&format!(r#"{{"root_index":{root},"nodes":[{}]}}"#, nodes.join(",")));
        }
    }
}
