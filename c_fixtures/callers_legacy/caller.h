/* What a caller of the legacy generation is written with: `tvm/runtime/c_runtime_api.h`, and errors that are texts. */
#ifndef TVM_LEGACY_CALLER_H_
#define TVM_LEGACY_CALLER_H_

#include <tvm/runtime/c_runtime_api.h>

#include "suite.h"

/** Expects something to be so. */
#define CHECK(t, what, condition)                                      \
  do {                                                                 \
    if (!(condition)) {                                                \
      (t)->unmet((t)->context, what, #condition, "that it is not so"); \
      return 1;                                                        \
    }                                                                  \
  } while (0)

/** Expects a text to be this one. */
#define CHECK_TEXT(t, what, got, expected)                       \
  do {                                                           \
    if (!caller_eq_text((t), what, (got), (expected))) return 1; \
  } while (0)

/** Expects a text to contain this. */
#define CHECK_CONTAINS(t, what, got, part)                     \
  do {                                                         \
    if (!caller_contains((t), what, (got), (part))) return 1; \
  } while (0)

static inline int caller_ok(struct caller* t, int code) {
  const char* text = code == 0 ? NULL : TVMGetLastError();
  if (code == 0) return 1;
  t->unmet(t->context, "return value", "0", text ? text : "a failure without a text");
  return 0;
}

static inline int caller_eq_text(struct caller* t, const char* what, const char* got, const char* expected) {
  if (got && strcmp(got, expected) == 0) return 1;
  t->unmet(t->context, what, expected, got ? got : "NULL");
  return 0;
}

static inline int caller_contains(struct caller* t, const char* what, const char* got, const char* part) {
  if (!part || (got && strstr(got, part))) return 1;
  t->unmet(t->context, what, part, got ? got : "NULL");
  return 0;
}

/** A call that fails answers -1, with a text that contains this. */
static inline int caller_fails(struct caller* t, int code, const char* part) {
  return caller_eq_int(t, "return value", code, -1) && caller_contains(t, "text of the error", TVMGetLastError(), part);
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static inline TVMValue value_of_int(int64_t v) {
  TVMValue value;
  value.v_int64 = v;
  return value;
}

static inline TVMValue value_of_handle(void* handle) {
  TVMValue value;
  value.v_handle = handle;
  return value;
}

static inline TVMValue value_of_text(const char* text) {
  TVMValue value;
  value.v_int64 = 0;
  value.v_str = text;
  return value;
}

/** How many references there are to an object, as its header says. */
static inline int count_of(void* object) { return __atomic_load_n((int32_t*)object + 1, __ATOMIC_ACQUIRE); }

/** The object around an array. */
static inline void* object_of(TVMArrayHandle array) { return (char*)array - 16; }

/** Calls a global function; -2 if there is none. */
static inline int call_global(const char* name, TVMValue* args, int* codes, int count, TVMValue* ret, int* code) {
  TVMFunctionHandle function = NULL;
  int answer;
  if (TVMFuncGetGlobal(name, &function) != 0 || !function) return -2;
  answer = TVMFuncCall(function, args, codes, count, ret, code);
  TVMFuncFree(function);
  return answer;
}

/** A String object of a text, or NULL. */
static inline TVMObjectHandle string_object(const char* text) {
  TVMValue arg = value_of_text(text), ret;
  int code = kTVMStr, ret_code = -1;
  if (call_global("runtime.String", &arg, &code, 1, &ret, &ret_code) != 0) return NULL;
  return ret_code == kTVMObjectHandle ? ret.v_handle : NULL;
}

/** Where a library that was compiled from operators_legacy/ lies. */
static inline const char* operators_of(struct caller* t, const char* name) {
  static char path[4096];
  snprintf(path, sizeof(path), "%s/legacy_%s.so", t->fixtures, name);
  return path;
}

#endif /* TVM_LEGACY_CALLER_H_ */
