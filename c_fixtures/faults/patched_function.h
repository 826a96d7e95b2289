/*
 * Faults in functions that the library makes for a type of a client's and registers as an attribute of the type.
 * `patch_attribute` puts a callee in the place of such a function's own, which `patched` knows by the callee's first
 * argument. The function object stays the one that the library has made, so nobody sees another.
 */
#ifndef TVM_FFI_PATCHED_FUNCTION_H_
#define TVM_FFI_PATCHED_FUNCTION_H_

#include "wrapped_global.h"

#include <pthread.h>

struct patched {
  void* function;
  TVMFFISafeCallType call;
  int32_t type_index;
};

static struct patched all_patched[4096];
static int32_t num_patched;
static pthread_mutex_t patch_lock = PTHREAD_MUTEX_INITIALIZER;

/** The function of this handle as the library has made it; NULL, with an error raised, if it was never patched. */
static inline const struct patched* patched(void* handle) {
  int32_t i = __atomic_load_n(&num_patched, __ATOMIC_ACQUIRE) - 1;
  while (i >= 0 && all_patched[i].function != handle) --i;
  if (i >= 0) return &all_patched[i];
  refuse("InternalError", "no such function");
  return NULL;
}

/** Has the type's function in this column call something else, if there is one. */
static inline void patch_attribute(int32_t type_index, const char* attribute, TVMFFISafeCallType callee) {
  const TVMFFIByteArray name = {attribute, strlen(attribute)};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  const int32_t index = type_index - column->begin_index;
  if (index < 0 || index >= column->size || column->data[index].type_index != kTVMFFIFunction) return;
  pthread_mutex_lock(&patch_lock);
  const int32_t place = num_patched;
  if (place < 4096) {
    TVMFFIFunctionCell* cell = (TVMFFIFunctionCell*)(column->data[index].v_obj + 1);
    all_patched[place] = (struct patched){column->data[index].v_obj, cell->safe_call, type_index};
    __atomic_store_n(&num_patched, place + 1, __ATOMIC_RELEASE);
    cell->safe_call = callee;
  }
  pthread_mutex_unlock(&patch_lock);
}

/**
 * Defines a callee for `WRAPPED_GLOBAL("ffi._PyClassRegisterTypeAttrColumns", NAME)` that has the function in this column of
 * each class that is registered call something else.
 */
#define PATCHES_CLASSES(NAME, ATTRIBUTE, CALLEE)                                                   \
  static int NAME(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {    \
    int code = call_original(original, args, num_args, result);                                    \
    if (code == 0) patch_attribute((int32_t)args[0].v_int64, ATTRIBUTE, CALLEE);                   \
    return code;                                                                                   \
  }

#endif /* TVM_FFI_PATCHED_FUNCTION_H_ */
