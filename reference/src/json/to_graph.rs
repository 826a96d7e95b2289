//! Values to graphs: `{"root_index": i, "nodes": [{"type": key, "data": ..}, ..], "metadata": ..}`.
//!
//! Every value becomes one node, behind those that it refers to; values that are the same key of a map share one. Data
//! of sequences and maps are indices of nodes. Data of an object are its fields by name: numbers and data types as they
//! are, all else as the index of a node.

use std::{collections::HashMap, mem};

use tvm_ffi_spec::*;

use crate::{
    border::error::{Error, Result},
    container::{
        array,
        held::{Held, Parts, Visited},
        key, map,
        sequence::Array,
        shape,
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
    system::memory::{self, RoomFor},
    types::{attribute, builtin_indices::INT_ENUM, lineage, type_table},
    value::{
        any::{Any, AnyView},
        text,
    },
    walk::{
        addresses::{Addresses, ByAddress},
        recursion::{Fold, USUAL_DEPTH, Visit, fold},
        stack_guard,
        verdicts::operation,
    },
};

/// The graph of a value. `metadata` is added unless it is None.
///
/// # Errors
/// `ValueError` for a value that contains itself, `TypeError` for objects that could not be made again, `RuntimeError`
/// for values that mean nothing elsewhere, such as pointers, and what getters and hooks fail with.
pub fn to_graph(value: Any, metadata: &Any) -> Result<Any> {
    stack_guard::check()?;
    let mut graph = Graph::new()?;
    let root = Visited::outermost(Held::ours(value));
    // Each key is compared with all before it that have its hash.
    let root = operation(|| match graph.child(root.value.view(), root.noted)? {
        Child::Node(index) => Ok(index),
        Child::Unknown(hash) => fold(&mut graph, (root, hash)),
    })?;
    graph.finished(root, metadata)
}

struct Graph {
    /// What nodes begin with, and what their data are called.
    keys: [Any; 2],
    nodes: Vec<Any>,
    /// What the nodes stand for that may be met again, each with the node before it whose value has the same hash.
    values: Vec<(Any, Option<usize>)>,
    /// The last of the nodes whose values have a hash.
    by_hash: ByAddress<u64, usize>,
    /// The words of a value that was found, and its node: one value often follows another that is the same.
    last: Option<([u64; 2], i64)>,
    /// The names of the types that are always there, of which there are few, and of others.
    type_names: Vec<(i32, Any)>,
    other_type_names: ByAddress<i32, Any>,
    /// The Lists and Dicts that are being visited.
    open_containers: Addresses,
    /// The other objects that are being visited, each with the number of open Lists and Dicts before it.
    open_objects: ByAddress<usize, usize>,
}

/// What is known of a value before it is visited.
enum Child {
    /// It has this node.
    Node(i64),
    /// It is to be visited; this is its hash, if it may be met again.
    Unknown(Option<u64>),
}

/// A value whose node comes after those of its children.
struct Frame {
    value: Visited,
    hash: Option<u64>,
    /// Whether it has been noted that it is being visited.
    is_open: bool,
    data: Data,
}

enum Data {
    /// The elements to come, and the nodes of those that were visited, with room for all.
    Elements(Parts, Array),
    /// The fields to come, those that were visited, and the name of the one that is. Only of types that have two of a name it is
    /// noted which have been met.
    Fields(Fields, Vec<(Any, Any)>, Any, Option<Named>),
}

/// The last field of each name, and where it is among those that were visited.
type Named = HashMap<&'static [u8], (Field, usize)>;

impl Fold for Graph {
    /// A value that has no node, and its hash.
    type Input = (Visited, Option<u64>);
    type Output = i64;
    type Frame = Frame;
    const NAME: &'static str = "ToJSONGraph";
    const NESTED: usize = USUAL_DEPTH;

    fn visit(&mut self, (visited, hash): Self::Input) -> Result<Visit<Frame, i64>> {
        let view = visited.value.view();
        let type_index = view.type_index();
        let object = visited.value.object().ok_or_else(|| without_node(type_index))?;
        // SAFETY: the frame has both the object and its elements.
        let data = match unsafe { Parts::of(object)? } {
            Some(elements) => {
                let done = array::with_capacity(elements.len())?;
                Data::Elements(elements, done)
            }
            None => {
                if let Some(data) = special_data(object, view)? {
                    return self.add(view, hash, Some(data)).map(Visit::Done);
                }
                let named = field::has_hidden(type_index)?.then(Named::new);
                Data::Fields(field::fields(type_index)?, Vec::new(), Any::NONE, named)
            }
        };
        // A container without others in it need not be noted, so that this waits for the first.
        let is_open = matches!(data, Data::Fields(..)) && self.open(&visited)?;
        Ok(Visit::Enter(Frame { value: visited, hash, is_open, data }))
    }

    fn next(&mut self, frame: &mut Frame) -> Result<Option<Self::Input>> {
        match &mut frame.data {
            Data::Elements(rest, done) => {
                for element in rest {
                    if !frame.is_open && !is_plain(element.view().type_index()) {
                        frame.is_open = self.open(&frame.value)?;
                    }
                    match self.child(element.view(), frame.value.is_noted(&element))? {
                        // SAFETY: nobody else has the array, which has room for all elements.
                        Child::Node(index) => unsafe { array::append(done, index.into()) },
                        Child::Unknown(hash) => return Ok(Some((frame.value.part(element), hash))),
                    }
                }
                Ok(None)
            }
            Data::Fields(rest, done, current, named) => {
                let object = frame.value.value.its_object();
                for field in rest {
                    // SAFETY: the fields are those of the object's type.
                    let value = unsafe { field.get(object)? };
                    if let Some(named) = named
                        // SAFETY: the field is one of the object's type.
                        && unsafe { is_met(named, object, field, value.view(), done)? }
                    {
                        continue;
                    }
                    let field_name = text::string(field.name())?;
                    match inline_data(&field, value.view())? {
                        Some(data) => done.push((field_name, data)),
                        None => {
                            let part = frame.value.part(field.hold(value));
                            match self.child(part.value.view(), part.noted)? {
                                Child::Node(index) => done.push((field_name, index.into())),
                                Child::Unknown(hash) => {
                                    *current = field_name;
                                    return Ok(Some((part, hash)));
                                }
                            }
                        }
                    }
                }
                Ok(None)
            }
        }
    }

    fn feed(&mut self, frame: &mut Frame, index: i64) -> Result<()> {
        match &mut frame.data {
            // SAFETY: nobody else has the array, which has room for all elements.
            Data::Elements(_, done) => unsafe { array::append(done, index.into()) },
            Data::Fields(_, done, current, _) => done.push((mem::take(current), index.into())),
        }
        Ok(())
    }

    fn finish(&mut self, frame: Frame) -> Result<i64> {
        let Frame { value, hash, is_open, data } = frame;
        if let Some(object) = value.value.object()
            && is_open
        {
            self.close(object);
        }
        let data = match data {
            Data::Elements(_, done) => done.into(),
            Data::Fields(_, mut done, _, named) => {
                if named.is_some() {
                    done.retain(|(name, _)| !name.view().is_none());
                }
                map::new(done)?.into()
            }
        };
        self.add(value.value.view(), hash, Some(data))
    }
}

impl Graph {
    /// No nodes yet, and room for those of a small value.
    fn new() -> Result<Self> {
        const FIRST: usize = 28;
        let mut by_hash = ByAddress::default();
        by_hash.room_for(FIRST)?;
        Ok(Self {
            keys: [name("type")?, name("data")?],
            nodes: memory::room(FIRST)?,
            values: memory::room(FIRST)?,
            by_hash,
            last: None,
            type_names: Vec::new(),
            other_type_names: ByAddress::default(),
            open_containers: Addresses::default(),
            open_objects: ByAddress::default(),
        })
    }

    /// The graph, when it has all nodes.
    fn finished(self, root: i64, metadata: &Any) -> Result<Any> {
        let root = (name("root_index")?, root.into());
        let nodes = (name("nodes")?, array::new(self.nodes)?.into());
        let graph = if metadata.view().is_none() {
            map::of_few([root, nodes])
        } else {
            map::of_few([root, nodes, (name("metadata")?, metadata.clone())])
        };
        graph.map(Any::from)
    }

    /// The node of a value that has one, or refers to no other.
    #[inline]
    fn child(&mut self, value: &AnyView<'_>, noted: bool) -> Result<Child> {
        let type_index = value.type_index();
        if let Some((words, index)) = self.last
            && words == value.words()
        {
            return Ok(Child::Node(index));
        }
        let is_plain = is_plain(type_index);
        // What is only equal to itself need not be looked for if it is met once.
        if !(is_plain || noted || key::has_hooks(type_index)) {
            return Ok(Child::Unknown(None));
        }
        let hash = value_hash::any_hash(value)?;
        match self.find(hash, value)? {
            Some(index) => {
                // Hooks are asked each time, and words tell an object only if it is the one that is kept with the node.
                let (kept, _) = &self.values[index as usize];
                if kept.view().words() == value.words()
                    && (type_index < kTVMFFIStaticObjectBegin || !key::has_hooks(type_index))
                {
                    self.last = Some((value.words(), index));
                }
                Ok(Child::Node(index))
            }
            None if is_plain => self.add_new(value, Some(hash), plain_data(value)?).map(Child::Node),
            None => Ok(Child::Unknown(Some(hash))),
        }
    }

    /// The node of a value that has one.
    fn find(&self, hash: u64, value: &AnyView<'_>) -> Result<Option<i64>> {
        let mut next = self.by_hash.get(&hash).copied();
        while let Some(index) = next {
            let (other, before) = &self.values[index];
            if other.view().words() == value.words() || value_hash::any_equal(other.view(), value)? {
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
        let [type_key, data_key] = &self.keys;
        let node = match data {
            Some(data) => map::of_few([(type_key.clone(), type_name), (data_key.clone(), data)]),
            None => map::of_few([(type_key.clone(), type_name)]),
        }?;
        self.nodes.room_for(1)?;
        self.values.room_for(1)?;
        self.nodes.push(node.into());
        let value = match hash {
            Some(hash) => {
                self.by_hash.room_for(1)?;
                (value.to_owned()?, self.by_hash.insert(hash, index))
            }
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
        if type_index >= kTVMFFIStaticObjectEnd {
            return self.other_type_name(type_index);
        }
        if let Some((_, name)) = self.type_names.iter().find(|(index, _)| *index == type_index) {
            return Ok(name.clone());
        }
        let name = name(&type_table::key_of(type_index))?;
        self.type_names.room_for(1)?;
        self.type_names.push((type_index, name.clone()));
        Ok(name)
    }

    fn other_type_name(&mut self, type_index: i32) -> Result<Any> {
        if let Some(name) = self.other_type_names.get(&type_index) {
            return Ok(name.clone());
        }
        let name = name(&type_table::key_of(type_index))?;
        self.other_type_names.room_for(1)?;
        self.other_type_names.insert(type_index, name.clone());
        Ok(name)
    }

    /// Notes that an object is being visited, if it takes a note to find out that it contains itself; tells whether it
    /// does.
    ///
    /// A cycle is found at the first List or Dict in it, as in the releases; where there is none, at the object. An Array or
    /// a Map that the walk does not come by again is in no cycle, and nobody changes it.
    fn open(&mut self, visited: &Visited) -> Result<bool> {
        let object = visited.value.its_object();
        if !visited.noted && matches!(object.type_index(), kTVMFFIArray | kTVMFFIMap) {
            return Ok(false);
        }
        let address = object.handle().addr();
        let is_cycle = match object.type_index() {
            kTVMFFIList | kTVMFFIDict => !self.open_containers.insert(address)?,
            _ => {
                let containers = self.open_containers.len();
                self.open_objects.room_for(1)?;
                self.open_objects.insert(address, containers) == Some(containers)
            }
        };
        if !is_cycle {
            return Ok(true);
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
        kTVMFFIShape => {
            let extents = value.cast_ref().map(shape::extents).unwrap_or_default();
            array::new(memory::collected(extents.iter().map(|&extent| extent.into()))?)?.into()
        }
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

/// Whether a field hides one of its name that was visited, which stands for it then, or else comes behind these.
///
/// # Safety
/// The fields are those of the object's type.
unsafe fn is_met(
    named: &mut Named,
    object: &ObjectRef,
    field: Field,
    value: &AnyView<'_>,
    done: &mut Vec<(Any, Any)>,
) -> Result<bool> {
    named.room_for(1)?;
    let behind = done.len();
    let Some((hidden, place)) = named.insert(field.name(), (field, behind)) else { return Ok(false) };
    // SAFETY: the caller's contract is the same.
    unsafe { check_hidden(object, &hidden, &field, value)? };
    // As in the releases, a name that is there keeps its place as long as there are fewer than four.
    if named.len() >= 4 {
        // It leaves a place without a name.
        let moved = mem::take(&mut done[place]);
        done.push(moved);
    } else {
        named.insert(field.name(), (field, place));
    }
    Ok(true)
}

/// A graph has room for one field of a name: refuses another that hides an inherited one, unless what the graph says is true
/// of both.
///
/// # Safety
/// Both are fields of the object's type.
#[cold]
unsafe fn check_hidden(object: &ObjectRef, hidden: &Field, field: &Field, value: &AnyView<'_>) -> Result<()> {
    let is_inline = |field: &Field| inline_data(field, value).map(|data| data.is_some());
    let place = |field: &Field| {
        let info = field.info();
        (info.offset, info.size, info.field_static_type_index)
    };
    // A field that was registered twice is one.
    if place(hidden) == place(field) {
        return Ok(());
    }
    // SAFETY: the caller's contract is the same.
    let other = unsafe { hidden.get(object)? };
    if is_inline(hidden)? == is_inline(field)? && value_hash::any_equal(other.view(), value)? {
        return Ok(());
    }
    let (key, name) = (type_table::key_of(object.type_index()), String::from_utf8_lossy(field.name()));
    let text = format!("Cannot serialize type `{key}`: it has two fields `{name}` of different values");
    Err(Error::new("RuntimeError", text))
}

#[cold]
fn without_node(type_index: i32) -> Error {
    Error::new("RuntimeError", format!("Cannot serialize type `{}`", type_table::key_of(type_index)))
}

fn dtype_name(value: &AnyView<'_>) -> Result<Any> {
    // SAFETY: the payload of every value is initialised, and any bytes are a data type.
    let dtype = unsafe { value.raw().value.v_dtype };
    text::string(dtype::print(dtype, dtype::registered_name)?.as_bytes())
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
        let graph = to_graph(value.into(), &metadata).unwrap();
        String::from_utf8(stringify(&graph, None).unwrap()).unwrap()
    }

    fn error(value: impl Into<Any>) -> String {
        to_graph(value.into(), &Any::NONE).err().unwrap().to_string()
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
}
