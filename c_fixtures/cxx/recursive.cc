/* The recursive functions of C++, compared with the global functions of the same name. */
#include "outcomes.hpp"
#include "samples.hpp"

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
