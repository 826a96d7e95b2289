/*
 * What a caller of the legacy generation is written with: as callers/caller.h, for `tvm/runtime/c_runtime_api.h`. A caller is a C
 * function that calls the target as a client or generated code would, states what it expects, and stops at the first
 * expectation that is not met. What it holds at that moment is not released: it runs in a process that is thrown away.
 */
#ifndef TVM_LEGACY_CALLER_H_
#define TVM_LEGACY_CALLER_H_

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/runtime/c_runtime_api.h>

/** The suite, as a caller sees it. The texts that it is given are copied. */
struct caller {
  /** The first argument of the functions. */
  void* context;
  /** From here on the caller decides this clause. */
  void (*clause)(void* context, const char* id);
  /** The caller is about to make this call. */
  void (*enter)(void* context, const char* call);
  /** The call has returned. */
  void (*leave)(void* context);
  /** An expectation was not met. */
  void (*unmet)(void* context, const char* what, const char* expected, const char* got);
  /** The folder of the libraries that were compiled from operators/. */
  const char* operators;
};

/**
 * Declares a caller: `CALLER(name) { … return 0; }`. The comment right above it is its sentence: what a conforming target
 * does. Its clauses are those of its CLAUSE lines; the first line names what it is about.
 */
#define CALLER(name)                              \
  TVM_DLL int caller_##name(struct caller* t); \
  int caller_##name(struct caller* t)

/** From here on the caller decides this clause. */
#define CLAUSE(t, id) (t)->clause((t)->context, id)

/** Evaluates an expression that calls the target; if the process dies in it, the suite shows its text. */
#define CALL(t, expression)                 \
  do {                                      \
    (t)->enter((t)->context, #expression); \
    expression;                             \
    (t)->leave((t)->context);               \
  } while (0)

/** Makes a call that has to answer 0. */
#define CHECK_OK(t, call)                                                                              \
  do {                                                                                                 \
    int code_of_call;                                                                                  \
    CALL(t, code_of_call = (call));                                                                    \
    if (code_of_call != 0) {                                                                           \
      const char* text = TVMGetLastError();                                                            \
      (t)->unmet((t)->context, #call, "0", text ? text : "a failure without a text");                  \
      return 1;                                                                                        \
    }                                                                                                  \
  } while (0)

/** Makes a call that has to answer -1, with a text that contains this; NULL accepts every text. */
#define CHECK_FAILS(t, call, part)                                   \
  do {                                                               \
    int code_of_call;                                                \
    CALL(t, code_of_call = (call));                                  \
    if (!caller_eq_int(t, #call, code_of_call, -1)) return 1;        \
    if (!caller_contains(t, #call, TVMGetLastError(), part)) return 1; \
  } while (0)

/** Expects an integer. */
#define CHECK_EQ_INT(t, what, got, expected)                                     \
  do {                                                                           \
    if (!caller_eq_int((t), what, (int64_t)(got), (int64_t)(expected))) return 1; \
  } while (0)

/** Expects an address. */
#define CHECK_EQ_PTR(t, what, got, expected) \
  CHECK_EQ_INT(t, what, (intptr_t)(got), (intptr_t)(expected))

/** Expects any address but NULL. */
#define CHECK_NOT_NULL(t, what, got)                                        \
  do {                                                                      \
    if ((got) == NULL) {                                                    \
      (t)->unmet((t)->context, what, "an address", "NULL");                 \
      return 1;                                                             \
    }                                                                       \
  } while (0)

/** Expects something to be so. */
#define CHECK(t, what, condition)                                         \
  do {                                                                    \
    if (!(condition)) {                                                   \
      (t)->unmet((t)->context, what, #condition, "that it is not so"); \
      return 1;                                                           \
    }                                                                     \
  } while (0)

/** Expects a text to be this one. */
#define CHECK_TEXT(t, what, got, expected)                          \
  do {                                                              \
    if (!caller_eq_text((t), what, (got), (expected))) return 1;     \
  } while (0)

/** Expects a text to contain this. */
#define CHECK_CONTAINS(t, what, got, part)                      \
  do {                                                          \
    if (!caller_contains((t), what, (got), (part))) return 1;    \
  } while (0)

static inline int caller_eq_int(struct caller* t, const char* what, int64_t got, int64_t expected) {
  char wanted[24], found[24];
  if (got == expected) return 1;
  snprintf(wanted, sizeof(wanted), "%" PRId64, expected);
  snprintf(found, sizeof(found), "%" PRId64, got);
  t->unmet(t->context, what, wanted, found);
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

/** Where a library that was compiled from operators/ lies. */
static inline const char* operators_of(struct caller* t, const char* name) {
  static char path[4096];
  snprintf(path, sizeof(path), "%s/%s.so", t->operators, name);
  return path;
}

#endif /* TVM_LEGACY_CALLER_H_ */
