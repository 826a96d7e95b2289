"""Every kind of value, there and back: through native functions that take anything, that declare a type, through Python
functions called by native code, and through containers."""

import ctypes
import math

import ml_dtypes
import numpy as np
import tvm_ffi
import tvm_ffi.testing
from _show import heading, show

print("tvm_ffi", tvm_ffi.__version__)

echo = tvm_ffi.get_global_func("testing.echo")
apply = tvm_ffi.get_global_func("testing.apply")


class Plain:
    def __repr__(self):
        return "Plain()"


PLAIN = Plain()
VALUES = {
    "none": None,
    "true": True,
    "false": False,
    "zero": 0,
    "minus one": -1,
    "largest int": 2**63 - 1,
    "smallest int": -(2**63),
    "a bit more": 2**63,
    "a bit less": -(2**63) - 1,
    "64 bits": 2**64 - 1,
    "big": 3**200,
    "big and negative": -(3**200),
    "one": 1.0,
    "minus zero": -0.0,
    "subnormal": 5e-324,
    "largest float": 1.7976931348623157e308,
    "infinity": math.inf,
    "minus infinity": -math.inf,
    "nan": math.nan,
    "empty str": "",
    "seven": "seven_c",
    "eight": "eight_ch",
    "long": "long " * 20,
    "with NUL": "a\0b",
    "long with NUL": "a\0b" * 10,
    "umlauts": "äöü",
    "emoji": "😀 smile 😀",
    "empty bytes": b"",
    "small bytes": b"\0\1\2",
    "bytes": bytes(range(256)),
    "bytearray": bytearray(b"byte array"),
    "dtype": tvm_ffi.dtype("float32"),
    "vector dtype": tvm_ffi.dtype("int8x4"),
    "numpy dtype": np.dtype("uint16"),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "cpu": tvm_ffi.device("cpu:0"),
    "cuda": tvm_ffi.device("cuda:3"),
    "shape": tvm_ffi.Shape((2, 3, 5)),
    "empty shape": tvm_ffi.Shape(()),
    "list": [1, "two", 3.0, None],
    "tuple": (1, (2, (3,))),
    "nested": [[], [[]], {"k": [1, {"l": ()}]}],
    "dict": {"a": 1, 2: "b", 3.5: None},
    "array": tvm_ffi.Array([1, 2, 3]),
    "mutable list": tvm_ffi.List([1, 2, 3]),
    "map": tvm_ffi.Map({"a": 1}),
    "mutable dict": tvm_ffi.Dict({"a": 1}),
    "opaque": PLAIN,
    "pointer": ctypes.c_void_p(0x1234),
    "null pointer": ctypes.c_void_p(0),
    "object": tvm_ffi.testing.TestIntPair(3, 4),
}

heading("through a native function, through a Python function called by native code, in an Array, as a value of a Map")
for name, value in VALUES.items():
    back = show(name, echo, value)
    print("   type:", type(back).__name__)
    show("   called back", apply, lambda x: x, value)
    show("   returned by Python", apply, lambda: value)
    show("   in an Array", lambda: tvm_ffi.Array([value])[0])
    show("   in a List", lambda: tvm_ffi.List([value])[0])
    show("   in a Map", lambda: tvm_ffi.Map({"key": value})["key"])
    show("   in a Dict", lambda: tvm_ffi.Dict({"key": value})["key"])
    show("   converted", tvm_ffi.convert, value)

heading("identity")
print(echo(PLAIN) is PLAIN, apply(lambda x: x is PLAIN, PLAIN))
array = tvm_ffi.Array([1])
print(echo(array).same_as(array), tvm_ffi.Array([array])[0].same_as(array))
print([math.copysign(1.0, echo(zero)) for zero in (0.0, -0.0)], math.isnan(echo(math.nan)))

