/*
 * What a fault of the legacy generation is written with, in the place of `faults/fault.h`, which says what a fault is. Its head lists
 * every clause that the suite reports.
 */
#ifndef TVM_LEGACY_FAULT_H_
#define TVM_LEGACY_FAULT_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/runtime/c_runtime_api.h>

/* Written when a fault is built: struct fault_functions, with a pointer for every function under its own name. */
#include "fault_functions.h"

/** The functions of the reference of the generation. */
extern struct fault_functions real;

#endif /* TVM_LEGACY_FAULT_H_ */
