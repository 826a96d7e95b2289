"""Native code that is compiled while the program runs: functions, objects and errors of C++, the modules they come in, imports,
documentation, and streams."""

import numpy as np
import tvm_ffi
import tvm_ffi.cpp
from _show import heading, show

SOURCE = r"""
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/reflection/registry.h>

namespace ffi = tvm::ffi;

// Adds one to every element.
void add_one(ffi::TensorView x, ffi::TensorView y) {
  TVM_FFI_CHECK(x.ndim() == 1 && y.ndim() == 1, ValueError) << "expected vectors, got " << x.ndim() << " and " << y.ndim();
  TVM_FFI_CHECK(x.size(0) == y.size(0), ValueError) << "sizes differ";
  for (int64_t i = 0; i < x.size(0); ++i) {
    static_cast<float*>(y.data_ptr())[i] = static_cast<float*>(x.data_ptr())[i] + 1;
  }
}

ffi::String greet(ffi::String name, ffi::Optional<int64_t> times) {
  std::string text;
  for (int64_t i = 0; i < times.value_or(1); ++i) text += "Hello, " + std::string(name) + "! ";
  return text;
}

// A Map that C++ builds, of what it is given.
ffi::Map<ffi::String, ffi::Any> invert(ffi::Map<ffi::String, int64_t> map, ffi::Array<ffi::String> order) {
  ffi::Map<ffi::String, ffi::Any> result;
  for (ffi::String key : order) result.Set(std::to_string(map[key]), key);
  return result;
}

// Containers of the caller, changed in place.
void grow(ffi::List<int64_t> list, ffi::Dict<ffi::String, int64_t> dict, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    list.push_back(i);
    dict.Set("key " + std::to_string(i), i);
  }
}

ffi::Any call(ffi::Function function, ffi::Array<ffi::Any> arguments) {
  std::vector<ffi::AnyView> views(arguments.begin(), arguments.end());
  ffi::Any result;
  function.CallPacked(views.data(), static_cast<int32_t>(views.size()), &result);
  return result;
}

// What a C++ program does with the errors of what it calls.
ffi::String caught(ffi::Function function) {
  try {
    function();
  } catch (const ffi::Error& error) {
    return error.kind() + ": " + error.message();
  }
  return "nothing";
}

void fail(ffi::String kind, ffi::String message) {
  throw ffi::Error(kind, message, TVMFFIBacktrace(__FILE__, __LINE__, __func__, 0));
}

void fail_plainly() { throw std::runtime_error("a plain C++ exception"); }

class CounterObj : public ffi::Object {
 public:
  int64_t count;
  ffi::String name;
  CounterObj(int64_t count, ffi::String name) : count(count), name(name) {}
  static constexpr bool _type_mutable = true;
  int64_t Increase(int64_t by) { return count += by; }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("clients.Counter", CounterObj, ffi::Object);
};

class Counter : public ffi::ObjectRef {
 public:
  Counter(int64_t count, ffi::String name) : ffi::ObjectRef(ffi::make_object<CounterObj>(count, name)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Counter, ffi::ObjectRef, CounterObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ffi::reflection;
  refl::ObjectDef<CounterObj>()
      .def(refl::init<int64_t, ffi::String>())
      .def_rw("count", &CounterObj::count, "How many.")
      .def_ro("name", &CounterObj::name)
      .def("increase", &CounterObj::Increase, "Counts on.");
  refl::GlobalDef().def("clients.count_all", [](ffi::Array<Counter> counters) {
    int64_t sum = 0;
    for (Counter counter : counters) sum += counter->count;
    return sum;
  });
}

Counter make_counter(ffi::String name) { return Counter(0, name); }
"""

FUNCTIONS = {
    "add_one": "Adds one.",
    "greet": "Says hello.\n\nTwice, if asked.",
    "invert": "",
    "grow": "",
    "call": "",
    "caught": "",
    "fail": "",
    "fail_plainly": "",
    "make_counter": "",
}
FLAGS = ["-O1", "-DTVM_FFI_DLL_EXPORT_INCLUDE_METADATA=1"]
module = tvm_ffi.cpp.load_inline("clients", cpp_sources=SOURCE, functions=FUNCTIONS, extra_cflags=FLAGS)

heading("the module")
print(module.kind, module.imports, module.get_property_mask(), module.is_runnable(), list(module.get_write_formats()))
print(module.is_binary_serializable(), module.is_compilation_exportable(), repr(module.inspect_source()))
for name in [*FUNCTIONS, "missing"]:
    print(name, module.implements_function(name))
    show("   documentation", module.get_function_doc, name)
    show("   metadata", module.get_function_metadata, name)
