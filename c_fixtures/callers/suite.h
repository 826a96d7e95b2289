/*
 * The suite, as a caller sees it, whatever generation of the ABI it is written for. A caller is a C function that calls the
 * target as a client would, states what it expects, and stops at the first expectation that is not met. Callers are
 * compiled twice, as C11 and as C++17, so they keep to what both languages have.
 *
 * Macros take `t`, the suite as the caller sees it, and end the caller when an expectation is not met. What a caller
 * holds at that moment is not released: it runs in a process that is thrown away.
 */
#ifndef TVM_FFI_CALLER_SUITE_H_
#define TVM_FFI_CALLER_SUITE_H_

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#define CALLER_LINKAGE extern "C"
#else
#define CALLER_LINKAGE
#endif

/** The suite, as a caller sees it. The text that it is given is copied. */
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
  /** The folder of the fixtures, for callers that load some. */
  const char* fixtures;
};

/**
 * Declares a caller: `CALLER(name) { … return 0; }`.
 *
 * The first paragraph of the comment right above it is its sentence: what a conforming target does. Its clauses are those
 * of its CLAUSE lines; the first line names what it is about.
 */
#define CALLER(name)                                                                         \
  CALLER_LINKAGE __attribute__((visibility("default"))) int caller_##name(struct caller* t); \
  int caller_##name(struct caller* t)

/* ---- Expectations ------------------------------------------------------------------------------------------------ */

/** From here on the caller decides this clause. */
#define CLAUSE(t, id) (t)->clause((t)->context, id)

/** Evaluates an expression that calls the target; if the process dies in it, the suite shows its text. */
#define CALL(t, expression)                 \
  do {                                      \
    (t)->enter((t)->context, #expression); \
    expression;                             \
    (t)->leave((t)->context);               \
  } while (0)

/** Makes a call that has to answer 0; `caller_ok` of the generation shows the error. */
#define CHECK_OK(t, call)                       \
  do {                                          \
    int code_of_call;                           \
    (t)->enter((t)->context, #call);           \
    code_of_call = (call);                      \
    (t)->leave((t)->context);                   \
    if (!caller_ok((t), code_of_call)) return 1; \
  } while (0)

/** Makes a call that has to fail, with an error that `caller_fails` of the generation makes of this; NULL accepts every error. */
#define CHECK_FAILS(t, call, kind)                       \
  do {                                                   \
    int code_of_call;                                    \
    (t)->enter((t)->context, #call);                    \
    code_of_call = (call);                               \
    (t)->leave((t)->context);                            \
    if (!caller_fails((t), code_of_call, kind)) return 1; \
  } while (0)

/** Expects an integer. */
#define CHECK_EQ_INT(t, what, got, expected)                                         \
  do {                                                                               \
    if (!caller_eq_int((t), what, (int64_t)(got), (int64_t)(expected))) return 1;     \
  } while (0)

/** Expects an address. */
#define CHECK_EQ_PTR(t, what, got, expected)                                             \
  do {                                                                                   \
    if (!caller_eq_ptr((t), what, (const void*)(got), (const void*)(expected))) return 1; \
  } while (0)

/** Expects any address but NULL. */
#define CHECK_NOT_NULL(t, what, got)                                  \
  do {                                                                \
    if (!caller_not_null((t), what, (const void*)(got))) return 1;     \
  } while (0)

static inline int caller_eq_int(struct caller* t, const char* what, int64_t got, int64_t expected) {
  char got_text[24], expected_text[24];
  if (got == expected) return 1;
  snprintf(got_text, sizeof(got_text), "%" PRId64, got);
  snprintf(expected_text, sizeof(expected_text), "%" PRId64, expected);
  t->unmet(t->context, what, expected_text, got_text);
  return 0;
}

static inline int caller_eq_ptr(struct caller* t, const char* what, const void* got, const void* expected) {
  char got_text[24], expected_text[24];
  if (got == expected) return 1;
  snprintf(got_text, sizeof(got_text), "%p", got);
  snprintf(expected_text, sizeof(expected_text), "%p", expected);
  t->unmet(t->context, what, expected_text, got_text);
  return 0;
}

static inline int caller_not_null(struct caller* t, const char* what, const void* got) {
  if (got) return 1;
  t->unmet(t->context, what, "not NULL", "NULL");
  return 0;
}

#endif /* TVM_FFI_CALLER_SUITE_H_ */
