/*
 * What a fault of the legacy generation is written with: one small C file that defines one or a few functions anew. All that it does
 * not define is passed on to the reference of the generation, and so is what it calls through REAL.
 *
 *   // story: One line that says what is wrong with this library.
 *   // breaks: LEG-0010 fail         each clause that is then broken, and how: fail, crash or timeout; exactly these
 */
#ifndef TVM_LEGACY_FAULT_H_
#define TVM_LEGACY_FAULT_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/runtime/c_runtime_api.h>

/** The address of a function of the reference. */
extern void* real(const char* name);

/** A function of the reference, with its type. */
#define REAL(name) ((__typeof__(&name))real(#name))

#endif /* TVM_LEGACY_FAULT_H_ */
