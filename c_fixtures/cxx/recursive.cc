/* The recursive functions of C++, compared with the global functions of the same name. */
#include "outcomes.hpp"
#include "samples.hpp"

#include <cstdlib>
#include <functional>
#include <optional>

using namespace tvm::ffi;

namespace {

/** Has a variable of the environment be this text, or not be there, for a while. */
struct Environment {
  Environment(const char* name, const char* text) : name(name) {
    if (const char* there = getenv(name)) before = there;
    Put(text);
  }
  ~Environment() { Put(before ? before->c_str() : nullptr); }
  void Put(const char* text) const { text ? setenv(name, text, 1) : unsetenv(name); }
  const char* name;
  std::optional<std::string> before;
};

std::string PrintedByName(const Any& value) {
  return TextOutcome([&] { return String::TextOf(CallGlobal("ffi.ReprPrint", {value})); });
}

std::string Printed(const Any& value) {
  return TextOutcome([&] { return ReprPrint(value).text(); });
}

/** A function that gives every data type of a client's the same name. */
template <char kLetter>
int NameOfType(void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  *result = {};
  result->type_index = kTVMFFISmallStr;
  result->small_str_len = 1;
  result->v_bytes[0] = kLetter;
  return 0;
}

}  // namespace

/**
 * ReprPrint, RecursiveHash and the five RecursiveX comparisons answer what the global functions of these names answer.
 */
CXX_CALLER(recursive) {
  CLAUSE(t, "CXX-0011");
  NEEDS(t, "_ZN3tvm3ffi9ReprPrintERKNS0_3AnyE");
  NEEDS(t, "_ZN3tvm3ffi13RecursiveHashERKNS0_3AnyE");
  NEEDS(t, "_ZN3tvm3ffi11RecursiveEqERKNS0_3AnyES3_");
  NEEDS(t, "_ZN3tvm3ffi11RecursiveLtERKNS0_3AnyES3_");
  NEEDS(t, "_ZN3tvm3ffi11RecursiveLeERKNS0_3AnyES3_");
  NEEDS(t, "_ZN3tvm3ffi11RecursiveGtERKNS0_3AnyES3_");
  NEEDS(t, "_ZN3tvm3ffi11RecursiveGeERKNS0_3AnyES3_");
  struct {
    const char* name;
    bool (*ask)(const Any&, const Any&);
  } comparisons[] = {{"ffi.RecursiveEq", RecursiveEq},
                     {"ffi.RecursiveLt", RecursiveLt},
                     {"ffi.RecursiveLe", RecursiveLe},
                     {"ffi.RecursiveGt", RecursiveGt},
                     {"ffi.RecursiveGe", RecursiveGe}};
  // A value and another that was made like it are equal in many forms.
  std::vector<Any> values = Samples(), others = Samples();
  for (size_t at = 0; at < values.size(); ++at) {
    const Any& left = values[at];
    CHECK_TEXT(t, "text", TextOutcome([&] { return ReprPrint(left).text(); }),
               TextOutcome([&] { return String::TextOf(CallGlobal("ffi.ReprPrint", {left})); }));
    auto hash_by_name = [&] { return CallGlobal("ffi.RecursiveHash", {left}).get().v_int64; };
    CHECK_TEXT(t, "hash", Outcome([&] { return static_cast<int64_t>(RecursiveHash(left)); }), Outcome(hash_by_name));
    for (size_t further = 0; further < others.size(); ++further) {
      // An Error takes long to be thrown: where two that are unlike have no order, one of the four in turn says so.
      bool all = true, equal = false;
      for (size_t which = 0; which < 5 && all; ++which) {
        auto& comparison = comparisons[which == 0 ? 0 : 1 + (at + further + which) % 4];
        std::string expected = ComparedByName(comparison.name, left, others[further]);
        CHECK_TEXT(t, comparison.name, Outcome([&] { return comparison.ask(left, others[further]); }), expected);
        if (which == 0) equal = expected == "the answer 1";
        all = which == 0 || equal || expected != "an Error";
      }
    }
  }
  return 0;
}

