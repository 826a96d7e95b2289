/*
 * What a fault is written with. A fault is a library that is broken on purpose: one small C file that defines one or a
 * few functions of the ABI anew. Every function that it does not define is passed on to the reference, and so is what a
 * fault calls through `real`.
 *
 *   // story: One line that says what is wrong with this library.
 *   // breaks: STR-0001 fail             what it is about, a clause or a few, and how: fail, crash, timeout or leak
 *   // lacks: TVMFFIEnvCheckSignals      optional: functions that the library does not export at all
 *
 *   // chance: Freed memory is used      optional: why what else it breaks differs from run to run; then only the head counts
 *
 * What else the suite reports of it stands in consequences.toml, which the test of the faults writes.
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

/**
 * A C++ function of the reference, by its mangled name. Faults define such functions under these names, as they are called:
 * a result that is no plain value is written to an address that comes first, and answered; what is thrown passes through.
 */
extern void* real_cxx(const char* name);

#endif /* TVM_FFI_FAULT_H_ */
