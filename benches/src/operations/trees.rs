//! Values to walk through: trees of Arrays, shared parts, objects of a client's own type.

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::{Owned, node, types, view};

use crate::library::Library;

/// How many elements the Arrays of a tree have.
const WIDTH: usize = 10;

/// A tree of Arrays with so many leaves, which are integers, and each tenth of them a String. The last leaf is `last`.
pub fn tree(lib: &Library, leaves: usize, last: i64) -> Owned {
    let array = lib.function("ffi.Array");
    let leaf = |at: usize| match at {
        _ if at + 1 == leaves => view::int(last),
        _ if at % WIDTH == 4 => lib.string(format!("the text of leaf {at}").as_bytes()),
        _ => view::int(at as i64),
    };
    let mut level: Vec<_> = (0..leaves).map(leaf).collect();
    while level.len() > 1 {
        let above = level.chunks(WIDTH).map(|children| lib.call(array, children)).collect();
        level.iter().for_each(|value| lib.end(*value));
        level = above;
    }
    lib.own(level[0])
}

/// An Array that holds one tree of a hundred leaves again and again, until it has so many leaves.
pub fn shared(lib: &Library, leaves: usize) -> Owned {
    let part = tree(lib, 100, 99);
    lib.own(lib.call_global("ffi.Array", &vec![part.any(); leaves / 100]))
}

/// A tree of maps: records of ten entries with text keys, whose values are integers.
pub fn records(lib: &Library, entries: usize) -> Owned {
    let (map, array) = (lib.function("ffi.Map"), lib.function("ffi.Array"));
    let keys: Vec<_> = (0..WIDTH).map(|key| lib.string(format!("the field {key}").as_bytes())).collect();
    let record = |number: usize| {
        let args: Vec<_> = keys.iter().flat_map(|key| [*key, view::int(number as i64)]).collect();
        lib.call(map, &args)
    };
    let records = lib.own_all((0..entries / WIDTH).map(record).collect());
    let all = lib.call(array, &records);
    keys.iter().for_each(|key| lib.end(*key));
    lib.own(all)
}

/// A Map or a Dict with integer keys, set in this order.
pub fn map(lib: &Library, kind: &str, keys: impl Iterator<Item = usize>) -> Owned {
    let entries: Vec<_> = keys.flat_map(|key| [view::int(key as i64), view::int(key as i64 + 7)]).collect();
    lib.own(lib.call_global(&format!("ffi.{kind}"), &entries))
}

/// A List of integers.
pub fn list(lib: &Library, size: usize) -> Owned {
    lib.own(lib.call_global("ffi.List", &(0..size as i64).map(view::int).collect::<Vec<_>>()))
}

/// Arrays in one another, so many levels deep.
pub fn chain(lib: &Library, array: TVMFFIObjectHandle, levels: usize) -> TVMFFIAny {
    (0..levels).fold(lib.call(array, &[]), |inner, _| {
        let outer = lib.call(array, &[inner]);
        lib.end(inner);
        outer
    })
}

/// An Array of objects with two fields, an integer and a String each. The objects are kept for the life of the process.
pub fn objects(lib: &Library, count: usize) -> Owned {
    const KEY: &str = "bench.Node";
    let index = types::find(&lib.client, KEY).unwrap_or_else(|| {
        let made = node::node_type(&lib.client, KEY, kTVMFFISEqHashKindTreeNode, [0, 0]);
        made.expect("a type can be registered")
    });
    let text = lib.own(lib.string(b"a string that is put on the heap"));
    let nodes = (0..count).map(|number| node::node(index, view::int(number as i64), text.any()).view());
    lib.own(lib.call_global("ffi.Array", &nodes.collect::<Vec<_>>()))
}