/** ReprPrint prints what the global function ffi.ReprPrint prints, whatever the environment says of addresses at the time, and said before. */
CXX_CALLER(repr_follows_the_environment) {
  CLAUSE(t, "CXX-0011");
  NEEDS(t, "_ZN3tvm3ffi9ReprPrintERKNS0_3AnyE");
  std::vector<Any> values = Samples();
  values.push_back(Text("@0xab beside \"quotes\""));
  values.push_back(List({values.back(), List({Any::Of(5)})}));
  for (const char* wanted : {"1", "0", "", "true", "1", (const char*)nullptr}) {
    Environment environment("TVM_FFI_REPR_WITH_ADDR", wanted);
    for (const Any& value : values) CHECK_TEXT(t, wanted ? wanted : "no variable", Printed(value), PrintedByName(value));
  }
  return 0;
}

/** ReprPrint prints a data type of a client's as the global function ffi.ReprPrint does, whatever the client's functions call it at the time. */
CXX_CALLER(repr_follows_names_of_data_types) {
  CLAUSE(t, "CXX-0011");
  NEEDS(t, "_ZN3tvm3ffi9ReprPrintERKNS0_3AnyE");
  Any type;
  type.slot()->type_index = kTVMFFIDataType;
  type.slot()->v_dtype = DLDataType{200, 16, 1};
  TVMFFIByteArray name = text_of("dtype.get_custom_type_name");
  for (TVMFFISafeCallType call : {(TVMFFISafeCallType) nullptr, NameOfType<'a'>, NameOfType<'b'>, NameOfType<'a'>}) {
    if (call) {
      TVMFFIObjectHandle function = nullptr;
      CHECK_OK(t, TVMFFIFunctionCreate(nullptr, call, nullptr, &function));
      Any named = Any::Owning(function);
      CHECK_OK(t, TVMFFIFunctionSetGlobal(&name, function, 1));
    }
    CHECK_TEXT(t, "a data type", Printed(type), PrintedByName(type));
    CHECK_TEXT(t, "a data type in an Array", Printed(List({type})), PrintedByName(List({type})));
  }
  CallGlobal("ffi.FunctionRemoveGlobal", {Text("dtype.get_custom_type_name")});
  CHECK_TEXT(t, "a data type without a name", Printed(type), PrintedByName(type));
  return 0;
}

/** Raises an error as a function of a client's does. */
int RaiseKeyError(void*, const TVMFFIAny*, int32_t, TVMFFIAny*) {
  TVMFFIErrorSetRaisedFromCStr("KeyError", "by a function of the client's");
  return -1;
}

/** What a function of a client's raises within a C++ function is thrown by that with its kind and message, and no raised error is left behind. */
CXX_CALLER(thrown_error_of_a_function) {
  CLAUSE(t, "CXX-0009");
  NEEDS(t, "_ZN3tvm3ffi13RecursiveHashERKNS0_3AnyE");
  NEEDS(t, "_ZN3tvm3ffi11RecursiveEqERKNS0_3AnyES3_");
  NEEDS(t, "_ZN3tvm3ffi9ReprPrintERKNS0_3AnyE");
  TVMFFIByteArray key = text_of("verify.cxx.Raising");
  int32_t index = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  TVMFFIObjectHandle function = nullptr;
  CHECK_OK(t, TVMFFIFunctionCreate(nullptr, RaiseKeyError, nullptr, &function));
  Any raise = Any::Owning(function);
  for (const char* column : {"__ffi_hash__", "__ffi_eq__", "__ffi_repr__"}) {
    TVMFFIByteArray name = text_of(column);
    TVMFFIAny value = raise.get();
    CHECK_OK(t, TVMFFITypeRegisterAttr(index, &name, &value));
  }
  static TVMFFIObject objects[2];
  for (TVMFFIObject& object : objects) {
    object.combined_ref_count = (uint64_t{1} << 32) | 1000;
    object.type_index = index;
  }
  Any one = Any::Owning(&objects[0]), other = Any::Owning(&objects[1]);
  const std::function<void()> calls[] = {[&] { RecursiveHash(one); }, [&] { RecursiveEq(one, other); }, [&] { ReprPrint(one); }};
  for (const auto& call : calls) {
    std::string kind, message;
    try {
      call();
    } catch (const Error& error) {
      kind = error.kind();
      message = error.message();
    }
    CHECK_TEXT(t, "the kind of what was thrown", kind, std::string("KeyError"));
    CHECK_TRUE(t, message.find("by a function of the client's") != std::string::npos);
    TVMFFIObjectHandle raised = nullptr;
    TVMFFIErrorMoveFromRaised(&raised);
    CHECK_EQ_PTR(t, "the raised error after what was thrown", raised, NULL);
  }
  return 0;
}
