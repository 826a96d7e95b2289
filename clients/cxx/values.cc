// Values and functions of C++: conversions of Any and AnyView, optional and expected results, tensors, functions that are handed back
// and forth, and errors that are thrown on one side and caught on the other.
#include "show.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using ffi::Any;
using ffi::AnyView;
using ffi::Array;
using ffi::Error;
using ffi::Expected;
using ffi::Function;
using ffi::Map;
using ffi::Optional;
using ffi::String;

namespace {

std::vector<Any> Everything() {
  return {nullptr, true, -1, std::numeric_limits<int64_t>::max(), 2.5, String("short"), String("a longer string"),
          ffi::Bytes("bytes"), DLDataType{kDLFloat, 32, 4}, DLDevice{kDLCUDA, 3}, ffi::Shape({1, 2, 3}), Array<Any>{1, String("two")},
          Map<Any, Any>{{1, 2}}, ffi::List<Any>{1}, ffi::Dict<Any, Any>{{1, 2}}, Function::FromTyped([](int64_t x) { return x; }),
          static_cast<void*>(nullptr)};
}

template <typename T>
void Casts(const char* name) {
  Heading(std::string("casts to ") + name);
  for (const Any& value : Everything()) {
    std::cout << value.GetTypeKey() << ": ";
    Show("cast", [&] { return Any(value.cast<T>()); });
    auto tried = value.try_cast<T>();
    auto exact = value.as<T>();
    std::cout << "   tried: " << tried.has_value() << " exactly: " << exact.has_value() << std::endl;
  }
}

void Texts() {
  Heading("strings, big and small");
  for (std::string text : {"", "1234567", "12345678", "a\0b"}) {
    String string(text);
    Any any = string;
    std::cout << any.type_index() << " " << string.size() << " " << string << " " << (string == text) << " " << (string < "2") << std::endl;
    AnyView view = string.c_str();
    std::cout << "   " << view.type_index() << " " << Any(view).type_index() << " " << view.cast<String>() << std::endl;
  }
  Show("joined", [] { return String("left ") + String("right") + "!"; });
  for (std::string text : {"float32", "int8x4", "bool", "bfloat16", "float8_e4m3fn", "void", "handle", "", "nonsense", "int0x", "uint1"}) {
    Show("dtype " + text, [&] { return Any(ffi::StringToDLDataType(text)); });
    Show("   back", [&] { return ffi::DLDataTypeToString(ffi::StringToDLDataType(text)); });
    Show("   from a string argument", [&] { return Any(String(text)).cast<DLDataType>(); });
  }
}

struct Allocator {
  void AllocData(DLTensor* tensor) { tensor->data = std::calloc(64, sizeof(float)); }
  void FreeData(DLTensor* tensor) { std::free(tensor->data); }
};

void Tensors() {
  Heading("tensors");
  ffi::Tensor tensor = ffi::Tensor::FromNDAlloc(Allocator(), {2, 3}, DLDataType{kDLFloat, 32, 1}, DLDevice{kDLCPU, 0});
  std::cout << tensor.shape() << " " << tensor.strides()[0] << " " << tensor.numel() << " " << tensor.IsContiguous() << std::endl;
  Show("printed", [&] { return tensor; });
  DLManagedTensor* exported = tensor.ToDLPack();
  std::cout << tensor.use_count() << std::endl;
  ffi::Tensor imported = ffi::Tensor::FromDLPack(exported);
  std::cout << (imported.data_ptr() == tensor.data_ptr()) << " " << imported.shape() << std::endl;
  imported = ffi::Tensor::FromDLPackVersioned(tensor.ToDLPackVersioned(), 8, true);
  DLTensor turned = *tensor.GetDLTensorPtr();
  int64_t shape[] = {3, 2}, strides[] = {1, 3};
  turned.shape = shape;
  turned.strides = strides;
  ffi::Tensor view = tensor.as_strided({3, 2}, {1, 3});
  std::cout << view.shape() << " " << view.IsContiguous() << " " << tensor.use_count() << std::endl;
  Show("as a view", [&] { return Any(AnyView(&turned).cast<ffi::TensorView>().shape()[0]); });
  Show("kept", [&] { return Any(AnyView(&turned)).cast<ffi::Tensor>(); });
}

Expected<int64_t> Half(int64_t x) {
  if (x % 2) return ffi::Unexpected(Error("ValueError", "odd", ""));
  return x / 2;
}

void Functions() {
  Heading("functions");
  Function add = Function::FromTyped([](int64_t a, int64_t b) { return a + b; }, "add");
  Show("called", [&] { return add(1, 2); });
  Show("too few", [&] { return add(1); });
  Show("wrong type", [&] { return add(1, "two"); });
  Show("a bool and a float", [&] { return add(true, 2.5); });
  Function packed = Function::FromPacked([](ffi::PackedArgs args, Any* result) { *result = args.size(); });
  Show("packed", [&] { return packed(1, "two", nullptr, 3.5); });
  ffi::TypedFunction<String(String, Optional<int64_t>)> typed = [](String s, Optional<int64_t> n) { return s + std::to_string(n.value_or(-1)); };
  Show("typed", [&] { return typed("n = ", 5); });
  Show("typed, without", [&] { return typed("n = ", std::nullopt); });
  Show("higher", [] {
    return Function::FromTyped([](Function f, Array<Any> xs) {
      Array<Any> result;
      for (Any x : xs) result.push_back(f(x));
      return result;
    })(Function::FromTyped([](int64_t x) { return x * 2; }), Array<Any>{1, 2, 3});
  });
  Function half = Function::FromTyped(Half, "half");
  Show("expected", [&] { return half(4); });
  Show("unexpected", [&] { return half(5); });
  auto result = half.CallExpected<int64_t>(5);
  std::cout << result.is_ok() << " " << result.error().message() << " " << half.CallExpected<int64_t>(8).value() << std::endl;
  Function::SetGlobal("clients.add", add);
  Show("global", [] { return Function::GetGlobalRequired("clients.add")(20, 22); });
  Show("again", [&] { Function::SetGlobal("clients.add", add); });
  Show("overridden", [&] { Function::SetGlobal("clients.add", packed, true); });
  Show("missing", [] { return Function::GetGlobalRequired("clients.missing"); });
  std::cout << Function::GetGlobal("clients.missing").has_value() << " ";
  Function::RemoveGlobal("clients.add");
  std::cout << Function::GetGlobal("clients.add").has_value() << std::endl;
  Array<Any> array{1, 2};
  const void* address = array.get();
  Function take = Function::FromTyped([&](ffi::RValueRef<Array<Any>> moved) {
    Array<Any> taken = *std::move(moved);
    return taken.get() == address && taken.use_count() == 1;
  });
  Show("moved in", [&] { return take(ffi::RValueRef<Array<Any>>(std::move(array))); });
  std::cout << array.defined() << std::endl;
}

void Errors() {
  Heading("errors");
  Function thrower = Function::FromTyped([](String kind) { throw Error(kind, "thrown as " + std::string(kind), "  the first frame\n"); });
  for (std::string kind : {"ValueError", "TypeError", "Some.Kind", ""}) {
    try {
      thrower(kind);
    } catch (const Error& error) {
      std::cout << error.kind() << " | " << error.message() << " | " << error.what() << " | " << !error.backtrace().empty() << std::endl;
    }
  }
  Function nested = Function::FromTyped([&](String kind) {
    try {
      thrower(kind);
    } catch (const Error& cause) {
      throw Error("RuntimeError", "outer", "", cause, Array<Any>{1, 2});
    }
  });
  try {
    Function::FromTyped([&] { nested("ValueError"); })();
  } catch (const Error& error) {
    std::cout << error.kind() << ": " << error.message() << ", cause " << error.cause_chain().value().message() << ", context "
              << Text(Any(error.extra_context().value())) << std::endl;
  }
  Show("a standard exception", [] { Function::FromTyped([] { throw std::out_of_range("plain"); })(); });
  Show("a check", [] { TVM_FFI_CHECK(1 + 1 == 3, ValueError) << "sums"; });
  Show("an internal check", [] { TVM_FFI_ICHECK_EQ(1 + 1, 3) << "sums"; });
  Show("as a value", [&] {
    Any value = Error("KeyError", "a value", "");
    return Any(String(value.cast<Error>().message()));
  });
  Show("raised and caught often", [&] {
    int64_t count = 0;
    for (int i = 0; i < 1000; ++i) {
      try {
        thrower("ValueError");
      } catch (const Error& error) {
        count += error.use_count();
      }
    }
    return Any(count);
  });
}

}  // namespace

int main() {
  Casts<bool>("bool");
  Casts<int64_t>("int64_t");
  Casts<int32_t>("int32_t");
  Casts<double>("double");
  Casts<String>("String");
  Casts<ffi::Bytes>("Bytes");
  Casts<DLDevice>("DLDevice");
  Casts<Array<Any>>("Array");
  Casts<Map<Any, Any>>("Map");
  Casts<ffi::Shape>("Shape");
  Casts<Function>("Function");
  Casts<Optional<int64_t>>("Optional<int64_t>");
  Casts<ffi::ObjectRef>("ObjectRef");
  Casts<ffi::Variant<int64_t, String>>("Variant<int64_t, String>");
  Texts();
  Tensors();
  Functions();
  Errors();
}
