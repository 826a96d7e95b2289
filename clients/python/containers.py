"""Containers: built, read, changed, compared, and walked while they change; against Python's own containers where there are
such, and printed everywhere."""

import copy
import gc
import random

import tvm_ffi
from _show import heading, show
from tvm_ffi import Array, Dict, List, Map, Shape, _ffi_api

heading("Array")
array = Array([1, "two", 3.0, None, [4, [5]], {"six": 6}])
print(array, len(array), bool(array), bool(Array([])))
for index in (0, -1, 5, 6, -7, slice(1, 3), slice(None, None, 2), slice(None, None, -1), True, "1", 2.0):
    show(f"[{index!r}]", lambda: array[index])
print(list(array), [type(item).__name__ for item in array])
print(3.0 in array, "two" in array, 7 in array, array.index("two"), array.count(None))
show("index of what is missing", array.index, "missing")
print(Array([1, 2]) == Array([1, 2]), Array([1]) == Array([2]), Array([1, 2]) == [1, 2], Array([1]) != Array([1.0]))
print(Array([1]) + [2], [0] + Array([1]), Array(x * x for x in range(20)))
show("hash of equal ones", lambda: hash(Array([1, 2])) == hash(Array([1, 2])))
show("a number is no sequence", Array, 5)
show("cannot be changed", lambda: array.__setitem__(0, 1))
print(array.same_as(array), array.same_as(Array(array)), Array(array) == array)

heading("List")
numbers = List()
print(numbers, len(numbers), bool(numbers))
model, random_numbers = [], random.Random(17)
for step in range(400):
    value, operation = random_numbers.randrange(1000), random_numbers.randrange(9)
    at = random_numbers.randrange(-len(model) - 2, len(model) + 3)
    calls = {
        0: lambda it: it.append(value),
        1: lambda it: it.insert(at, value),
        2: lambda it: it.pop(at),
        3: lambda it: it.__setitem__(at, value),
        4: lambda it: it.__delitem__(at),
        5: lambda it: it.extend([value, "x" * (value % 12)]),
        6: lambda it: it.reverse(),
        7: lambda it: it.__setitem__(slice(at, at + 3), [value] * (value % 5)),
        8: lambda it: it.__delitem__(slice(at, at + 2)),
    }
    results = []
    for it in (numbers, model):
        try:
            results.append(calls[operation](it))
        except Exception as error:
            results.append(type(error).__name__)
    if results[0] != results[1] or list(numbers) != model:
        print("step", step, "operation", operation, "at", at, "gives", results)
        model = list(numbers)
print(len(numbers), numbers)
for operation, arguments in {
    "pop": (9999,),
    "insert": ("x", 1),
    "remove": ("missing",),
    "__setitem__": (9999, 1),
    "__delitem__": (-9999,),
    "index": ("missing",),
}.items():
    show(operation, getattr(numbers, operation), *arguments)
numbers.clear()
show("pop of nothing", numbers.pop)
show("negative step", lambda: List([1, 2, 3]).__setitem__(slice(None, None, -1), [7, 8, 9]))
show("wrong length", lambda: List([1, 2, 3]).__setitem__(slice(None, None, 2), [7, 8, 9]))
print(List([1, 2]) == List([1, 2]), List([1, 2]) == Array([1, 2]), List([1]) + [2], [0] + List([1]))
alias = List([1])
holder = Array([alias, alias])
alias.append(2)
print(holder, holder[0].same_as(alias))

heading("Map")
for size in (0, 1, 2, 3, 4, 5, 8, 9, 33):
    mapping = Map({f"key {i}": i for i in range(size)})
    print(size, len(mapping), mapping)
    print("  ", list(mapping), list(mapping.values()), list(mapping.items()) == [(f"key {i}", i) for i in range(size)])
mixed = Map({1: "int", True: "bool", 2.0: "float", "1": "str", b"1": "bytes", (1,): "tuple", None: "none", Shape((1,)): 7})
print(mixed, len(mixed))
for key in (1, True, 2.0, 2, "1", b"1", None, "no"):
    show(f"[{key!r}]", lambda: mixed[key])
    print("  ", mixed.get(key), mixed.get(key, "default"), key in mixed, key in mixed.keys())
print(Map({"a": 1}) == Map({"a": 1}), Map({"a": 1, "b": 2}) == Map({"b": 2, "a": 1}), Map({"a": 1}) == {"a": 1})
show("cannot be changed", lambda: mixed.__setitem__(1, 2))
show("from a list", Map, [1, 2])

