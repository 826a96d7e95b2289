/* The recursive functions of C++, compared with the global functions of the same name. */
#include "outcomes.hpp"
#include "samples.hpp"

#include <functional>

using namespace tvm::ffi;

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
