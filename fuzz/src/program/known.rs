//! Differences between the reference and the release that are known, and why. A program ends at one: from there on the two
//! sides are in different states.

/// A difference that is known.
pub struct Known {
    /// The function that is called, `an offer` for what becomes of an argument that may be taken, or `the end`
    /// for a value that was changed; its beginning will do.
    pub verb: &'static str,
    /// How what the reference comes to begins, and what the release comes to.
    pub sides: [&'static str; 2],
    /// Who is right, and why.
    pub reason: &'static str,
}

/// All of them.
pub const KNOWN: &[Known] = &[
    Known {
        verb: "ffi.MakeFieldGetter",
        sides: ["ok", "ok"],
        reason: "Where a function lies is each library's affair.",
    },
    Known {
        verb: "ffi.StructuralKeyEqual",
        sides: ["RuntimeError", "InternalError"],
        reason: "No document says of which kind the error is that a value which is no key gets.",
    },
    Known {
        verb: "an offer",
        sides: ["left", "taken"],
        reason: "A callee may take what is offered. The release does so even where the call fails for another argument.",
    },
    Known {
        verb: "ffi.ListInsert",
        sides: ["IndexError", "ok"],
        reason: "The release inserts at the least integer of all, since its check of the index overflows.",
    },
    Known {
        verb: "ffi.ListReplaceSlice",
        sides: ["IndexError", "ok"],
        reason: "The release replaces at the least integer of all, since its check of the index overflows.",
    },
    Known {
        verb: "ffi.MakeObjectFromPackedArgs",
        sides: ["InternalError", ""],
        reason: "Of a type index that has more than 32 bits, the release takes the low ones; it is none.",
    },
    Known {
        verb: "ffi._RegisterFFIInit",
        sides: ["InternalError", ""],
        reason: "Of a type index that has more than 32 bits, the release takes the low ones; it is none.",
    },
    Known {
        verb: "ffi._PyClassRegisterTypeAttrColumns",
        sides: ["InternalError", ""],
        reason: "Of a type index that has more than 32 bits, the release takes the low ones; it is none.",
    },
    Known {
        verb: "ffi.StructuralWalk",
        sides: ["InternalError", ""],
        reason: "Of a type index that has more than 32 bits, the release takes the low ones; it is none.",
    },
    Known {
        verb: "ffi.StructuralMap",
        sides: ["InternalError", ""],
        reason: "Of a type index that has more than 32 bits, the release takes the low ones; it is none.",
    },
    Known {
        verb: "ffi.MakeObjectFromPackedArgs",
        sides: ["ValueError", "ok"],
        reason: "Of a number that has more than 32 bits, the release takes the low ones where there are no more.",
    },
    Known {
        verb: "ffi.FromJSONGraph",
        sides: ["ValueError", "ok"],
        reason: "Of a number that has more than 32 bits, the release takes the low ones where there are no more.",
    },
    Known {
        verb: "TVMFFITensorCreateUnsafeView",
        sides: ["ok", "InternalError"],
        reason: "The release refuses a prototype without dimensions if its strides are NULL, as those of its own such tensors are (TEN-0031).",
    },
    Known {
        verb: "ffi.StructuralMap",
        sides: ["", "TypeError"],
        reason: "The release copies each object that it goes into, and fails at those that cannot be copied, changed or not (VIS-0020).",
    },
    Known {
        verb: "ffi.StructuralMutate",
        sides: ["", "TypeError"],
        reason: "The release copies each object that it goes into, and fails at those that cannot be copied, changed or not (VIS-0020).",
    },
    Known {
        verb: "ffi.RecursiveL",
        sides: ["ok", "ok"],
        reason: "The release orders texts by `char`, which is signed on x86, and not byte by byte (REC-0007).",
    },
    Known {
        verb: "ffi.RecursiveG",
        sides: ["ok", "ok"],
        reason: "The release orders texts by `char`, which is signed on x86, and not byte by byte (REC-0007).",
    },
    Known {
        verb: "ffi.List",
        sides: ["MemoryError", "InternalError"],
        reason: "No document says of which kind the error is that more memory gets than there is.",
    },
];

/// A function that programs do not call.
pub struct Untried {
    /// The function.
    pub verb: &'static str,
    /// Why not.
    pub reason: &'static str,
}

/// All of them.
pub const UNTRIED: &[Untried] = &[
    Untried {
        verb: "ffi.MakeFieldSetter",
        reason: "What it makes writes wherever it is told to, so that any call of it with random arguments is a wild write.",
    },
    Untried {
        verb: "TVMFFIEnvModLookupFromImports",
        reason: "It takes the context that a library was given. The release does not survive the module of the system library.",
    },
];

/// Why these two outcomes of a call differ, if that is known.
pub fn reason(verb: &str, outcomes: [&str; 2]) -> Option<&'static str> {
    let fits = |known: &&Known| {
        verb.starts_with(known.verb)
            && known.sides.iter().zip(outcomes).all(|(part, outcome)| outcome.starts_with(part))
    };
    KNOWN.iter().find(fits).map(|known| known.reason)
}