show("a function that is not there", lambda: module.missing)
show("written", module.write_to_file, "clients.o")

heading("its functions")
x = np.arange(5, dtype="float32")
y = np.empty_like(x)
show("add_one", module.add_one, x, y)
print(y)
show("sizes differ", module.add_one, x, y[:3])
show("no vector", module.add_one, x.reshape(1, 5), y)
show("no tensor", module.add_one, 1, 2)
show("greet", module.greet, "you", 2)
show("greet by default", module.greet, "you", None)
show("greet a number", module.greet, 1, None)
show("invert", module.invert, {"one": 1, "two": 2, "three": 3}, ["two", "one"])
show("invert what is not there", module.invert, {"one": 1}, ["two"])
show("invert wrong values", module.invert, {"one": "1"}, ["one"])
for count in (0, 1, 3, 5, 100):
    numbers, table = tvm_ffi.List([9]), tvm_ffi.Dict({"nine": 9})
    module.grow(numbers, table, count)
    numbers.append(-1)
    numbers.insert(0, -2)
    del numbers[1:3]
    table["Python"] = count
    table.pop("key 1", None)
    module.grow(numbers, table, 3)
    print(count, len(numbers), numbers, table)
show("grow what is no number", module.grow, tvm_ffi.List(["text"]), tvm_ffi.Dict(), 1)
show("grow of no number", module.grow, tvm_ffi.List(), tvm_ffi.Dict({"k": "text"}), 1)
show("call", module.call, lambda *arguments: arguments, [1, "two", [3]])
show("call itself", module.call, module.greet, ["me", 1])

heading("errors that cross it")
for kind in ("ValueError", "RuntimeError", "Some.Kind"):
    show("fail", module.fail, kind, "because")
    show("caught", module.caught, lambda: module.fail(kind, "because"))
show("Python's, caught by C++", module.caught, lambda: {}["missing"])
show("Python's, through C++", module.call, lambda: [][0], [])
show("a plain exception", module.fail_plainly)
show("a plain exception, caught", module.caught, module.fail_plainly)
show("none", module.caught, lambda: None)

heading("its objects")
counter = show("made", module.make_counter, "clients")
print(counter.count, counter.name, counter.increase(5), counter.count)
counter.count = 10
print(counter, tvm_ffi.get_global_func("clients.count_all")([counter, counter]))
show("wrong type", setattr, counter, "count", "text")
show("read-only", setattr, counter, "name", "other")
show("of something else", tvm_ffi.get_global_func("clients.count_all"), [counter, 1])


@tvm_ffi.register_object("clients.Counter")
class Counter(tvm_ffi.Object):
    def __init__(self, count, name):
        self.__ffi_init__(count, name)


print(Counter(1, "Python"), isinstance(module.make_counter("x"), Counter))

heading("modules of modules")
other = tvm_ffi.cpp.load_inline("clients_other", cpp_sources="int64_t seven() { return 7; }", functions=["seven"], extra_cflags=["-O1"])
print(other["seven"](), other.seven())
show("before", lambda: module.get_function("seven", query_imports=True))
module.import_module(other)
print(len(module.imports), module.imports[0].same_as(other), module.implements_function("seven"), module.implements_function("seven", True))
print(module.get_function("seven", query_imports=True)())
show("in a circle", other.import_module, module)
show("itself", other.import_module, other)
module.clear_imports()
print(len(module.imports))
show("no entry", lambda: other())
show("a file that is not there", tvm_ffi.load_module, "/nowhere/lib.so")
show("a file without a suffix", tvm_ffi.load_module, "/nowhere/lib")
show("a file of no known kind", tvm_ffi.load_module, "/nowhere/lib.unknown")
system = tvm_ffi.system_lib()
print(system.kind, system.same_as(tvm_ffi.system_lib()), system.same_as(tvm_ffi.system_lib("prefix_")), system.imports)
show("a symbol that is not there", lambda: system.missing)
show("the testing library's", lambda: system.get_function("testing.add_one"))
kept = module.greet
del module, other
print(kept("still there", 1))

heading("streams")
for device in ("cpu:0", "cuda:0", "cuda:1", "ext_dev:5"):
    device = tvm_ffi.device(device)
    print(device, tvm_ffi.get_raw_stream(device))
    with tvm_ffi.use_raw_stream(device, 0x1000):
        print("  ", tvm_ffi.get_raw_stream(device))
        with tvm_ffi.use_raw_stream(device, 0x2000):
            print("  ", tvm_ffi.get_raw_stream(device), tvm_ffi.get_raw_stream(tvm_ffi.device("rocm:0")))
        print("  ", tvm_ffi.get_raw_stream(device))
    print("  ", tvm_ffi.get_raw_stream(device))
