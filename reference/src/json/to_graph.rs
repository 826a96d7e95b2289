//! Values to graphs: `{"root_index": i, "nodes": [{"type": key, "data": ..}, ..], "metadata": ..}`.
//!
//! Every value becomes one node, behind those that it refers to; values that are the same key of a map share one. Data
//! of sequences and maps are indices of nodes. Data of an object are its fields by name: numbers and data types as they
//! are, all else as the index of a node.

use tvm_ffi_spec::*;

use crate::{
    border::error::{Error, Result},
    container::{
        array,
        held::{Held, Parts, Visited},
        key, map, shape,
    },
    function,
    json::base64,
    object::ObjectRef,
    reflection::{
        create,
        enums::{Enum, EnumObject},
        field::{self, Field, Fields},
    },
    scalar::{dtype, value_hash},
    system::memory,
    types::{attribute, builtin_indices::INT_ENUM, lineage, type_table},
    value::{
        any::{Any, AnyView},
        text,
    },
    walk::{
        addresses::{Addresses, ByAddress},
        recursion::{Fold, Visit, fold},
        stack_guard,
    },
};

/// The graph of a value. `metadata` is added unless it is None.
///
/// # Errors
/// `ValueError` for a value that contains itself, `TypeError` for objects that could not be made again, `RuntimeError`
/// for values that mean nothing elsewhere, such as pointers, and what getters and hooks fail with.
pub fn to_graph(value: &Any, metadata: &Any) -> Result<Any> {
    stack_guard::check()?;
    let mut graph = Graph::default();
    let root = fold(&mut graph, Visited::root(value.clone(), false))?;
    let mut entries = vec![(name("root_index")?, root.into()), (name("nodes")?, array::new(graph.nodes)?.into())];
    if !metadata.view().is_none() {
        entries.push((name("metadata")?, metadata.clone()));
    }
    map::new(entries).map(Any::from)
}

#[derive(Default)]
struct Graph {
    nodes: Vec<Any>,
    /// What the nodes stand for that may be met again, each with the node before it whose value has the same hash.
    values: Vec<(Any, Option<usize>)>,
    /// The last of the nodes whose values have a hash.
    by_hash: ByAddress<u64, usize>,
    /// The names of types.
    type_names: ByAddress<i32, Any>,
    /// The Lists and Dicts whose elements are being visited.
    open_containers: Addresses,
    /// The objects whose fields are being visited, each with the number of open Lists and Dicts before it.
    open_objects: ByAddress<usize, usize>,
}

/// A value whose node comes after those of its children.
struct Frame {
    value: Visited,
    hash: Option<u64>,
    data: Data,
}

enum Data {
    /// The elements to come, and the nodes of those that were visited.
    Elements(Parts, Vec<Any>),
    /// The fields to come, those that were visited, and the name of the one that is.
    Fields(Fields, Vec<(Any, Any)>, Any),
}

impl Fold for Graph {
    type Input = Visited;
    type Output = i64;
    type Frame = Frame;
    const NAME: &'static str = "ToJSONGraph";

    fn visit(&mut self, visited: Visited) -> Result<Visit<Frame, i64>> {
        let view = visited.value.view();
        if let Some(index) = self.plain_node(view)? {
            return Ok(Visit::Done(index));
        }
        let type_index = view.type_index();
        // What is only equal to itself need not be looked for if it is met once.
        let hash = if visited.noted || key::has_hooks(type_index) { Some(value_hash::any_hash(view)?) } else { None };
        if let Some(index) = hash.map_or(Ok(None), |hash| self.find(hash, view))? {
            return Ok(Visit::Done(index));
        }
        let Some(object) = visited.value.object() else {
            let key = type_table::key_of(type_index);
            return Err(Error::new("RuntimeError", format!("Cannot serialize type `{key}`")));
        };
        // SAFETY: the frame has both the object and its elements.
        let data = match unsafe { Parts::of(object)? } {
            Some(elements) => {
                let done = memory::room(elements.len())?;
                Data::Elements(elements, done)
            }
            None => {
                if let Some(data) = special_data(object, view)? {
                    return self.add(view, hash, Some(data)).map(Visit::Done);
                }
                Data::Fields(field::fields(type_index)?, Vec::new(), Any::NONE)
            }
        };
        self.open(object)?;
        Ok(Visit::Enter(Frame { value: visited, hash, data }))
    }

