"""Structural equality, hash and first mismatch; walks, visits, maps and mutations with callbacks; access paths."""

from typing import Any

import numpy as np
import tvm_ffi
from _show import heading, show
from tvm_ffi import (
    DefRegionKind,
    InplaceMode,
    StructuralKey,
    VisitInterrupt,
    WalkResult,
    get_first_structural_mismatch,
    structural_equal,
    structural_hash,
    structural_map,
    structural_mutate,
    structural_visit,
    structural_walk,
)
from tvm_ffi.access_path import AccessPath
from tvm_ffi.dataclasses import field, py_class


@py_class("clients.Var", structural_eq="var")
class Var(tvm_ffi.Object):
    name: str = field(structural_eq="ignore")


@py_class("clients.Number", structural_eq="tree")
class Number(tvm_ffi.Object):
    value: int


@py_class("clients.Add", structural_eq="tree")
class Add(tvm_ffi.Object):
    left: Any
    right: Any
    comment: str = field(structural_eq="ignore", default="")


@py_class("clients.Lambda", structural_eq="tree")
class Lambda(tvm_ffi.Object):
    params: list = field(structural_eq="def")
    body: Any


@py_class("clients.Constant", structural_eq="const-tree")
class Constant(tvm_ffi.Object):
    tag: str


@py_class("clients.Binding", structural_eq="dag")
class Binding(tvm_ffi.Object):
    value: Any


@py_class("clients.Singleton", structural_eq="singleton")
class Singleton(tvm_ffi.Object):
    value: int


@py_class("clients.Unsupported", structural_eq=None)
class Unsupported(tvm_ffi.Object):
    value: int


def function_of(name, comment=""):
    var = Var(name)
    return Lambda([var], Add(var, Number(1), comment))


def swapped(first, second):
    x, y = Var("x"), Var("y")
    return Lambda([x, y], Add(x if first else y, y if second else x))


x, y, shared = Var("x"), Var("y"), Binding(Number(1))
same = Singleton(1)
PAIRS = {
    "ints": (1, 1),
    "int and bool": (1, True),
    "int and float": (1, 1.0),
    "zeros": (0.0, -0.0),
    "nans": (float("nan"), float("nan")),
    "short strings": ("a", "b"),
    "long strings": ("longer text", "longer text"),
    "str and bytes": ("a", b"a"),
    "big ints": (2**100, 2**100),
    "arrays": ([1, [2, 3]], [1, [2, 4]]),
    "lengths": ([1, 2], [1, 2, 3]),
    "array and list": (tvm_ffi.Array([1]), tvm_ffi.List([1])),
    "maps in another order": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "maps": ({"a": 1, "b": [1]}, {"a": 1, "b": [2]}),
    "missing keys": ({"a": 1}, {"b": 1}),
    "map and dict": (tvm_ffi.Map({"a": 1}), tvm_ffi.Dict({"a": 1})),
    "shapes": (tvm_ffi.Shape((1, 2)), tvm_ffi.Shape((1, 3))),
    "dtypes": (tvm_ffi.dtype("int8"), tvm_ffi.dtype("int16")),
    "devices": (tvm_ffi.device("cpu:0"), tvm_ffi.device("cpu:0")),
    "tensors": (np.arange(3), np.arange(3)),
    "tensors of other content": (np.arange(3), np.array([0, 1, 3])),
    "tensors of other shapes": (np.zeros((2, 3)), np.zeros((3, 2))),
    "one variable": (x, x),
    "two variables": (x, y),
    "functions": (function_of("x"), function_of("y", "comment")),
    "functions that swap": (swapped(True, True), swapped(False, False)),
    "functions that use one twice": (swapped(True, True), swapped(True, False)),
    "free and bound": (Lambda([x], Add(x, y)), Lambda([y], Add(y, x))),
    "objects": (Add(Number(1), Number(2)), Add(Number(1), Number(3))),
    "constants": (Constant("a"), Constant("a")),
    "dags": ([shared, shared], [Binding(Number(1)), Binding(Number(1))]),
    "singletons": (same, Singleton(1)),
    "one singleton": (same, same),
    "unsupported": (Unsupported(1), Unsupported(1)),
    "none": (None, None),
    "none and zero": (None, 0),
    "types": (Number(1), Constant("a")),
}

heading("equality, hash, mismatch")
for name, (left, right) in PAIRS.items():
    print(name)
    for options in ({}, {"map_free_vars": True}, {"skip_tensor_content": True}):
        show(f"   equal {options}", structural_equal, left, right, **options)
        show(f"   hashes agree {options}", lambda: structural_hash(left, **options) == structural_hash(right, **options))
        show(f"   mismatch {options}", get_first_structural_mismatch, left, right, **options)
    if not any(kind in str(left) for kind in ("Var", "Singleton")):
        show("   hash", structural_hash, left)
        show("   key", lambda: StructuralKey(left) == StructuralKey(right))
show("keys in a map", lambda: len(tvm_ffi.Map({StructuralKey([1]): 1, StructuralKey([1]): 2, StructuralKey([2]): 3})))
print(StructuralKey({"a": [1]}), StructuralKey([1]).key)

