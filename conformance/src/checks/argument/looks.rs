//! Functions that look through all of a value, and values that are alike and share nothing.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    client::{
        Owned, Verdict,
        content::without_addresses,
        globals,
        node::{fields_of, node},
    },
    trial::Trial,
};

/// A function that looks through a value.
pub(super) struct Look {
    /// The clause that says that alike values come to the same.
    pub clause: &'static str,
    /// The clause about a value that contains itself.
    pub circle: &'static str,
    name: &'static str,
    /// How many values it takes: the one, and another to compare it with.
    values: usize,
    rest: &'static [TVMFFIAny],
}

const NO: TVMFFIAny = TVMFFIAny::new(kTVMFFIBool, 0);
const YES: TVMFFIAny = TVMFFIAny::new(kTVMFFIBool, 1);
const NONE: TVMFFIAny = TVMFFIAny::NONE;
const TWO: TVMFFIAny = TVMFFIAny::new(kTVMFFIInt, 2);

/// Those that write JSON.
pub(super) const JSON: [Look; 2] = [
    look(id::JSN_0031, id::JSN_0030, "ffi.json.Stringify", 1, &[NONE]),
    look(id::JSN_0031, id::JSN_0030, "ffi.json.Stringify", 1, &[TWO]),
];

/// Those that write JSON graphs.
pub(super) const GRAPH: [Look; 2] = [
    look(id::GRF_0005, id::GRF_0021, "ffi.ToJSONGraphString", 1, &[NONE]),
    look(id::GRF_0005, id::GRF_0021, "ffi.ToJSONGraph", 1, &[NONE]),
];

/// Those that copy and print.
pub(super) const COPY: [Look; 2] = [
    look(id::REC_0015, id::REC_0018, "ffi.DeepCopy", 1, &[]),
    look(id::REC_0037, id::REC_0028, "ffi.ReprPrint", 1, &[]),
];

/// That which searches.
pub(super) const SEARCH: [Look; 1] = [look(id::CNT_0004, id::CNT_0006, "ffi.ContainerFindFirstNonCPUDevice", 1, &[])];

/// Those that compare and hash recursively.
pub(super) const RECURSIVE: [Look; 4] = [
    look(id::REC_0011, id::REC_0029, "ffi.RecursiveHash", 1, &[]),
    look(id::REC_0004, id::REC_0029, "ffi.RecursiveEq", 2, &[]),
    look(id::REC_0039, id::REC_0029, "ffi.RecursiveLt", 2, &[]),
    look(id::REC_0039, id::REC_0029, "ffi.RecursiveGe", 2, &[]),
];

/// Those that compare and hash structurally.
pub(super) const STRUCTURAL: [Look; 8] = [
    look(id::SEQ_0007, id::SEQ_0029, "ffi.StructuralHash", 1, &[NO, NO]),
    look(id::SEQ_0007, id::SEQ_0029, "ffi.StructuralHash", 1, &[NO, YES]),
    look(id::SEQ_0007, id::SEQ_0029, "ffi.StructuralHash", 1, &[YES, NO]),
    look(id::SEQ_0007, id::SEQ_0029, "ffi.StructuralHash", 1, &[YES, YES]),
    look(id::SEQ_0003, id::SEQ_0029, "ffi.StructuralEqual", 2, &[NO, NO]),
    look(id::SEQ_0003, id::SEQ_0029, "ffi.StructuralEqual", 2, &[YES, NO]),
    look(id::SEQ_0043, id::SEQ_0029, "ffi.GetFirstStructuralMismatch", 2, &[NO, NO]),
    look(id::SEQ_0043, id::SEQ_0029, "ffi.GetFirstStructuralMismatch", 2, &[NO, YES]),
];

const fn look(
    clause: &'static str,
    circle: &'static str,
    name: &'static str,
    values: usize,
    rest: &'static [TVMFFIAny],
) -> Look {
    Look { clause, circle, name, values, rest }
}

/// A look that the target has.
pub(super) struct Looking<'a> {
    pub look: &'a Look,
    function: Owned,
}

/// The looks that the target has.
pub(super) fn found<'a>(t: &Trial, looks: &'a [Look]) -> Verdict<Vec<Looking<'a>>> {
    let mut all = Vec::new();
    for look in looks {
        all.extend(globals::find(t, look.name)?.map(|function| Looking { look, function }));
    }
    Ok(all)
}

impl Looking<'_> {
    /// What it is called, for messages.
    pub fn name(&self) -> String {
        format!("{} with {:?}", self.look.name, self.look.rest)
    }

    /// What it comes to for a value, compared with each of these others if it compares.
    pub fn come_to(&self, t: &Trial, value: TVMFFIAny, others: &[TVMFFIAny]) -> Verdict<Vec<String>> {
        let answer = |values: &[TVMFFIAny]| {
            let answer = t.answer_of(self.function.handle(), &[values, self.look.rest].concat())?;
            // What a small String says stands in its payload.
            t.come_to(answer).map(|text| without_addresses(&text))
        };
        match self.look.values {
            1 => Ok(vec![answer(&[value])?]),
            _ => others.iter().map(|other| answer(&[value, *other])).collect(),
        }
    }
}

/// A value that is alike and shares no container, and no object of this type, with the one that it is made after. It is kept for the life of the process.
pub(super) fn alike(t: &Trial, value: &TVMFFIAny, kind: i32) -> Verdict<TVMFFIAny> {
    let object = value.payload() as TVMFFIObjectHandle;
    let each = |values: &[TVMFFIAny]| values.iter().map(|value| alike(t, value, kind)).collect::<Verdict<Vec<_>>>();
    let (make, parts) = match value.type_index {
        kTVMFFIArray => ("ffi.Array", t.sequence(object)?.items),
        kTVMFFIList => ("ffi.List", t.sequence(object)?.items),
        kTVMFFIMap | kTVMFFIDict => {
            let make = if value.type_index == kTVMFFIMap { "ffi.Map" } else { "ffi.Dict" };
            (make, t.map(object)?.entries.into_iter().flat_map(|(key, value)| [key, value]).collect())
        }
        index if index == kind => {
            let fields = fields_of(value).ok_or_else(|| t.failure("an object", "its fields", "nothing"))?;
            let [first, second] = [alike(t, &fields.first, kind)?, alike(t, &fields.second, kind)?];
            return Ok(Box::leak(Box::new(node(kind, first, second))).view());
        }
        _ => return Ok(*value),
    };
    Ok(t.call_global(make, &each(&parts)?)?.into_any())
}