    fn next(&mut self, frame: &mut Frame) -> Result<Option<Visited>> {
        match &mut frame.data {
            Data::Elements(rest, done) => {
                for element in rest {
                    match self.plain_node(element.view())? {
                        Some(index) => done.push(index.into()),
                        None => return Ok(Some(frame.value.part(element))),
                    }
                }
                Ok(None)
            }
            Data::Fields(rest, done, current) => {
                let Some(object) = frame.value.value.object() else { return Ok(None) };
                for field in rest {
                    // SAFETY: the fields are those of the object's type.
                    let value = unsafe { field.get(object)? };
                    let field_name = text::string(field.name())?;
                    match inline_data(&field, value.view())? {
                        Some(data) => set(done, field_name, data),
                        None => {
                            *current = field_name;
                            return Ok(Some(frame.value.part(Held::ours(value))));
                        }
                    }
                }
                Ok(None)
            }
        }
    }

    fn feed(&mut self, frame: &mut Frame, index: i64) -> Result<()> {
        match &mut frame.data {
            Data::Elements(_, done) => done.push(index.into()),
            Data::Fields(_, done, current) => set(done, std::mem::take(current), index.into()),
        }
        Ok(())
    }

    fn finish(&mut self, frame: Frame) -> Result<i64> {
        let Frame { value, hash, data } = frame;
        if let Some(object) = value.value.object() {
            self.close(object);
        }
        let data = match data {
            Data::Elements(_, mut done) => array::of_last(&mut done, 0)?.into(),
            Data::Fields(_, done, _) => map::new(done)?.into(),
        };
        self.add(value.value.view(), hash, Some(data))
    }
}

impl Graph {
    /// The node of a value that refers to no other.
    #[inline]
    fn plain_node(&mut self, value: &AnyView<'_>) -> Result<Option<i64>> {
        if !is_plain(value.type_index()) {
            return Ok(None);
        }
        let hash = value_hash::any_hash(value)?;
        if let Some(index) = self.find(hash, value)? {
            return Ok(Some(index));
        }
        let data = plain_data(value)?;
        self.add_new(value, Some(hash), data).map(Some)
    }

    /// The node of a value that has one.
    fn find(&self, hash: u64, value: &AnyView<'_>) -> Result<Option<i64>> {
        let mut next = self.by_hash.get(&hash).copied();
        while let Some(index) = next {
            let (other, before) = &self.values[index];
            if value_hash::any_equal(other.view(), value)? {
                return Ok(Some(index as i64));
            }
            next = *before;
        }
        Ok(None)
    }

    /// Adds the node of a value that has been visited.
    fn add(&mut self, value: &AnyView<'_>, hash: Option<u64>, data: Option<Any>) -> Result<i64> {
        // One of its children may be the same key.
        let known = hash.map_or(Ok(None), |hash| self.find(hash, value))?;
        self.add_new(value, hash.filter(|_| known.is_none()), data)
    }

    /// Adds a node, to be found by the hash of its value.
    fn add_new(&mut self, value: &AnyView<'_>, hash: Option<u64>, data: Option<Any>) -> Result<i64> {
        let index = self.nodes.len();
        let type_name = self.type_name(value)?;
        let mut node = [name("type")?, type_name, Any::NONE, Any::NONE];
        let mut count = 1;
        if let Some(data) = data {
            (node[2], node[3]) = (name("data")?, data);
            count = 2;
        }
        self.nodes.try_reserve(1)?;
        self.values.try_reserve(1)?;
        self.by_hash.try_reserve(1)?;
        self.nodes.push(map::of_array(node, count)?.into());
        let value = match hash {
            Some(hash) => (value.to_owned()?, self.by_hash.insert(hash, index)),
            None => (Any::NONE, None),
        };
        self.values.push(value);
        Ok(index as i64)
    }

    /// The type of a node. Strings and bytes have one form there.
    fn type_name(&mut self, value: &AnyView<'_>) -> Result<Any> {
        let type_index = match value.type_index() {
            kTVMFFISmallStr => kTVMFFIStr,
            kTVMFFISmallBytes => kTVMFFIBytes,
            other => other,
        };
        if let Some(name) = self.type_names.get(&type_index) {
            return Ok(name.clone());
        }
        let name = name(&type_table::key_of(type_index))?;
        self.type_names.try_reserve(1)?;
        self.type_names.insert(type_index, name.clone());
        Ok(name)
    }

