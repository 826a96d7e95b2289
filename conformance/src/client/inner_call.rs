//! Calls that a function of a client's makes while the library waits for it: of every kind, with other flags and values than
//! the outer call may have, and with every end.

use std::{
    ffi::c_void,
    fmt::{self, Display, Formatter},
    sync::{Mutex, OnceLock, PoisonError},
};

use tvm_ffi_spec::*;

use crate::client::{
    api::Api,
    callback::{Body, api, call, raise},
    connection::Client,
    globals,
    homemade::{Homemade, release, retain},
    node::{Node, node, node_type},
    owned::{Answer, Owned},
    tensor::FLOAT32,
    value::view,
    verdict::Verdict,
};

/// A call of a global function.
pub struct InnerCall {
    /// What is called, for messages.
    pub name: &'static str,
    function: Owned,
    args: Vec<TVMFFIAny>,
}

impl InnerCall {
    /// What the call comes to.
    pub fn come_to(&self, client: &Client) -> Verdict<String> {
        client.come_to(client.answer_of(self.function.handle(), &self.args)?)
    }
}

impl Display for InnerCall {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {:?}", self.name, self.args)
    }
}

/// Calls, with what their arguments belong to.
pub struct InnerCalls {
    /// The calls.
    pub calls: Vec<InnerCall>,
    _values: (Vec<Owned>, Vec<Homemade<Node>>),
}

/// Two values each that are equal, those that are so only where a flag says so, and those that are not at all.
pub struct Pairs {
    /// The pairs.
    pub pairs: Vec<[TVMFFIAny; 2]>,
    values: (Vec<Owned>, Vec<Homemade<Node>>),
}

impl Client {
    /// Pairs of tensors that differ in their content, of free variables, of Lists, and of integers.
    pub fn pairs_by_flag(&self, key: &str) -> Verdict<Pairs> {
        let variable = node_type(self, key, kTVMFFISEqHashKindFreeVar, [0, 0])?;
        let tensors = [[1, 2, 3, 4], [1, 2, 3, 5]].map(|content| self.tensor_of_four(FLOAT32, &[4], content));
        let [one, other] = tensors;
        let list = self.call_global("ffi.Array", &[view::int(1)])?;
        let owned = vec![one?, other?, list];
        let variables = vec![node(variable, view::int(1), view::int(2)), node(variable, view::int(1), view::int(2))];
        let pairs = vec![
            [owned[0].any(), owned[1].any()],
            [variables[0].view(), variables[1].view()],
            [owned[2].any(), owned[2].any()],
            [view::int(1), view::int(2)],
        ];
        Ok(Pairs { pairs, values: (owned, variables) })
    }

