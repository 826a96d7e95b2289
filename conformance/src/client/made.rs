//! Objects that the library makes: one of each kind and size.

use std::ptr::{dangling_mut, null_mut};

use tvm_ffi_spec::TVMFFIAny;

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
