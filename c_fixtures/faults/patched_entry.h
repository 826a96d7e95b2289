/*
 * Faults in functions that stand in an attribute column when the library has been loaded:
 *
 *   PATCHED_ENTRY("__ffi_convert__", "ffi.Shape", callee)   the function of this type in this column
 *
 * A function with the callee, whose first argument is the original, takes its place in the column itself, once and for all, so everybody
 * sees one and the same. Where there is no such type or function nothing changes.
 */
#ifndef TVM_FFI_PATCHED_ENTRY_H_
#define TVM_FFI_PATCHED_ENTRY_H_

#include "wrapped_global.h"

#include <pthread.h>

/** What a type has in a column, if it is of that kind; NULL if not. */
static inline TVMFFIAny* column_entry(const char* attribute, const char* type_key, int32_t type_index) {
  const TVMFFIByteArray name = {attribute, strlen(attribute)}, key = {type_key, strlen(type_key)};
  int32_t index;
  if (real.TVMFFITypeKeyToIndex(&key, &index) != 0) return NULL;
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  if (!column || index < column->begin_index || index - column->begin_index >= column->size) return NULL;
  TVMFFIAny* entry = (TVMFFIAny*)&column->data[index - column->begin_index];
  return entry->type_index == type_index ? entry : NULL;
}

static inline void patch_entry(const char* attribute, const char* type_key, TVMFFISafeCallType callee) {
  TVMFFIAny* entry = column_entry(attribute, type_key, kTVMFFIFunction);
  TVMFFIObjectHandle made = NULL;
  if (!entry) return;
  if (real.TVMFFIFunctionCreate(entry->v_obj, callee, NULL, &made) == 0) entry->v_obj = made;
}

#define PATCHED_ENTRY(ATTRIBUTE, TYPE_KEY, CALLEE)                                      \
  static void patch(void) { patch_entry(ATTRIBUTE, TYPE_KEY, CALLEE); }                 \
  PATCHED_ONCE(patch)

/** Has columns patched before the first is looked at. */
#define PATCHED_ONCE(PATCH)                                                             \
  const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {    \
    static pthread_once_t once = PTHREAD_ONCE_INIT;                                     \
    pthread_once(&once, PATCH);                                                         \
    return real.TVMFFIGetTypeAttrColumn(name);                                          \
  }

#endif /* TVM_FFI_PATCHED_ENTRY_H_ */
