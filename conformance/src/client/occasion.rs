//! The occasions on which the library calls a function of a client's of itself: hooks of types, callbacks of walks, and the
//! functions that name custom data types.

use tvm_ffi_spec::{clause::id, *};

use crate::client::{
    callback::Body,
    connection::Client,
    globals,
    homemade::{Homemade, release, retain},
    node::{Node, node, node_type},
    owned::{Answer, Owned},
    samples::Place,
    value::view,
    verdict::Verdict,
};

/// What a call has come to on an occasion; the other part is what is not expected of any.
pub type Outcome = Verdict<Answer>;

/// Brings the library to call a function with something that is given away to it.
pub type Giving = Box<dyn Fn(&Client) -> Verdict>;

/// An occasion on which the library calls a function.
pub struct Occasion {
    /// What calls the function, for messages.
    pub name: String,
    /// An answer that the library takes.
    pub answer: TVMFFIAny,
    /// The clause that says that nothing is kept of the call.
    pub keeps_nothing: &'static str,
    /// Brings the library to call the function, if it does so at all on this occasion.
    pub provoke: Box<dyn Fn(&Client) -> Outcome>,
    /// Does so with a call whose objects are given away, if it is a call with objects.
    pub provoke_giving: Option<Giving>,
}

const NO: TVMFFIAny = TVMFFIAny::new(kTVMFFIBool, 0);
const YES: TVMFFIAny = TVMFFIAny::new(kTVMFFIBool, 1);
const NONE: TVMFFIAny = TVMFFIAny::NONE;
const FIVE: TVMFFIAny = TVMFFIAny::new(kTVMFFIInt, 5);
const CODE: TVMFFIAny = TVMFFIAny::new(kTVMFFIInt, 200);
/// `suite` as a small string.
const TEXT: TVMFFIAny = TVMFFIAny {
    aux: TVMFFIAnyAux { small_str_len: 5 },
    ..TVMFFIAny::new(kTVMFFISmallStr, u64::from_ne_bytes(*b"suite\0\0\0"))
};