    /// Notes that an object is being visited.
    ///
    /// A cycle is found at the first List or Dict in it, as in the releases; where there is none, at the object.
    fn open(&mut self, object: &ObjectRef) -> Result<()> {
        let address = object.handle().addr();
        let is_cycle = match object.type_index() {
            kTVMFFIList | kTVMFFIDict => !self.open_containers.insert(address)?,
            _ => {
                let containers = self.open_containers.len();
                self.open_objects.try_reserve(1)?;
                self.open_objects.insert(address, containers) == Some(containers)
            }
        };
        if !is_cycle {
            return Ok(());
        }
        let what = match object.type_index() {
            kTVMFFIList => "a List".to_owned(),
            kTVMFFIDict => "a Dict".to_owned(),
            other => format!("an object of type `{}`", type_table::key_of(other)),
        };
        Err(Error::new("ValueError", format!("Cycle detected during serialization: {what} contains itself")))
    }

    /// Notes that it has been visited.
    fn close(&mut self, object: &ObjectRef) {
        let address = object.handle().addr();
        match object.type_index() {
            kTVMFFIList | kTVMFFIDict => self.open_containers.remove(address),
            _ => drop(self.open_objects.remove(&address)),
        }
    }
}

/// Whether values of a type refer to no other.
fn is_plain(type_index: i32) -> bool {
    matches!(
        type_index,
        kTVMFFINone
            | kTVMFFIBool
            | kTVMFFIInt
            | kTVMFFIFloat
            | kTVMFFISmallStr
            | kTVMFFIStr
            | kTVMFFIDataType
            | kTVMFFIDevice
            | kTVMFFISmallBytes
            | kTVMFFIBytes
            | kTVMFFIShape
    )
}

/// The data of a value that refers to no other; None has none.
fn plain_data(value: &AnyView<'_>) -> Result<Option<Any>> {
    let data = match value.type_index() {
        kTVMFFINone => return Ok(None),
        kTVMFFIDataType => dtype_name(value)?,
        kTVMFFIDevice => {
            // SAFETY: the value is a device.
            let DLDevice { device_type, device_id } = unsafe { value.raw().value.v_device };
            array::new(vec![i64::from(device_type).into(), i64::from(device_id).into()])?.into()
        }
        kTVMFFISmallBytes | kTVMFFIBytes => text::string(&base64::encode(value.as_bytes().unwrap_or_default())?)?,
        kTVMFFIShape => match value.cast_ref() {
            Some(shape) => array::new(shape::extents(shape).iter().map(|&extent| extent.into()).collect())?.into(),
            None => Any::NONE,
        },
        _ => value.to_owned()?,
    };
    Ok(Some(data))
}

/// The data of an object that does not consist of its fields: an enumeration's index, or what the hook of its type makes.
fn special_data(object: &ObjectRef, value: &AnyView<'_>) -> Result<Option<Any>> {
    let type_index = object.type_index();
    if let Some(object) = object.cast_ref::<EnumObject>() {
        let Enum { int_index, str_index } = object.content();
        let is_int = lineage::is_instance(type_index, INT_ENUM);
        return Ok(Some(if is_int { int_index.into() } else { str_index }));
    }
    if let Some(hook) = create::function_of(&attribute::DATA_TO_JSON, type_index) {
        return function::call(&hook, &[*value]).map(Some);
    }
    if create::has_creator(type_index) {
        return Ok(None);
    }
    let key = type_table::key_of(type_index);
    let text = "does not support ToJSONGraph (no native creator or __ffi_new__ type attr)";
    Err(Error::new("TypeError", format!("Type `{key}` {text}")))
}

/// The value of a field whose declared type needs no node.
fn inline_data(field: &Field, value: &AnyView<'_>) -> Result<Option<Any>> {
    let payload = value.raw().payload();
    Ok(Some(match field.info().field_static_type_index {
        kTVMFFINone => Any::NONE,
        kTVMFFIBool => (payload != 0).into(),
        kTVMFFIInt => (payload as i64).into(),
        kTVMFFIFloat => f64::from_bits(payload).into(),
        kTVMFFIDataType => dtype_name(value)?,
        _ => return Ok(None),
    }))
}