heading("declared types take these and no others")
TYPED = [
    "bool", "int", "float", "string", "bytes", "dtype", "device", "object", "tensor", "func", "opt_int", "opt_str",
    "opt_obj", "arr", "arr_int", "arr_str", "map", "map_str_int", "list_int", "dict_str_int", "variant_int_str",
]  # fmt: skip
for declared in TYPED:
    function = tvm_ffi.get_global_func(f"testing.schema_id_{declared}")
    for name, value in VALUES.items():
        if (declared, name) != ("dtype", "bytes"):  # The release quotes them in a message, which then is no text.
            show(f"{declared} <- {name}", function, value)

heading("counts of arguments")
show("none", tvm_ffi.get_global_func("testing.schema_no_args"))
show("one for none", tvm_ffi.get_global_func("testing.schema_no_args"), 1)
show("none for one", tvm_ffi.get_global_func("testing.schema_id_int"))
show("three for one", tvm_ffi.get_global_func("testing.schema_id_int"), 1, 2, 3)
show("several types", tvm_ffi.get_global_func("testing.schema_arr_map_opt"), [1, None], {"k": [1]}, "s")
show("a wrong element", tvm_ffi.get_global_func("testing.schema_arr_map_opt"), [1, "x"], {"k": [1]}, "s")
show("a wrong value", tvm_ffi.get_global_func("testing.schema_arr_map_opt"), [1], {"k": ["x"]}, "s")

heading("dtypes")
for text in """int8 uint64 float16 bfloat16 float32x4 bool handle void int1 uint4x8 float8_e4m3fn float8_e5m2 float6_e2m3fn
    float4_e2m1fn float4_e2m1fnx2 float8_e8m0fnu i32 f16 u8 bf16 f8_e4m3fn int32xvscalex4 complex64 int int8x
    float32x0 nonsense int8y custom[x]8""".split():
    dtype = show(text, tvm_ffi.dtype, text)
    if dtype is not None:
        print("  ", str(dtype), dtype.type_code, dtype.bits, dtype.lanes, hash(dtype) == hash(echo(dtype)))
        show("   bytes", lambda: dtype.itemsize)
        show("   of four lanes", dtype.with_lanes, 4)
for kind in ("float32", "int64", "bool", "complex64", "S3"):
    show(f"numpy {kind}", tvm_ffi.dtype, np.dtype(kind))

heading("devices")
for text in ("cpu", "cpu:1", "cuda:0", "rocm:2", "metal", "vulkan:1", "opencl", "webgpu", "hexagon:0", "ext_dev", "no:1", "cpu:x"):
    device = show(text, tvm_ffi.device, text)
    if device is not None:
        print("  ", device.type, device.index, device.dlpack_device_type(), device == echo(device))

heading("tensors")
for array in (
    np.arange(6, dtype="float32").reshape(2, 3),
    np.array(5, dtype="int64"),
    np.zeros((0, 4), dtype="int8"),
    np.arange(24, dtype="uint16").reshape(2, 3, 4).transpose(2, 0, 1),
    np.arange(10, dtype="float64")[::2],
    np.array([True, False]),
):
    tensor = show("from numpy", tvm_ffi.from_dlpack, array)
    if tensor is None:
        continue
    print("  ", tensor.shape, tensor.strides, tensor.dtype, tensor.device, tensor.ndim, tensor.numel(), tensor.is_contiguous())
    back = np.from_dlpack(echo(tensor))
    # DLPack wants NULL for the data of a tensor without elements; the release hands on what it got.
    print("  ", (back == array).all(), back.dtype, back.shape, array.size == 0 or back.ctypes.data == array.ctypes.data)
    print("  ", show("directly", echo, array), type(apply(lambda x: x, array)).__name__)
show("must be contiguous", tvm_ffi.from_dlpack, np.arange(10)[::2], require_contiguous=True)
show("must be aligned", tvm_ffi.from_dlpack, np.frombuffer(bytearray(65), dtype="int8")[1:], require_alignment=64)
show("not a tensor", tvm_ffi.from_dlpack, "text")
show("a tensor for an int", tvm_ffi.get_global_func("testing.schema_id_int"), np.zeros(2))

heading("objects of a type that Python does not know")
unknown = show("made", tvm_ffi.testing.make_unregistered_object)
print(type(unknown).__name__, [name for name in dir(unknown) if not name.startswith("_")])
