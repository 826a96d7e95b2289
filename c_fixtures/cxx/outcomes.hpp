/*
 * What calls in C++ come to, and whether two come to the same.
 */
#ifndef TVM_FFI_FIXTURES_CXX_OUTCOMES_H_
#define TVM_FFI_FIXTURES_CXX_OUTCOMES_H_

#include "caller.hpp"

namespace tvm {
namespace ffi {

/** What is asked for as a text, or that an Error is thrown, whose kind is for other clauses to say. */
template <typename Ask>
inline std::string TextOutcome(Ask ask) {
  try {
    return "the answer " + std::string(ask());
  } catch (const Error&) {
    return "an Error";
  }
}

template <typename Ask>
inline std::string Outcome(Ask ask) {
  return TextOutcome([&] { return std::to_string(ask()); });
}

/** What a global function that compares answers, as an outcome, without throwing what it raises. */
inline std::string ComparedByName(const char* name, const Any& left, const Any& right) {
  TVMFFIByteArray bytes = text_of(name);
  TVMFFIObjectHandle function = nullptr, raised = nullptr;
  if (TVMFFIFunctionGetGlobal(&bytes, &function) != 0 || !function) throw Error("LookupError", name);
  ObjectRef held(function);
  TVMFFIAny arguments[] = {left.get(), right.get()}, answer = {};
  if (TVMFFIFunctionCall(function, arguments, 2, &answer) == 0) return "the answer " + std::to_string(answer.v_int64 != 0);
  TVMFFIErrorMoveFromRaised(&raised);
  ObjectRef error(raised);
  return "an Error";
}

/** Whether two access paths have the same steps, by the method that their type has for that. */
inline bool SamePath(const TVMFFIAny& one, const TVMFFIAny& other) {
  const TVMFFITypeInfo* type = TVMFFIGetTypeInfo(one.type_index);
  for (int32_t i = 0; one.type_index == other.type_index && i < type->num_methods; ++i) {
    const TVMFFIMethodInfo& method = type->methods[i];
    if (std::string(method.name.data, method.name.size) != "_path_equal") continue;
    TVMFFIAny arguments[] = {one, other}, answer = {};
    return TVMFFIFunctionCall(method.method.v_obj, arguments, 2, &answer) == 0 && answer.v_int64 != 0;
  }
  return false;
}

/** Whether two Arrays hold the same access paths. */
inline bool SamePaths(const Any& one, const Any& other) {
  auto cell = [](const Any& array) { return reinterpret_cast<const TVMFFISeqCell*>(array.get().v_obj + 1); };
  if (one.get().type_index != kTVMFFIArray || other.get().type_index != kTVMFFIArray) return false;
  if (cell(one)->size != cell(other)->size) return false;
  auto path = [&](const Any& array, int64_t at) { return static_cast<const TVMFFIAny*>(cell(array)->data)[at]; };
  for (int64_t i = 0; i < cell(one)->size; ++i) {
    if (!SamePath(path(one, i), path(other, i))) return false;
  }
  return true;
}

}  // namespace ffi
}  // namespace tvm

#endif