    /// Calls of all functions that the target has and that look into values, change none that others have, and call no function of a client's:
    /// such as succeed, with each answer, and such as fail.
    pub fn inner_calls(&self) -> Verdict<InnerCalls> {
        self.serve_callbacks();
        let Pairs { pairs, values: (mut owned, nodes) } = self.pairs_by_flag("verify.inner.Variable")?;
        let (int, bool, none) = (view::int, view::bool, TVMFFIAny::NONE);
        let mut calls: Vec<(&'static str, Vec<TVMFFIAny>)> = Vec::new();
        for [lhs, rhs] in &pairs {
            for flags in [[false, false], [false, true], [true, false], [true, true]] {
                let [map, skip] = flags.map(bool);
                calls.push(("ffi.StructuralEqual", vec![*lhs, *rhs, map, skip]));
                calls.push(("ffi.GetFirstStructuralMismatch", vec![*lhs, *rhs, map, skip]));
                calls.push(("ffi.StructuralHash", vec![*lhs, map, skip]));
            }
            for name in ["ffi.RecursiveEq", "ffi.RecursiveLt"] {
                calls.push((name, vec![*lhs, *rhs]));
            }
        }
        let mut value = |make: &str, args: &[TVMFFIAny]| -> Verdict<Option<TVMFFIAny>> {
            let Some(make) = globals::find(self, make)? else { return Ok(None) };
            owned.push(self.call(&make, args)?);
            Ok(owned.last().map(Owned::any))
        };
        let (short, long) = (view::c_str(c"[1, 2]"), view::c_str(c"a text that is neither short nor JSON"));
        for (kind, args) in [
            ("ffi.Array", [int(1), int(2)]),
            ("ffi.List", [int(1), long]),
            ("ffi.Map", [int(1), int(2)]),
            ("ffi.Dict", [int(1), long]),
        ] {
            let Some(made) = value(kind, &args)? else { continue };
            let doors: &[(&str, i64)] = match kind {
                "ffi.Array" => &[
                    ("ffi.ArrayGetItem", 0),
                    ("ffi.ArrayGetItem", 9),
                    ("ffi.ArrayContains", 1),
                    ("ffi.ArrayContains", 9),
                ],
                "ffi.List" => {
                    &[("ffi.ListGetItem", 0), ("ffi.ListGetItem", 9), ("ffi.ListContains", 1), ("ffi.ListContains", 9)]
                }
                "ffi.Map" => &[
                    ("ffi.MapGetItem", 1),
                    ("ffi.MapGetItem", 9),
                    ("ffi.MapCount", 1),
                    ("ffi.MapCount", 9),
                    ("ffi.MapGetItemOrMissing", 9),
                ],
                _ => &[
                    ("ffi.DictGetItem", 1),
                    ("ffi.DictGetItem", 9),
                    ("ffi.DictCount", 1),
                    ("ffi.DictCount", 9),
                    ("ffi.DictGetItemOrMissing", 9),
                ],
            };
            calls.extend(doors.iter().map(|(door, key)| (*door, vec![made, int(*key)])));
            for name in ["ffi.ReprPrint", "ffi.DeepCopy", "ffi.RecursiveHash"] {
                calls.push((name, vec![made]));
            }
            for name in ["ffi.ToJSONGraph", "ffi.ToJSONGraphString", "ffi.json.Stringify"] {
                calls.push((name, vec![made, none]));
            }
            calls.push(("ffi.json.Stringify", vec![made, int(2)]));
            if let Some(graph) = value("ffi.ToJSONGraphString", &[made, none])? {
                calls.push(("ffi.FromJSONGraphString", vec![graph]));
            }
            if let Some(graph) = value("ffi.ToJSONGraph", &[made, none])? {
                calls.push(("ffi.FromJSONGraph", vec![graph]));
            }
        }
        for name in ["ffi.FromJSONGraphString", "ffi.json.Parse"] {
            calls.push((name, vec![long]));
        }
        // JSON, a graph and a deep copy have no form for a function.
        let function = self.global("ffi.Array")?.into_any();
        if let Some(made) = value("ffi.Array", &[int(1), function])? {
            for indent in [none, int(2)] {
                calls.push(("ffi.json.Stringify", vec![made, indent]));
            }
            for name in ["ffi.ToJSONGraph", "ffi.ToJSONGraphString"] {
                calls.push((name, vec![made, none]));
            }
            calls.push(("ffi.DeepCopy", vec![made]));
        }
        calls.push(("ffi.json.Parse", vec![short]));
        let mut found = Vec::new();
        for (name, args) in calls {
            found.extend(globals::find(self, name)?.map(|function| InnerCall { name, function, args }));
        }
        Ok(InnerCalls { calls: found, _values: (owned, nodes) })
    }
}

/// A way to end a callback of a walk, for messages, and the callback.
pub type WalkEnd = (&'static str, Body);

/// Callbacks that go on, put another value in the place of theirs, interrupt, and fail.
const WALK_ENDS: [WalkEnd; 4] = [
    ("goes on", |_, _| Some(TVMFFIAny::NONE)),
    ("replaces", |_, _| Some(view::int(4711))),
    ("interrupts", |api, _| interrupt(api)),
    ("fails", |api, _| raise(api, c"KeyError", c"within a walk")),
];

/// An interrupt that holds a number, and no integer, in which a map would go on: one for all that ask.
pub fn interrupt(api: &Api) -> Option<TVMFFIAny> {
    static MADE: OnceLock<Option<usize>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let mut make = std::ptr::null_mut();
        api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(b"ffi.VisitInterrupt"), &mut make);
        let made = if make.is_null() { None } else { call(api, make, &[view::float(0.5)]) };
        if !make.is_null() {
            release(make);
        }
        made.map(|made| made.payload() as usize)
    });
    let Some(object) = *made else { return raise(api, c"AssertionError", c"there are no interrupts") };
    retain(object as TVMFFIObjectHandle);
    Some(TVMFFIAny::new(kTVMFFIVisitInterrupt, object as u64))
}

