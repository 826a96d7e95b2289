/*
 * What a fault is written with. A fault is a library that is broken on purpose: one small C file that defines one or a
 * few functions of the ABI anew. Every function that it does not define is passed on to the reference, and so is what a
 * fault calls through `real`. The other headers in this folder are for what many faults do.
 *
 *   // story: One line that says what is wrong with this library.
 *   // breaks: STR-0001 fail             what it is about, a clause or a few, and how: fail, crash, timeout or leak
 *   // lacks: TVMFFIEnvCheckSignals      optional: functions that the library does not export at all
 *   // chance: Freed memory is used.     optional: why what else it breaks is not the same in each run
 *
 * What else the suite reports of it stands in consequences.toml, which the test of the faults writes. It is the same in
 * each run: what threads share is atomic, or has a lock. Where that cannot be, only the clauses in the head count.
 */
#ifndef TVM_FFI_FAULT_H_
#define TVM_FFI_FAULT_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

/* Written when a fault is built: struct fault_functions, with a pointer for every function under its own name. */
#include "fault_functions.h"

/** The functions of the reference. */
extern struct fault_functions real;

static inline int is(const TVMFFIByteArray* text, const char* other) {
  return text && text->size == strlen(other) && memcmp(text->data, other, text->size) == 0;
}

/** The text of a String in any form; of any other value, one of nothing. */
static inline TVMFFIByteArray text_of(const TVMFFIAny* value) {
  if (value->type_index == kTVMFFIRawStr) return (TVMFFIByteArray){value->v_c_str, strlen(value->v_c_str)};
  if (value->type_index == kTVMFFISmallStr) return (TVMFFIByteArray){value->v_bytes, value->small_str_len};
  if (value->type_index == kTVMFFIStr) return *(TVMFFIByteArray*)(value->v_obj + 1);
  return (TVMFFIByteArray){"", 0};
}

/** Allocates memory and forgets it. */
static inline void lose(size_t size) {
  void* lost = malloc(size);
  __asm__ volatile("" : : "r"(lost));
}

/** Raises an error, and answers what a function answers that has. */
static inline int refuse(const char* kind, const char* message) {
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

/**
 * A C++ function of the reference, by its mangled name. Faults define such functions under these names, as they are called:
 * a result that is no plain value is written to an address that comes first, and answered; what is thrown passes through.
 */
extern void* real_cxx(const char* name);

#endif /* TVM_FFI_FAULT_H_ */
