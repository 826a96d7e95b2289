/*
 * Faults in what visitors and mutators that a client has made come to in the library.
 *
 *   PATCHED_NATIVE("__s_mutate__", "ffi.Bytes", callee)   the C function of this type in this column
 *
 * The callee takes its place, for those whose type is a child of the library's; for all others the original is called.
 */
#ifndef TVM_FFI_OWN_ENGINE_H_
#define TVM_FFI_OWN_ENGINE_H_

#include "patched_entry.h"

/** A function of a visitor or a mutator, or of a column of these. */
typedef TVMFFIAny (*engine_function)(TVMFFIObjectHandle engine, TVMFFIAny value);

/** Whether the engine is of a type that a client has made a child of `ffi.StructuralVisitor` or `ffi.StructuralMutator`. */
static inline int is_own(TVMFFIObjectHandle engine) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(((TVMFFIObject*)engine)->type_index);
  return info && info->type_depth > 1;
}

/** The table behind the header of an engine. */
static inline engine_function* engine_functions(TVMFFIObjectHandle engine) {
  return *(engine_function**)((TVMFFIObject*)engine + 1);
}

#define PATCHED_NATIVE(ATTRIBUTE, TYPE_KEY, CALLEE)                                     \
  static engine_function original_native;                                               \
  static TVMFFIAny patched(TVMFFIObjectHandle engine, TVMFFIAny value) {                \
    return (is_own(engine) ? CALLEE : original_native)(engine, value);                  \
  }                                                                                     \
  static void patch(void) {                                                             \
    TVMFFIAny* entry = column_entry(ATTRIBUTE, TYPE_KEY, kTVMFFIOpaquePtr);             \
    if (!entry) return;                                                                 \
    original_native = (engine_function)entry->v_ptr;                                    \
    entry->v_ptr = (void*)patched;                                                      \
  }                                                                                     \
  PATCHED_ONCE(patch)

#endif /* TVM_FFI_OWN_ENGINE_H_ */