/// Walks of every kind that the target has.
pub struct Walks {
    /// What is called, and with what.
    pub calls: Vec<(&'static str, Vec<TVMFFIAny>)>,
    /// What the arguments belong to.
    pub owners: Vec<Owned>,
}

impl Client {
    /// Walks of every kind, in one order, which end in each way that there is.
    pub fn inner_walks(&self) -> Verdict<InnerCalls> {
        self.serve_callbacks();
        let Walks { calls, owners } = self.walks(&WALK_ENDS)?;
        let mut found = Vec::new();
        for (name, args) in calls {
            if args.get(3).is_some_and(|order| order.payload() != 0) {
                continue;
            }
            found.push(InnerCall { name, function: self.global(name)?, args });
        }
        Ok(InnerCalls { calls: found, _values: (owners, Vec::new()) })
    }

    /// Walks, maps, visits and mutations of integers in Arrays, with each of these callbacks for integers.
    pub fn walks(&self, callbacks: &[WalkEnd]) -> Verdict<Walks> {
        let (mut calls, mut owners) = (Vec::new(), Vec::new());
        let own = |owners: &mut Vec<Owned>, args: &[TVMFFIAny]| -> Verdict<TVMFFIAny> {
            owners.push(self.call_global("ffi.Array", args)?);
            Ok(owners[owners.len() - 1].any())
        };
        let inner = own(&mut owners, &[view::int(2), view::int(3)])?;
        let (value, none) = (own(&mut owners, &[view::int(1), inner, view::int(4)])?, own(&mut owners, &[])?);
        for (_, callback) in callbacks {
            owners.push(self.callback(*callback)?);
            let function = owners[owners.len() - 1].any();
            let listed = |owners: &mut Vec<Owned>, entry: &[TVMFFIAny]| -> Verdict<TVMFFIAny> {
                let entry = own(owners, entry)?;
                own(owners, &[entry])
            };
            let pairs = listed(&mut owners, &[view::int(kTVMFFIInt.into()), function])?;
            let triples = listed(&mut owners, &[view::int(kTVMFFIInt.into()), function, view::bool(false)])?;
            for (name, args) in [
                ("ffi.StructuralWalk", vec![value, pairs, none, view::int(0)]),
                ("ffi.StructuralWalk", vec![value, none, pairs, view::int(1)]),
                ("ffi.StructuralMap", vec![value, pairs, none, view::int(0)]),
                ("ffi.StructuralMap", vec![value, none, pairs, view::int(1)]),
                ("ffi.StructuralVisit", vec![value, pairs]),
                ("ffi.StructuralMutate", vec![value, triples]),
            ] {
                if globals::find(self, name)?.is_some() {
                    calls.push((name, args));
                }
            }
        }
        Ok(Walks { calls, owners })
    }
}

/// The call that [`make_inner_call`] makes: an address and arguments that whoever has chosen it keeps.
static CHOSEN: Mutex<Option<(usize, Vec<TVMFFIAny>)>> = Mutex::new(None);

impl InnerCall {
    /// The function that is called, and with what.
    pub fn parts(&self) -> (TVMFFIObjectHandle, &[TVMFFIAny]) {
        (self.function.handle(), &self.args)
    }

    /// Makes the call here and now.
    pub fn answer(&self, client: &Client) -> Verdict<Answer> {
        client.answer_of(self.function.handle(), &self.args)
    }

    /// Has [`make_inner_call`] make this call until it is told another.
    pub fn choose(call: Option<&Self>) {
        let chosen = call.map(|call| (call.function.handle() as usize, call.args.clone()));
        *CHOSEN.lock().unwrap_or_else(PoisonError::into_inner) = chosen;
    }
}

/// Makes the chosen call, and none from then on.
pub fn make_inner_call_once() {
    make_inner_call();
    InnerCall::choose(None);
}

/// Makes the chosen call, if one is chosen, from within a function that the library calls, and leaves neither its answer nor its error behind.
pub fn make_inner_call() {
    // The lock is given up before the call.
    let chosen = CHOSEN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let (Some((function, args)), Some(api)) = (chosen, api()) else { return };
    match call(api, function as *mut c_void, &args) {
        Some(answer) if answer.type_index >= kTVMFFIStaticObjectBegin => {
            release(answer.payload() as TVMFFIObjectHandle)
        }
        Some(_) => {}
        None => api.release_raised(),
    }
}
