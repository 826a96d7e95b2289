/*
 * Faults in global functions, for everybody who looks them up:
 *
 *   WRAPPED_GLOBAL("ffi.Array", callee)                    puts a function with the callee in the place of this one
 *   WRAPPED_GLOBALS(callee, "ffi.Array", "ffi.List")       the same for several
 *   MISSING_GLOBALS("ffi.Array", "ffi.List")               they are not found
 *
 * The callee's first argument is the original. Each defines TVMFFIFunctionGetGlobal, so a fault has one of them, and
 * `src/faults/reach.rs` reads from it which look-ups the fault changes.
 *
 * What is no call goes to the original, which refuses it, unless CALLEE_MEETS_MISUSE is defined before this is included.
 */
#ifndef TVM_FFI_WRAPPED_GLOBAL_H_
#define TVM_FFI_WRAPPED_GLOBAL_H_

#include "fault.h"

#define WRAPPED_GLOBAL(NAME, CALLEE) WRAPPED_GLOBALS(CALLEE, NAME)

#define WRAPPED_GLOBALS(CALLEE, ...)                                                        \
  int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {       \
    static const char* const names[] = {__VA_ARGS__};                                       \
    static TVMFFIObjectHandle wrappers[sizeof(names) / sizeof(names[0])];                   \
    int code = real.TVMFFIFunctionGetGlobal(name, out);                                     \
    if (code != 0 || *out == NULL) return code;                                             \
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {                         \
      if (is(name, names[i])) return wrap_found(&wrappers[i], CALLEE, out);                 \
    }                                                                                       \
    return 0;                                                                               \
  }

#define MISSING_GLOBALS(...)                                                                \
  int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {       \
    static const char* const names[] = {__VA_ARGS__};                                       \
    int code = real.TVMFFIFunctionGetGlobal(name, out);                                     \
    if (code != 0 || *out == NULL) return code;                                             \
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {                         \
      if (!is(name, names[i])) continue;                                                    \
      real.TVMFFIObjectDecRef(*out);                                                        \
      *out = NULL;                                                                          \
      break;                                                                                \
    }                                                                                       \
    return 0;                                                                               \
  }

/** The call that the callee stands in for. */
static inline int call_original(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return real.TVMFFIFunctionCall(original, (TVMFFIAny*)args, num_args, result);
}

struct wrapped {
  TVMFFIObjectHandle original;
  TVMFFISafeCallType callee;
};

/** Whether this is no call: without a result, with one that holds an object, with less than 0 arguments, or NULL for them. */
static inline int is_no_call(const TVMFFIAny* args, int32_t num_args, const TVMFFIAny* result) {
  return num_args < 0 || (num_args > 0 && !args) || !result || result->type_index >= kTVMFFIStaticObjectBegin;
}

/** Calls the callee, if this is a call. */
static inline int call_wrapped(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct wrapped* wrapped = (const struct wrapped*)self;
#ifndef CALLEE_MEETS_MISUSE
  if (is_no_call(args, num_args, result)) return call_original(wrapped->original, args, num_args, result);
#endif
  return wrapped->callee(wrapped->original, args, num_args, result);
}

/**
 * Puts the one wrapper for all look-ups in the place of what was found. The first look-up makes it; it keeps the
 * original as long as the process lives.
 */
static inline int wrap_found(TVMFFIObjectHandle* place, TVMFFISafeCallType callee, TVMFFIObjectHandle* out) {
  TVMFFIObjectHandle wrapper = __atomic_load_n(place, __ATOMIC_ACQUIRE), made = NULL;
  if (!wrapper) {
    struct wrapped* wrapped = (struct wrapped*)malloc(sizeof(struct wrapped));
    if (!wrapped) return refuse("MemoryError", "no memory for a function");
    *wrapped = (struct wrapped){*out, callee};
    int code = real.TVMFFIFunctionCreate(wrapped, call_wrapped, free, &made);
    if (code != 0) return free(wrapped), code;
    if (__atomic_compare_exchange_n(place, &wrapper, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      wrapper = made;
    } else {
      /* Another thread was faster. */
      real.TVMFFIObjectDecRef(made);
      made = NULL;
    }
  }
  if (!made) real.TVMFFIObjectDecRef(*out);
  real.TVMFFIObjectIncRef(wrapper);
  *out = wrapper;
  return 0;
}

/** Calls a global function of the reference. */
static inline int call_global(const char* function, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIByteArray name = {function, strlen(function)};
  TVMFFIObjectHandle found = NULL;
  if (real.TVMFFIFunctionGetGlobal(&name, &found) != 0 || found == NULL) return -1;
  int code = call_original(found, args, num_args, result);
  real.TVMFFIObjectDecRef(found);
  return code;
}

static inline TVMFFISeqCell* sequence_cell(const TVMFFIAny* sequence) {
  return (TVMFFISeqCell*)(sequence->v_obj + 1);
}

#endif /* TVM_FFI_WRAPPED_GLOBAL_H_ */