heading("a type with hooks")


@py_class("clients.Modulo", structural_eq="tree")
class Modulo(tvm_ffi.Object):
    value: int

    @tvm_ffi.method
    def __s_equal__(self, other, equal):
        return equal(self.value % 10, other.value % 10, False, "value")

    @tvm_ffi.method
    def __s_hash__(self, start, hash_of):
        return hash_of(self.value % 10, start, False)

    @tvm_ffi.method
    def __ffi_repr__(self, repr_of):
        return f"Modulo<{repr_of(self.value)}>"


for right in (11, 12):
    show(f"1 and {right}", structural_equal, [Modulo(1)], [Modulo(right)])
    show("   hashes agree", lambda: structural_hash(Modulo(1)) == structural_hash(Modulo(right)))
    show("   mismatch", get_first_structural_mismatch, [Modulo(1)], [Modulo(right)])
print([Modulo(3)], tvm_ffi.Array([Modulo(3)]))

heading("walks")
tree = tvm_ffi.convert([1, {"k": [2, "three"], "l": Add(Number(4), Lambda([x], Add(x, 5.5)))}, None, tvm_ffi.List([6])])
print(tree)
for order in ("pre", "post"):
    seen = []
    show(order, structural_walk, tree, lambda value: seen.append(repr(value)), order=order)
    print("  ", *seen, sep="\n   ")
    seen = []
    show("ints, strings and variables", structural_walk, tree, [
        (int, lambda value: seen.append(("int", value))),
        (str, lambda value: seen.append(("str", value))),
        ((Number, Add), lambda value: seen.append(type(value).__name__)),
    ], with_def_region_kind=[(Var, lambda value, kind: seen.append((value.name, kind)))], order=order)  # fmt: skip
    print("  ", seen)
    seen = []
    show("skipping", structural_walk, tree, [
        (tvm_ffi.Map, lambda value: seen.append("map") or WalkResult.SKIP),
        (int, lambda value: seen.append(value)),
    ], order=order)  # fmt: skip
    print("  ", seen)
    show("interrupted", structural_walk, tree, (int, lambda value: VisitInterrupt(value) if value > 1 else None), order=order)
show("an error", structural_walk, tree, (str, lambda value: 1 // 0))
show("a wrong result", structural_walk, tree, (str, lambda value: "text"))
show("a wrong order", structural_walk, tree, (str, lambda value: None), order="other")

heading("visits")
seen = []


def visit_add(value, visitor):
    seen.append("add")
    visitor.visit(value.right)


def visit_lambda(value, visitor):
    seen.append("lambda")
    visitor.with_def_region_kind(DefRegionKind.DEF_SIMPLE, lambda: visitor.visit(value.params))
    visitor.default_visit(value)


show("visit", structural_visit, tree, [
    (Add, visit_add),
    (Lambda, visit_lambda),
    (Var, lambda value, visitor: seen.append((value.name, visitor.def_region_kind()))),
    ((int, float), lambda value, visitor: seen.append(value)),
])  # fmt: skip
print(seen)
show("interrupted", structural_visit, tree, (str, lambda value, visitor: VisitInterrupt(("found", value))))
show("an error", structural_visit, tree, (Number, lambda value, visitor: tree.missing))

heading("maps")
for order in ("pre", "post"):
    show(order, structural_map, tree, (int, lambda value: value * 10), order=order)
    show("variables", structural_map, tree, (Var, lambda value: Var(value.name + "!")), order=order)
    show("types", structural_map, tree, (Number, lambda value: value.value), order=order)
print(tree)
show("nothing to do", lambda: structural_map(tree, (bytes, lambda value: b"")).same_as(tree))
show("an error", structural_map, tree, (str, lambda value: 1 // 0))

heading("mutations")


def mutate_add(value, mutator, mode=None):
    return Add(mutator.mutate(value.right), mutator.mutate(value.left))


def mutate_lambda(value, mutator):
    for param in value.params:
        mutator.var_remap_set(param, Var(param.name * 2))
    return mutator.default_mutate(value)


show("swap", structural_mutate, tree, (Add, mutate_add))
show("rename", structural_mutate, tree, [(Lambda, mutate_lambda), (Var, lambda value, mutator: mutator.var_remap_get(value) or value)])
show("unchanged", lambda: structural_mutate(tree, (int, lambda value, mutator: value)).same_as(tree))
show("an error", structural_mutate, tree, (Number, lambda value, mutator: tree.missing))
print(InplaceMode.DISALLOW, tree)

heading("access paths")
root = AccessPath.root()
path = root.attr("body").array_item(2).map_item("k")
print(root, path, path.parent, path.depth, path.step, path.to_steps())
for other in (root, path, root.attr("body"), root.attr("other"), path.attr_missing("x"), path.array_item_missing(1), path.map_item_missing(1.5)):
    print(other, path == other, other.is_prefix_of(path), path.is_prefix_of(other), other.depth)
show("hash", lambda: hash(path) == hash(root.attr("body").array_item(2).map_item("k")))
show("in a set", lambda: len({root, AccessPath.root(), path, root.attr("body")}))
show("wrong key", root.attr, 1)
