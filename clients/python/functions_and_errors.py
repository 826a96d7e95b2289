"""Functions of both languages that call one another, and errors raised through several layers of them."""

import copy
import gc
import pickle
import traceback
import weakref

import tvm_ffi
from _show import heading, show

apply = tvm_ffi.get_global_func("testing.apply")
echo = tvm_ffi.get_global_func("testing.echo")
raise_error = tvm_ffi.get_global_func("testing.test_raise_error")

heading("functions as values")
double = tvm_ffi.convert(lambda x: 2 * x)
print(type(double).__name__, double(21), apply(double, 4), apply(apply, apply, double, 8), echo(double)(5))
print(double.same_as(echo(double)), tvm_ffi.convert_func(max)(3, 1, 2), apply(lambda *many: len(many), *range(100)))
show("one that returns a function", lambda: apply(lambda: lambda x: x + 1)(1))
show("one that returns what has no native form", lambda: apply(lambda: {1, 2}))
show("no function", lambda: apply(5))
show("an argument too many", lambda: double(1, 2))
show("a keyword", lambda: double(x=1))


class Counter:
    def __init__(self):
        self.count = 0

    def __call__(self, by=1):
        self.count += by
        return self.count


counter = Counter()
native = tvm_ffi.convert(counter)
print(native(), native(5), apply(native, 3), counter.count)
alive = weakref.ref(counter)
del counter, native
gc.collect()
print("released with the function:", alive() is None)

heading("recursion through both")
fibonacci = tvm_ffi.convert(lambda n: n if n < 2 else apply(fibonacci, n - 1) + apply(fibonacci, n - 2))
print([fibonacci(n) for n in range(12)])
nested = tvm_ffi.convert(lambda depth: depth if depth == 0 else 1 + apply(nested, depth - 1))
print(nested(150))

heading("global functions")


@tvm_ffi.register_global_func("clients.add")
def add(left, right):
    return left + right


print(tvm_ffi.get_global_func("clients.add")(1, 2), tvm_ffi.get_global_func("clients.add")("a", "b"))
show("again", tvm_ffi.register_global_func, "clients.add", lambda: 1)
show("overriding", lambda: tvm_ffi.register_global_func("clients.add", lambda: 1, override=True) and None)
print(tvm_ffi.get_global_func("clients.add")())
show("missing", tvm_ffi.get_global_func, "clients.missing")
print(tvm_ffi.get_global_func("clients.missing", allow_missing=True))
names = tvm_ffi.registry.list_global_func_names()
print("listed:", "clients.add" in names, sorted(names) == sorted(set(names)))
tvm_ffi.remove_global_func("clients.add")
print("removed:", "clients.add" not in tvm_ffi.registry.list_global_func_names())
show("removed twice", tvm_ffi.remove_global_func, "clients.add")
show("metadata", tvm_ffi.get_global_func_metadata, "testing.schema_id_map_str_int")
show("metadata of nothing", tvm_ffi.get_global_func_metadata, "clients.missing")


def raised(function, *arguments):
    """Prints the error as each language sees it: kind, message, cause, and the functions of its traceback."""
    try:
        function(*arguments)
    except Exception as error:
        print(f"  {type(error).__name__}: {error}")
        print("    frames:", [frame.name for frame in traceback.extract_tb(error.__traceback__) if "clients" in frame.filename])
        native = getattr(error, "__tvm_ffi_error__", None)
        if native is not None:
            print("    native:", native.kind, "|", native.message)
            # Frames of this program and of the testing library: what lies between is each library's own affair.
            known = ["TestRaiseError", "TestApply", "functions_and_errors.py"]
            lines = [line for line in native.backtrace.splitlines() if any(word in line for word in known)]
            print("    traceback:", [line.split(", in ")[-1].split("(")[0] for line in lines])
        for name in "__cause__", "__context__":
            linked = getattr(error, name)
            print(f"    {name}: {type(linked).__name__}: {linked}" if linked else f"    {name}: none")
        return error
    print("  nothing was raised")


heading("errors of every kind, from native code")
for kind in """ValueError TypeError RuntimeError KeyError IndexError AttributeError NotImplementedError AssertionError
    InternalError MemoryError OverflowError ZeroDivisionError StopIteration UnicodeDecodeError OSError KeyboardInterrupt
    Unheard.of""".split() + [""]:
    print(kind or "no kind")
    try:
        raise_error(kind, f"it is {kind}")
    except BaseException as error:
        print("  ", type(error).__name__, error.args, error.__tvm_ffi_error__.kind)


@tvm_ffi.register_error("OwnError")
class OwnError(ValueError):
    pass


def fail(*arguments):
    raise OwnError("of our own", *arguments)


def first():
    apply(second)


def second():
    apply(third)


def third():
    raise_error("ValueError", "from deep below")


def translate():
    try:
        apply(third)
    except ValueError as error:
        raise TypeError("translated") from error


def during():
    try:
        apply(third)
    except ValueError:
        raise KeyError("during another")


def suppressed():
    try:
        apply(third)
    except ValueError:
        raise LookupError("not the whole story") from None


heading("errors through layers of both")
print("native")
raised(raise_error, "ValueError", "straight")
print("Python, native")
raised(apply, fail)
print("native, Python, native, Python, native")
raised(first)
print("with a cause")
raised(apply, apply, translate)
print("while another is handled")
raised(apply, during)
print("with its context suppressed")
raised(apply, suppressed)
print("several arguments")
raised(apply, fail, 1, 2)
print("text beyond ASCII")
raised(apply, lambda: raise_error("ValueError", "äöü 😀 \0 \n"))
print("an exception without a message")
raised(apply, lambda: [][0] if False else (_ for _ in ()).throw(ValueError))
print("not an Exception")
try:
    apply(lambda: (_ for _ in ()).throw(KeyboardInterrupt("stop")))
except BaseException as error:
    print("  ", type(error).__name__, error)

heading("caught and raised again")
kept = raised(raise_error, "RuntimeError", "kept")


def again():
    raise kept


raised(apply, again)
print(kept.__tvm_ffi_error__.backtrace.count("TestRaiseError"))

heading("errors as values")
error = tvm_ffi.convert(ValueError("a value"))
print(type(error).__name__, error.kind, error.message, error.backtrace == "", echo(error).same_as(error))
print(type(error.py_error()).__name__, error.py_error())
show("in an Array", lambda: tvm_ffi.Array([error])[0].same_as(error))
show("copied", lambda: type(copy.copy(kept)).__name__)
show("pickled", lambda: str(pickle.loads(pickle.dumps(kept))))

heading("many errors leave nothing behind")


class Marker:
    pass


markers = []


def fail_with_marker(marker):
    markers.append(weakref.ref(marker))
    raise ValueError("marked")


for _ in range(100):
    try:
        apply(fail_with_marker, Marker())
    except ValueError:
        pass
gc.collect()
print(sum(marker() is not None for marker in markers))

heading("arguments that are moved")
array = tvm_ffi.Array([1, 2, 3])
print(tvm_ffi.get_global_func("testing.object_use_count")(array))
print(apply(tvm_ffi.get_global_func("testing.object_use_count"), array))
show("moved", lambda: apply(lambda moved: moved, array._move()))
show("what is left", lambda: array.__chandle__() == 0)
