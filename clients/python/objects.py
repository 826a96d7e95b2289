"""Objects: of types that native code defines, of types that Python defines, and enums. Made, changed, compared, hashed, copied,
printed, pickled; and what they say to wrong arguments."""

import copy
import pickle
from typing import Any, ClassVar, Dict, List, Optional

import tvm_ffi
import tvm_ffi.testing as testing
from _show import heading, show
from tvm_ffi import _ffi_api
from tvm_ffi.dataclasses import KW_ONLY, Enum, IntEnum, StrEnum, asdict, astuple, auto, entry, field, fields, py_class, replace


def orders(left, right):
    names = "RecursiveEq", "RecursiveLt", "RecursiveLe", "RecursiveGt", "RecursiveGe"
    return [show(f"   {name}", getattr(_ffi_api, name), left, right) for name in names]


heading("native types: what their constructors take")
MADE = [
    ("TestIntPair", (1, 2), {}),
    ("TestIntPair", (1,), {}),
    ("TestIntPair", (1, 2, 3), {}),
    ("TestIntPair", ("x", 2), {}),
    ("TestObjectBase", (), {}),
    ("TestObjectBase", (1, 2.5, "three"), {}),
    ("TestObjectBase", (), {"v_str": "only", "v_i64": -1}),
    ("TestObjectBase", (), {"v_i64": "x"}),
    ("TestObjectBase", (), {"unknown": 1}),
    ("TestObjectBase", (1,), {"v_i64": 2}),
    ("TestObjectDerived", ({"k": 1}, [1]), {"v_f64": 1}),
    ("TestObjectDerived", ({"k": 1},), {}),
    ("TestObjectDerived", ([1], {"k": 1}), {}),
    ("_TestCxxClassBase", (1, 2), {}),
    ("_TestCxxClassDerived", (1, 2, 3.5), {}),
    ("_TestCxxClassDerived", (1, 2**40, 3.5), {}),
    ("_TestCxxClassDerivedDerived", (1, 2, 3.5, True), {}),
    ("_TestCxxInitSubset", (1,), {}),
    ("_TestCxxInitSubset", (1, 2), {}),
    ("_TestCxxKwOnly", (), {"x": 1, "y": 2, "z": 3}),
    ("_TestCxxKwOnly", (1, 2, 3), {}),
    ("_TestCxxKwOnly", (), {"x": 1}),
    ("_TestCxxAutoInit", (1,), {"c": 3}),
    ("_TestCxxAutoInit", (1,), {}),
    ("_TestCxxAutoInit", (1, 2, 3), {}),
    ("_TestCxxAutoInitSimple", (1, 2), {}),
    ("_TestCxxAutoInitAllInitOff", (), {}),
    ("_TestCxxAutoInitKwOnlyDefaults", (1,), {"k_required": 2}),
    ("_TestCxxAutoInitChild", (1, 2), {"child_kw_only": 3}),
    ("_TestCxxNoAutoInit", (), {}),
    ("TestNonCopyable", (1,), {}),
    ("TestCompare", (1, "a", 2), {}),
    ("TestHash", (1, "a", 2), {}),
    ("TestCustomHash", (1, "a"), {}),
    ("TestCustomCompare", (1, "a"), {}),
    ("TestEqWithoutHash", (1, "a"), {}),
    ("TestObjectPtrHolder", (testing.TestObjectBase(1, 2.0, "x"),), {}),
    ("TestObjectPtrHolder", (None,), {}),
]
for name, arguments, named in MADE:
    made = show(f"{name}{arguments}{named}", getattr(testing, name), *arguments, **named)
    if made is None:
        continue
    again = getattr(testing, name)(*arguments, **named)
    orders(made, again)
    show("   hashes agree", lambda: _ffi_api.RecursiveHash(made) == _ffi_api.RecursiveHash(again))
    show("   copied", copy.copy, made)
    show("   deeply", copy.deepcopy, made)
    show("   pickled", lambda: pickle.loads(pickle.dumps(made)))
    show("   as JSON", tvm_ffi.serialization.to_json_graph_str, made)

heading("native types: fields and methods")
base = testing.TestObjectBase(1, 2.5, "three")
print(base.v_i64, base.v_f64, base.v_str, base.add_i64(41))
base.v_i64 = 7
print(base)
show("wrong type", setattr, base, "v_i64", "text")
show("unknown field", setattr, base, "unknown", 1)
show("method: wrong argument", base.add_i64, "x")
show("method: none", base.add_i64)
derived = testing.TestObjectDerived({"k": base}, [base, base])
print(derived, derived.v_array[0].same_as(derived.v_array[1]), isinstance(derived, testing.TestObjectBase))
derived.v_array = [derived]
print(derived)
derived.v_array = []
show("by packed arguments", testing.create_object, "testing.TestObjectBase", v_i64=3)
show("an unknown type", testing.create_object, "testing.Unknown")
show("a field missing", testing.create_object, "testing.TestIntPair", a=1)
show("a field too many", testing.create_object, "testing.TestIntPair", a=1, b=2, c=3)
show("a wrong type", testing.create_object, "testing.TestIntPair", a=1, b="x")
show("names only", _ffi_api.MakeObjectFromPackedArgs, "testing.TestIntPair", "a")