fn dtype_name(value: &AnyView<'_>) -> Result<Any> {
    // SAFETY: the payload of every value is initialised, and any bytes are a data type.
    let dtype = unsafe { value.raw().value.v_dtype };
    text::string(dtype::print(dtype, dtype::registered_name)?.as_bytes())
}

/// Sets an entry, as a map would: as long as it has four entries, a key that is there keeps its place.
fn set(entries: &mut Vec<(Any, Any)>, key: Any, value: Any) {
    let found = entries.iter().position(|(other, _)| other.view().as_str() == key.view().as_str());
    match found {
        Some(index) if entries.len() <= 4 => entries[index].1 = value,
        Some(index) => {
            entries.remove(index);
            entries.push((key, value));
        }
        None => entries.push((key, value)),
    }
}

fn name(text: &str) -> Result<Any> {
    text::string(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::{container::list, function::from_closure, json::stringify, test_values};

    fn text(value: impl Into<Any>, metadata: Any) -> String {
        let graph = to_graph(&value.into(), &metadata).unwrap();
        String::from_utf8(stringify(&graph, None).unwrap()).unwrap()
    }

    fn error(value: impl Into<Any>) -> String {
        to_graph(&value.into(), &Any::NONE).err().unwrap().to_string()
    }

    // Known answers: what the releases write.
    #[rstest]
    #[case(Any::NONE, Any::NONE, r#"{"root_index":0,"nodes":[{"type":"None"}]}"#)]
    #[case(true.into(), 1.into(), r#"{"root_index":0,"nodes":[{"type":"bool","data":true}],"metadata":1}"#)]
    #[case(text::bytes(b"ab").unwrap(), Any::NONE,
        r#"{"root_index":0,"nodes":[{"type":"ffi.Bytes","data":"YWI="}]}"#)]
    fn plain_values_are_one_node(#[case] value: Any, #[case] metadata: Any, #[case] expected: &str) {
        assert_eq!(text(value, metadata), expected);
    }

    #[test]
    fn children_come_first_and_once() {
        let shared = Any::from(list::new(vec![1.into()]).unwrap());
        let value = array::new(vec![shared.clone(), name("a").unwrap(), shared, name("a").unwrap()]).unwrap();
        let nodes = [
            r#"{"type":"int","data":1}"#,
            r#"{"type":"ffi.List","data":[0]}"#,
            r#"{"type":"ffi.String","data":"a"}"#,
            r#"{"type":"ffi.Array","data":[1,2,1,2]}"#,
        ];
        assert_eq!(text(value, Any::NONE), format!(r#"{{"root_index":3,"nodes":[{}]}}"#, nodes.join(",")));
    }

    #[test]
    fn what_cannot_be_made_again_is_refused() {
        let function = from_closure(|_| Ok(Any::NONE));
        let text = "does not support ToJSONGraph (no native creator or __ffi_new__ type attr)";
        assert_eq!(error(function), format!("TypeError: Type `ffi.Function` {text}"));
        // SAFETY: a pointer owns nothing.
        let pointer = unsafe { Any::from_raw(TVMFFIAny::new(kTVMFFIOpaquePtr, 0)) };
        assert_eq!(error(pointer), "RuntimeError: Cannot serialize type `void*`");
        let cyclic = test_values::cyclic_list();
        let text = "ValueError: Cycle detected during serialization: a List contains itself";
        assert_eq!(error(array::new(vec![cyclic.clone().into()]).unwrap()), text);
        test_values::break_cycle(&cyclic);
    }

    #[test]
    fn entries_are_set_as_in_a_map() {
        let keys = |count: usize| {
            let mut entries = Vec::new();
            let names = ["a", "b", "c", "d", "e"];
            for key in names.iter().take(count).chain([&"a"]) {
                set(&mut entries, name(key).unwrap(), Any::NONE);
            }
            let keys = entries.iter().filter_map(|(key, _)| key.view().as_str());
            String::from_utf8(keys.flatten().copied().collect()).unwrap()
        };
        assert_eq!((keys(4), keys(5)), ("abcd".into(), "bcdea".into()));
    }
}
