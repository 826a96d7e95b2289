"""Text forms: JSON graphs written, read, and read from malformed text; what things look like when printed; pickles."""

import json
import pickle

import numpy as np
import tvm_ffi
import tvm_ffi.testing as testing
from _show import heading, show
from tvm_ffi import _ffi_api
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str

parse, stringify = tvm_ffi.get_global_func("ffi.json.Parse"), tvm_ffi.get_global_func("ffi.json.Stringify")
pair = testing.TestIntPair(1, 2)
shared = tvm_ffi.List([pair])
cyclic = tvm_ffi.List([])
cyclic.append(cyclic)
VALUES = {
    "none": None,
    "bools": [True, False],
    "ints": [0, -1, 2**63 - 1, -(2**63), 2**70, -(2**200)],
    "floats": [0.0, -0.0, 1.0, 0.1, 1e300, 1e-300, 2.0**53, 123456789.125, float("inf"), -float("inf"), float("nan")],
    "strings": ["", "a", 'quote " back \\ slash / line \n tab \t bell \a del \x7f', "äöü 😀", "long " * 9, "a\0b"],
    "bytes": [b"", b"a", bytes(range(256))],
    "dtypes": [tvm_ffi.dtype("float32"), tvm_ffi.dtype("int8x4"), tvm_ffi.dtype("bool")],
    "devices": [tvm_ffi.device("cpu"), tvm_ffi.device("cuda:3")],
    "shape": tvm_ffi.Shape((1, 2, 3)),
    "tensor": np.arange(4, dtype="int32"),
    "function": lambda x: x,
    "opaque": object,
    "module": tvm_ffi.system_lib(),
    "nested": {"a": [1, {"b": [2, [3]]}], "c": {}},
    "keys": {1: "int", 2.5: "float", "s": "str", (1, 2): "tuple", None: "none"},
    "list and dict": tvm_ffi.List([tvm_ffi.Dict({"k": tvm_ffi.List([])})]),
    "shared": [shared, shared, pair],
    "cyclic": cyclic,
    "object": testing.TestObjectDerived({"k": pair}, [pair, shared], v_i64=3, v_str="text"),
    "repeated text": ["repeated text"] * 3,
    "path": tvm_ffi.access_path.AccessPath.root().attr("a").array_item(1),
    "error": ValueError("an error"),
}

for name, value in VALUES.items():
    heading(name)
    if name not in ("function", "opaque"):
        show("printed", lambda: str(tvm_ffi.convert(value)))
        show("in an Array", lambda: str(tvm_ffi.Array([value])))
    text = show("as JSON", to_json_graph_str, value)
    show("with metadata", to_json_graph_str, value, {"version": "1", "more": "text"})
    if text is not None:
        show("and back", lambda: str(tvm_ffi.convert(from_json_graph_str(text))))
        show("the same", lambda: tvm_ffi.structural_equal(from_json_graph_str(text), value))
        show("graph", lambda: str(_ffi_api.ToJSONGraph(value, None)))
        show("from the graph", lambda: str(tvm_ffi.convert(_ffi_api.FromJSONGraph(_ffi_api.ToJSONGraph(value, None)))))
    show("pickled", lambda: str(pickle.loads(pickle.dumps(tvm_ffi.convert(value)))))
back = from_json_graph_str(to_json_graph_str(VALUES["shared"]))
print(back[0].same_as(back[1]), back[0][0].same_as(back[2]))

heading("JSON of plain values")
for name, value in VALUES.items():
    for indent in (None, 0, 2, -1):
        show(f"{name}, indented by {indent}", stringify, value, indent)
for text in [
    '{"a": [1, 2.5, -0.0, 1e3, 12345678901234567890, true, false, null, "x"], "b": {}, "a": 2}', "[[], [[]], {}]", '"\\u00e4\\ud83d\\ude00\\n\\/"',
    "-0", "0.1", "1E400", "-Infinity", " [ 1 , 2 ] ", '{"": ""}', "9223372036854775807", "9223372036854775808", "-9223372036854775809",
]:  # fmt: skip
    value = show(text, parse, text)
    show("   again", stringify, value, None)

heading("JSON that is not well-formed, or no graph")
GRAPH = {"root_index": 0, "nodes": [{"type": "int", "data": 1}]}
TEXTS = [
    "", " ", "nul", "nulL", "tru", "[", "]", "[1", "[1,", "[1,]", "[1 2]", "{", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', "{1:2}",
    '{"a" 1}', '"', '"\\', '"\\x"', '"\\u12"', '"\\ud800"', '"\\ud800\\u0041"', '"\n"', "1 2", "-", "1.2.3", "1e", "--1", "+1", "01", "1e999",
    "\ufeff1", "NaN", "Infinity", "[]", "{}", '{"root_index":0}', '{"nodes":[]}', '{"root_index":0,"nodes":[]}', '{"root_index":5,"nodes":[{"type":"int","data":1}]}',
    '{"root_index":-1,"nodes":[{"type":"int","data":1}]}', '{"root_index":"x","nodes":[]}', '{"root_index":0,"nodes":{}}',
]  # fmt: skip
for text in TEXTS:
    show(repr(text), from_json_graph_str, text)
    show("   parsed", parse, text)
NODES = [
    {}, {"type": "int"}, {"type": 1}, {"data": 1}, {"type": "no.such.type", "data": 1}, {"type": "int", "data": "x"}, {"type": "bool", "data": 1},
    {"type": "float", "data": 1}, {"type": "float", "data": "x"}, {"type": "ffi.String", "data": 1}, {"type": "ffi.String"},
    {"type": "ffi.Bytes", "data": "YQ"}, {"type": "DataType", "data": "nonsense"}, {"type": "Device", "data": [1]}, {"type": "Device", "data": ["x", "y"]},
    {"type": "ffi.Array", "data": [7]}, {"type": "ffi.Array", "data": 7}, {"type": "ffi.Array", "data": ["x"]}, {"type": "ffi.Map", "data": [0]},
    {"type": "ffi.Shape", "data": ["x"]}, {"type": "testing.TestIntPair", "data": {}}, {"type": "testing.TestIntPair", "data": {"a": 1}},
    {"type": "testing.TestIntPair", "data": {"a": 1, "b": "x"}}, {"type": "testing.TestIntPair", "data": []}, {"type": "testing.TestIntPair"},
    {"type": "testing.TestIntPair", "data": {"a": 1, "b": 2, "c": 3}}, {"type": "testing.TestObjectBase", "data": {"v_str": 9}},
    {"type": "ffi.Function", "data": {}}, {"type": "ffi.Tensor", "data": {}}, {"type": "ffi.BigInt", "data": "12"}, {"type": "ffi.BigInt", "data": "x"}, [], 1, None,
]  # fmt: skip
for node in NODES:
    show(json.dumps(node), from_json_graph_str, json.dumps({"root_index": 0, "nodes": [node]}))
show("metadata is left alone", from_json_graph_str, json.dumps({**GRAPH, "metadata": {"a": 1}}))
show("unknown keys", from_json_graph_str, json.dumps({**GRAPH, "unknown": 1}))
show("deeply nested", lambda: len(to_json_graph_str(eval("[" * 60 + "]" * 60))))