heading("Dict: order of iteration while it grows, shrinks and is overwritten")
table, model = Dict(), {}
for step in range(3000):
    key = random_numbers.choice([random_numbers.randrange(60), f"k{random_numbers.randrange(60)}", random_numbers.randrange(9) + 0.5])
    operation = random_numbers.randrange(10 if step < 2000 else 16)
    if operation < 6:
        table[key] = model[key] = step
    elif operation < 8:
        print(table[key] if key in table else "-", end=" ")
    elif table.pop(key, None) != model.pop(key, None):
        print("pop differs", end=" ")
    if step % 300 == 0:
        print("\n", step, len(table), dict(table.items()) == model, list(table))
print()
print(list(table.items()))
show("missing", lambda: table["missing"])
show("delete what is missing", lambda: table.__delitem__("missing"))
show("pop what is missing", table.pop, "missing")
show("popitem", lambda: len([table.popitem() for _ in range(3)]))
show("setdefault", table.setdefault, "new", 1)
show("update", table.update, {"new": 2, "newer": 3})
print(table["new"], list(table)[-2:])
table.clear()
print(table, len(table), list(table))
table["after"] = "clear"
print(table)

heading("walked while they change")
table = Dict({i: i for i in range(3)})
show("a Dict that grows", lambda: [table.__setitem__(len(table) + 10, 0) or key for key, _ in zip(table, range(5))])
numbers = List([1, 2, 3])
show("a List that grows", lambda: [numbers.append(x) or x for x, _ in zip(numbers, range(8))])
print(numbers)

heading("held by one another")
inner = List([])
inner.append(inner)
print(inner, len(inner), inner[0].same_as(inner))
table = Dict({})
table["self"] = table
table["list"] = inner
print(table)
del inner, table
print(gc.collect() >= 0)

heading("Shape")
shape = Shape((2, 3))
print(shape, tuple(shape), len(shape), shape[0], shape == (2, 3), shape + (4,), isinstance(shape, tuple))
show("of text", Shape, ("a",))
show("of fractions", Shape, (1.5,))
show("negative", Shape, (-1,))

heading("copies")
nested = List([List([1]), Dict({"k": List([2])}), Array([List([3])]), Map({"m": List([4])})])
shallow, deep = copy.copy(nested), copy.deepcopy(nested)
nested[0].append("later")
nested[1]["later"] = 1
nested[2][0].append("later")
print(nested, shallow, deep, sep="\n")
shared = List([])
twice = copy.deepcopy(Array([shared, shared]))
print(twice[0].same_as(twice[1]), twice[0].same_as(shared))
cyclic = List([1])
cyclic.append(cyclic)
copied = copy.deepcopy(cyclic)
print(copied, copied[1].same_as(copied), copied.same_as(cyclic))

heading("through the functions behind them")
for name, arguments in [
    ("ArrayGetItem", (Array([1]), 1)),
    ("ArrayGetItem", (Array([1]), -1)),
    ("ArrayGetItem", ([1], "x")),
    ("ArrayGetItem", (List([1]), 0)),
    ("ArraySize", ("text",)),
    ("ListGetItem", (List([1]), 1)),
    ("ListInsert", (List([1]), 3, 0)),
    ("ListErase", (List([1]), 1)),
    ("ListEraseRange", (List([1, 2, 3]), 2, 1)),
    ("ListEraseRange", (List([1, 2, 3]), 0, 4)),
    ("ListReplaceSlice", (List([1, 2, 3]), 0, 9, List([]))),
    ("ListPop", (List([]), 0)),
    ("ListReserve", (List([]), -1)),
    ("MapGetItem", (Map({}), "k")),
    ("MapGetItem", (Map({"a": 1}), "k")),
    ("MapGetItemOrMissing", (Map({"a": 1}), "k")),
    ("MapCount", (Map({"a": 1}), "a")),
    ("DictErase", (Dict({"a": 1}), "k")),
    ("DictGetItem", (Dict({}), "k")),
    ("Map", (1, 2, 3)),
    ("Dict", (1,)),
    ("Shape", (1, "x")),
    ("String", (1,)),
    ("Bytes", ("text",)),
    ("MapSize", (Dict({}),)),
    ("ArrayContains", (Array([1.0]), 1)),
]:
    show(f"{name}{arguments}", getattr(_ffi_api, name), *arguments)