heading("order and equality of everything")
VALUES = [
    None, False, True, 0, 1, -1, 2**80, 0.0, -0.0, 1.5, float("nan"), "", "a", "b", "longer text", b"", b"a", b"longer bytes",
    tvm_ffi.dtype("int8"), tvm_ffi.device("cpu"), tvm_ffi.Shape((1, 2)), tvm_ffi.Shape((1, 3)), [1, 2], [1, 3], [1], [],
    tvm_ffi.List([1, 2]), {"a": 1}, {"a": 2}, tvm_ffi.Dict({"a": 1}), testing.TestIntPair(1, 2), testing.TestIntPair(1, 3),
    testing.TestCustomCompare(1, "x"), testing.TestEqWithoutHash(1, "x"),
]  # fmt: skip
for left in VALUES:
    show(f"hash of {left!r}", _ffi_api.RecursiveHash, left)
    for right in VALUES:
        show(f"{left!r} = {right!r}", _ffi_api.RecursiveEq, left, right)
        show(f"{left!r} < {right!r}", _ffi_api.RecursiveLt, left, right)

heading("types that Python defines")


@py_class("clients.Point", eq=True, order=True, unsafe_hash=True)
class Point(tvm_ffi.Object):
    x: int
    y: float = 0.5


@py_class("clients.Everything")
class Everything(tvm_ffi.Object):
    anything: Any
    number: int = 1
    optional: Optional[str] = None
    numbers: List[int] = field(default_factory=list)
    table: Dict[str, float] = field(default_factory=dict)
    point: Optional[Point] = None
    _: KW_ONLY
    hidden: int = field(default=9, repr=False, hash=False, compare=False)
    computed: int = field(init=False, default=0)

    def __post_init__(self):
        self.computed = self.number * 2


@py_class("clients.Derived3D")
class Point3D(Point):
    z: int = 3

    def norm(self):
        return abs(self.x) + abs(self.y) + abs(self.z)


@py_class("clients.Frozen", frozen=True)
class Frozen(tvm_ffi.Object):
    value: int


for name, make in {
    "Point": lambda: Point(1),
    "Point by name": lambda: Point(y=2, x=1),
    "Point of text": lambda: Point("x"),
    "Point of nothing": lambda: Point(),
    "Point of too much": lambda: Point(1, 2, 3),
    "Point twice": lambda: Point(1, x=2),
    "Point unknown": lambda: Point(1, w=2),
    "Everything": lambda: Everything([1, {"k": Point(1)}], 2, "text", [1, 2], {"a": 1}, Point(5), hidden=3),
    "Everything by default": lambda: Everything(None),
    "Everything wrong": lambda: Everything(None, numbers=["x"]),
    "Everything wrong in a dict": lambda: Everything(None, table={"k": "v"}),
    "Everything with a wrong point": lambda: Everything(None, point=Frozen(1)),
    "Everything positionally": lambda: Everything(1, 2, None, [], {}, None, 3),
    "Point3D": lambda: Point3D(1, 2.0, 3),
    "Frozen": lambda: Frozen(1),
}.items():
    made = show(name, make)
    if made is None:
        continue
    print("  ", made == make(), made != make(), [item.name for item in fields(made)])
    show("   as dict", asdict, made)
    show("   as tuple", astuple, made)
    show("   copied", copy.copy, made)
    show("   deeply", copy.deepcopy, made)
    show("   through native code", lambda: tvm_ffi.get_global_func("testing.echo")(made).same_as(made))
    show("   as JSON", tvm_ffi.serialization.to_json_graph_str, made)
    show("   there and back", lambda: tvm_ffi.serialization.from_json_graph_str(tvm_ffi.serialization.to_json_graph_str(made)))
print(Point(1) < Point(2), Point(1, 2) >= Point(1, 1), sorted([Point(3), Point(1), Point(2)]), {Point(1): "a"}[Point(1)])
print(Point3D(1).norm(), isinstance(Point3D(1), Point), replace(Point(1), y=9))
point = Point(1)
point.x = 5
print(point)
show("wrong type", setattr, point, "x", "text")
show("read-only", setattr, Frozen(1), "value", 2)
show("replaced wrongly", replace, point, w=1)
show("hash without one", lambda: hash(Everything(None)) is not None)

heading("enums")


class Colour(Enum, type_key="clients.Colour"):
    weight: int = 0
    red: ClassVar["Colour"] = entry(weight=1)
    green = entry(weight=2)
    blue = auto()


class Level(IntEnum, type_key="clients.Level"):
    low = 10
    high = entry(value=2**62)


class Operator(StrEnum, type_key="clients.Operator"):
    add = entry(value="+")
    mul = "*"


for kind in (Colour, Level, Operator, testing._TestCxxIntEnum, testing._TestCxxStrEnum):
    print(kind.__name__, list(kind), len(kind))
    for member in kind:
        print("  ", member, member._int_index, member._str_index, getattr(member, "value", None))
        print("  ", kind(member._str_index).same_as(member), copy.deepcopy(member).same_as(member), member == member)
        text = show("   as JSON", tvm_ffi.serialization.to_json_graph_str, member)
        show("   and back", lambda: tvm_ffi.serialization.from_json_graph_str(text).same_as(member))
        show("   pickled", lambda: pickle.loads(pickle.dumps(member)).same_as(member))
    show("   by a wrong name", kind, "missing")
    show("   by a wrong number", kind, 99)
print(Colour.green.weight, Level.low != Level.high, {Colour.red: 1}[Colour.red], Colour.red == Colour.green)
holder = testing._TestCxxEnumHolder(testing._TestCxxIntEnum.low, testing._TestCxxStrEnum.mul)
print(holder, holder.priority.same_as(testing._TestCxxIntEnum.low))
show("from native code", tvm_ffi.get_global_func("testing.enum_variant_get"), "Alpha")
show("of the wrong kind", testing._TestCxxEnumHolder, Level.low, testing._TestCxxStrEnum.mul)