/// A hook: the column, the global function that asks it, the number of objects and what follows them, and an answer.
pub type Hook = (&'static str, &'static str, usize, &'static [TVMFFIAny], TVMFFIAny);

/// Hooks that have an answer of their own.
pub const HOOKS: [Hook; 14] = [
    ("__any_hash__", "ffi.Map", 1, &[NONE], FIVE),
    ("__any_equal__", "ffi.Map", 1, &[NONE], YES),
    ("__s_equal__", "ffi.StructuralEqual", 2, &[NO, NO], YES),
    ("__s_equal__", "ffi.GetFirstStructuralMismatch", 2, &[NO, NO], YES),
    ("__s_hash__", "ffi.StructuralHash", 1, &[NO, NO], FIVE),
    ("__ffi_eq__", "ffi.RecursiveEq", 2, &[], YES),
    ("__ffi_compare__", "ffi.RecursiveLt", 2, &[], FIVE),
    ("__ffi_compare__", "ffi.RecursiveLe", 2, &[], FIVE),
    ("__ffi_compare__", "ffi.RecursiveGt", 2, &[], FIVE),
    ("__ffi_compare__", "ffi.RecursiveGe", 2, &[], FIVE),
    ("__ffi_hash__", "ffi.RecursiveHash", 1, &[], FIVE),
    ("__ffi_repr__", "ffi.ReprPrint", 1, &[], TEXT),
    ("__data_to_json__", "ffi.ToJSONGraph", 1, &[NONE], FIVE),
    ("__data_to_json__", "ffi.ToJSONGraphString", 1, &[NONE], FIVE),
];

/// Functions that look for an object among others: the function, what makes what it looks through, and how many values each element of that
/// takes.
const LOOK_UPS: [(&str, &str, usize); 8] = [
    ("ffi.MapGetItem", "ffi.Map", 2),
    ("ffi.DictGetItem", "ffi.Dict", 2),
    ("ffi.MapCount", "ffi.Map", 2),
    ("ffi.MapGetItemOrMissing", "ffi.Map", 2),
    ("ffi.DictCount", "ffi.Dict", 2),
    ("ffi.DictGetItemOrMissing", "ffi.Dict", 2),
    ("ffi.ArrayContains", "ffi.Array", 1),
    ("ffi.ListContains", "ffi.List", 1),
];

impl Client {
    /// The occasions that the target has to call that function.
    pub fn occasions(&self, function: &Owned) -> Verdict<Vec<Occasion>> {
        let mut found = Vec::new();
        for (column, global, objects, rest, answer) in HOOKS {
            if globals::find(self, global)?.is_some() {
                let kind = self.hooked(column, global, function)?;
                let (nodes, args) = asking(column, kind, objects, rest);
                let (name, keeps_nothing) = (format!("{global}, which asks {column}"), id::HOK_0015);
                found.push(Occasion::of_call(name, answer, keeps_nothing, global, args, nodes));
            }
        }
        for (global, make, values) in LOOK_UPS {
            if globals::find(self, global)?.is_none() || globals::find(self, make)?.is_none() {
                continue;
            }
            for (column, answer) in [("__any_hash__", FIVE), ("__any_equal__", YES)] {
                // Where nothing is equal there is nothing to be got.
                if column == "__any_hash__" && global.ends_with("GetItem") {
                    continue;
                }
                let kind = self.hooked(column, global, function)?;
                let [asked, other, _] = asking(column, kind, 1, &[]).0;
                // So many that a map asks for hashes; one of them is compared with what is asked for.
                let mut elements: Vec<_> = (0..9).map(view::int).collect();
                elements.extend((column == "__any_equal__").then(|| other.view()));
                let held: Vec<_> =
                    elements.into_iter().flat_map(|element| [element, NONE].into_iter().take(values)).collect();
                let container = self.call_global(make, &held)?;
                let args = vec![container.any(), asked.view()];
                let name = format!("{global}, which asks {column}");
                found.push(Occasion::of_call(name, answer, id::HOK_0015, global, args, (container, asked, other)));
            }
        }
        for (global, answer) in [("ffi.StructuralWalk", NONE), ("ffi.StructuralMap", FIVE)] {
            if globals::find(self, global)?.is_none() {
                continue;
            }
            for (list, order) in [(1, 0), (1, 1), (2, 0), (2, 1)] {
                let mut callbacks = [self.callbacks(None, 0)?, self.callbacks(None, 0)?];
                callbacks[list - 1] = self.callbacks(Some(function), 0)?;
                let (value, name) =
                    (self.two_integers()?, format!("{global} with callbacks in list {list}, in order {order}"));
                let [first, second] = callbacks.each_ref().map(Owned::any);
                let args = vec![value.any(), first, second, view::int(order)];
                found.push(Occasion::of_call(name, answer, id::VIS_0025, global, args, (value, callbacks)));
            }
        }
        for (global, flags, answer) in [("ffi.StructuralVisit", 0, NONE), ("ffi.StructuralMutate", 1, FIVE)] {
            if globals::find(self, global)?.is_some() {
                let callbacks = self.callbacks(Some(function), flags)?;
                let value = self.two_integers()?;
                let args = vec![value.any(), callbacks.any()];
                found.push(Occasion::of_call(
                    global.to_owned(),
                    answer,
                    id::VIS_0025,
                    global,
                    args,
                    (value, callbacks),
                ));
            }
        }
        for name in ["dtype.get_custom_type_code", "dtype.get_custom_type_name"] {
            self.ok(self.api.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name.as_bytes()), function.handle(), 1))?;
        }
        let dtype = |name: &str, answer, provoke| Occasion {
            name: name.to_owned(),
            answer,
            keeps_nothing: id::DTY_0029,
            provoke,
            provoke_giving: None,
        };
        found.push(dtype("TVMFFIDataTypeFromString", CODE, Box::new(read_dtype)));
        found.push(dtype("TVMFFIDataTypeToString", TEXT, Box::new(write_dtype)));
        Ok(found)
    }

    /// Calls about a container at whose place the target has to call that function, with the container: hooks of objects in
    /// it, and callbacks that walk through it.
    pub fn occasions_about(&self, place: Place, function: &Owned) -> Verdict<Vec<(Occasion, TVMFFIAny)>> {
        let mut found = Vec::new();
        for (column, global, objects, rest, answer) in HOOKS {
            if column.starts_with("__any") || globals::find(self, global)?.is_none() {
                continue;
            }
            let kind = self.hooked(column, &format!("{global}{place:?}"), function)?;
            let (nodes, _) = asking(column, kind, objects, rest);
            let held: Vec<_> =
                nodes[..objects].iter().map(|node| place.put_before(self, &node.view(), 3)).collect::<Verdict<_>>()?;
            let args: Vec<_> = held.iter().map(Owned::any).chain(rest.iter().copied()).collect();
            let (name, about) = (format!("{global}, which asks {column} of what is {place:?}"), args[0]);
            found.push((Occasion::of_call(name, answer, id::HOK_0015, global, args, (nodes, held)), about));
        }
        let none = self.callbacks(None, 0)?.into_any();
        for (global, flags, answer) in [
            ("ffi.StructuralWalk", 0, NONE),
            ("ffi.StructuralMap", 0, FIVE),
            ("ffi.StructuralVisit", 0, NONE),
            ("ffi.StructuralMutate", 1, FIVE),
        ] {
            if globals::find(self, global)?.is_none() {
                continue;
            }
            let (value, callbacks) =
                (place.put_before(self, &view::int(1), 3)?, self.callbacks(Some(function), flags)?);
            let mut args = vec![value.any(), callbacks.any()];
            if matches!(global, "ffi.StructuralWalk" | "ffi.StructuralMap") {
                args.extend([none, view::int(0)]);
            }
            let (name, about) = (format!("{global} of what is {place:?}"), value.any());
            found.push((Occasion::of_call(name, answer, id::VIS_0025, global, args, (value, callbacks)), about));
        }
        Ok(found)
    }

    /// A new type with that function in a column.
    fn hooked(&self, column: &str, global: &str, function: &Owned) -> Verdict<i32> {
        let kind = node_type(self, &format!("verify.occasion{column}{global}"), kTVMFFISEqHashKindTreeNode, [0, 0])?;
        if column == "__any_equal__" {
            let seven: Body = |_, _| Some(view::int(7));
            self.set_hook(kind, "__any_hash__", &self.callback(seven)?.any())?;
        }
        self.set_hook(kind, column, &function.any())?;
        Ok(kind)
    }

    /// A list of callbacks: that function for integers, with so many further values, or none.
    fn callbacks(&self, function: Option<&Owned>, flags: usize) -> Verdict<Owned> {
        let Some(function) = function else { return self.call_global("ffi.Array", &[]) };
        let entry = [vec![view::int(kTVMFFIInt.into()), function.any()], vec![NO; flags]].concat();
        let entry = self.call_global("ffi.Array", &entry)?;
        self.call_global("ffi.Array", &[entry.any()])
    }

    /// A value with two integers in it.
    fn two_integers(&self) -> Verdict<Owned> {
        let inner = self.call_global("ffi.Array", &[view::int(2)])?;
        self.call_global("ffi.Array", &[view::int(1), inner.any()])
    }
}

