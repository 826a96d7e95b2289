//! Objects that the library makes: one of each kind and size.

use std::ptr::{dangling_mut, null_mut};

use tvm_ffi_spec::*;

use super::{
    Client, Owned, Verdict,
    callback::{keep_self, return_none},
    globals,
    tensor::FLOAT32,
    view,
};

/// Sizes of texts, on both sides of what a library may treat in its own way.
const SIZES: [usize; 13] = [8, 9, 16, 24, 25, 32, 40, 100, 1000, 4096, MOST_ARGUMENTS, 100_000, 200_000];

/// For how many arguments containers are made.
const MOST_ARGUMENTS: usize = 20_000;

impl Client {
    /// An object of each kind that the C functions make, and containers, and texts and sequences of every size.
    pub fn made_of_every_kind(&self) -> Verdict<Vec<(String, Owned)>> {
        let named = [
            ("an Error", self.new_error("ValueError", "message", "")?),
            ("a Function without a self", self.function(null_mut(), return_none, None)?),
            ("a Function with a self", self.function(null_mut(), return_none, Some(keep_self))?),
            ("an opaque object", self.opaque(dangling_mut(), keep_self)?),
            ("a Tensor", self.tensor_of_four(FLOAT32, &[4], [0; 4])?),
        ];
        let mut made: Vec<_> = named.into_iter().map(|(kind, object)| (kind.to_owned(), object)).collect();
        made.extend(self.made_by_other_doors()?);
        // What is made for and by containers of both kinds.
        for (name, walk) in [("ffi.Map", "ffi.MapForwardIterFunctor"), ("ffi.Dict", "ffi.DictForwardIterFunctor")] {
            if globals::find(self, name)?.is_some() {
                let map = self.call_global(name, &[view::int(2), view::int(3)])?;
                made.push((format!("the function of {walk}"), self.call_global(walk, &[map.any()])?));
                made.push((format!("an {name}"), map));
            }
        }
        if globals::find(self, "ffi.List")?.is_some() {
            made.push(("an ffi.List".to_owned(), self.call_global("ffi.List", &[view::int(2)])?));
        }
        made.extend(self.big_int(1 << 64)?.map(|integer| ("an integer beyond 64 bits".to_owned(), integer)));
        made.extend(self.made_of_values()?);
        for size in SIZES {
            let text = vec![b'x'; size];
            made.push((format!("a String of {size} bytes"), self.string(&text)?));
            made.push((format!("Bytes of {size} bytes"), self.bytes(&text)?));
            if size > MOST_ARGUMENTS {
                continue;
            }
            let numbers: Vec<_> = (0..size.next_multiple_of(2) as i64).map(view::int).collect();
            for name in ["ffi.Shape", "ffi.Array", "ffi.Map"] {
                made.push((format!("an {name} of {} arguments", numbers.len()), self.call_global(name, &numbers)?));
            }
        }
        Ok(made)
    }

    /// What else than the first door makes Errors, Functions, Tensors and texts, as far as a target has it.
    fn made_by_other_doors(&self) -> Verdict<Vec<(String, Owned)>> {
        let mut made = Vec::new();
        let mut add = |kind: &str, object: Owned| made.push((kind.to_owned(), object));
        let has = self.api.table();
        let mut prototype = DLTensor {
            data: null_mut(),
            device: DLDevice { device_type: kDLCPU, device_id: 0 },
            ndim: 1,
            dtype: FLOAT32,
            shape: vec![0].leak().as_mut_ptr(),
            strides: vec![1].leak().as_mut_ptr(),
            byte_offset: 0,
        };
        if has.TVMFFITensorFromDLPackVersioned.is_some() {
            let version = DLPackVersion { major: 1, minor: 1 };
            let (manager_ctx, deleter, dl_tensor) = (null_mut(), None, prototype);
            let managed = DLManagedTensorVersioned { version, manager_ctx, deleter, flags: 0, dl_tensor };
            let mut out = null_mut();
            self.ok(self.api.TVMFFITensorFromDLPackVersioned(Box::leak(Box::new(managed)), 0, 0, &mut out))?;
            add("a Tensor of a versioned one", self.own_object("the tensor", out)?);
        }
        if has.TVMFFITensorCreateUnsafeView.is_some() {
            let source = self.tensor_of_four(FLOAT32, &[4], [0; 4])?;
            let mut out = null_mut();
            self.ok(self.api.TVMFFITensorCreateUnsafeView(source.handle(), &raw mut prototype, &mut out))?;
            add("a view of a Tensor", self.own_object("the view", out)?);
        }
        if has.TVMFFIErrorCreateWithCauseAndExtraContext.is_some() {
            let [kind, text] = [TVMFFIByteArray::new(b"ValueError"), TVMFFIByteArray::new(b"has a cause")];
            let (cause, mut out) = (self.new_error("KeyError", "a cause", "")?, null_mut());
            let none = null_mut();
            let create =
                self.api.TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &text, &text, cause.handle(), none, &mut out);
            self.ok(create)?;
            add("an Error with a cause", self.own_object("the error", out)?);
        }
        self.api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"raised".as_ptr());
        made.extend(self.take_raised().map(|raised| ("an Error that was raised".to_owned(), raised.object)));
        let mut text = TVMFFIAny::NONE;
        self.ok(self.api.TVMFFIDataTypeToString(&DLDataType { lanes: 1024, ..FLOAT32 }, &mut text))?;
        made.push(("the text of a data type".to_owned(), self.own(text)));
        if globals::find(self, "ffi.FunctionFromExternC")?.is_some() {
            let (none, call) = (view::pointer(null_mut()), view::pointer(return_none as *mut _));
            let function = self.call_global("ffi.FunctionFromExternC", &[none, call, none])?;
            made.push(("a Function of ffi.FunctionFromExternC".to_owned(), function));
        }
        for name in ["ffi.GetRegisteredTypeKeys", "ffi.FunctionListGlobalNamesFunctor"] {
            if globals::find(self, name)?.is_some() {
                made.push((format!("the answer of {name}"), self.call_global(name, &[])?));
            }
        }
        Ok(made)
    }

    /// What functions answer that make objects of values, as far as they do: what they refuse is for other checks to judge.
    fn made_of_values(&self) -> Verdict<Vec<(String, Owned)>> {
        let mut made = Vec::new();
        let (none, text) =
            (TVMFFIAny::NONE, view::c_str(c"[1, {\"a key that is long\": [2.5, \"a text that is long\"]}]"));
        for (name, behind) in [
            ("ffi.json.Stringify", &[none][..]),
            ("ffi.ReprPrint", &[]),
            ("ffi.ToJSONGraph", &[none]),
            ("ffi.ToJSONGraphString", &[none]),
            ("ffi.DeepCopy", &[]),
            ("ffi.StructuralKey", &[]),
            ("ffi.GetFirstStructuralMismatch", &[text, view::bool(false), view::bool(false)]),
            ("ffi.json.Parse", &[]),
        ] {
            // An Array for each, as an answer may hold what it was made of.
            let array = self.call_global("ffi.Array", &[text, view::int(1), view::float(2.5)])?;
            let of = if name == "ffi.json.Parse" { text } else { array.any() };
            if globals::find(self, name)?.is_some()
                && let Ok(answer) = self.answer(name, &[&[of], behind].concat())?
            {
                made.push((format!("the answer of {name}"), answer));
            }
        }
        Ok(made)
    }
}