impl Occasion {
    /// The occasion of a call of a global function with these arguments, which `owners` keep.
    fn of_call(
        name: String,
        answer: TVMFFIAny,
        keeps_nothing: &'static str,
        global: &'static str,
        args: Vec<TVMFFIAny>,
        owners: impl std::any::Any,
    ) -> Self {
        let given = args.clone();
        let provoke = move |client: &Client| {
            let _owners = &owners;
            client.answer(global, &args)
        };
        let provoke_giving = Box::new(move |client: &Client| give_away(client, global, &given));
        Self { name, answer, keeps_nothing, provoke: Box::new(provoke), provoke_giving: Some(provoke_giving) }
    }
}

/// What a hook is asked with: nodes, and the arguments that lend them.
fn asking(column: &str, kind: i32, objects: usize, rest: &[TVMFFIAny]) -> ([Homemade<Node>; 3], Vec<TVMFFIAny>) {
    // The keys of one Map, to be told apart by `__any_equal__`, are two.
    let nodes = [(); 3].map(|()| node(kind, view::int(1), view::int(2)));
    let mut args: Vec<_> = nodes[..objects].iter().map(|node| node.view()).chain(rest.iter().copied()).collect();
    if column == "__any_equal__" {
        args.extend([nodes[2].view(), NONE]);
    }
    (nodes, args)
}

/// Calls a function with a reference of its own to each object among the arguments. Whatever it comes to, nobody holds more
/// of these objects than before when its answer or its error has ended.
fn give_away(client: &Client, global: &str, args: &[TVMFFIAny]) -> Verdict {
    let counts = || -> Verdict<Vec<_>> {
        let objects = args.iter().filter(|arg| arg.type_index >= kTVMFFIStaticObjectBegin);
        objects.map(|object| client.counts(object.payload() as TVMFFIObjectHandle)).collect()
    };
    let before = counts()?;
    let mut slots: Vec<_> = args.iter().map(|arg| Box::new(arg.payload() as TVMFFIObjectHandle)).collect();
    let mut given = args.to_vec();
    for (arg, slot) in given.iter_mut().zip(&mut slots) {
        if arg.type_index >= kTVMFFIStaticObjectBegin {
            retain(**slot);
            *arg = TVMFFIAny::new(kTVMFFIObjectRValueRef, std::ptr::from_mut(&mut **slot) as u64);
        }
    }
    drop(client.answer(global, &given)?);
    for (arg, slot) in args.iter().zip(&slots) {
        if arg.type_index >= kTVMFFIStaticObjectBegin && !slot.is_null() {
            release(**slot);
        }
    }
    client.eq(format_args!("counts of the objects that were given to {global}"), counts()?, before)
}

fn read_dtype(client: &Client) -> Outcome {
    let mut dtype = DLDataType { code: 0, bits: 0, lanes: 0 };
    // Terminated, so that a target which reads behind a text is left to the checks on that.
    let text = TVMFFIByteArray { data: c"custom[suite]8".as_ptr(), size: 14 };
    match client.api.TVMFFIDataTypeFromString(&text, &mut dtype) {
        0 => Ok(Ok(client.own(view::int(dtype.code.into())))),
        code => Ok(Err(client.raises(code, &[])?)),
    }
}

fn write_dtype(client: &Client) -> Outcome {
    let mut text = NONE;
    match client.api.TVMFFIDataTypeToString(&DLDataType { code: 200, bits: 8, lanes: 1 }, &mut text) {
        0 => Ok(Ok(client.own(text))),
        code => Ok(Err(client.raises(code, &[])?)),
    }
}
