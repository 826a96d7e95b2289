// story: ffi.RecursiveEq compares twice if the first time has found the values equal; hooks in __ffi_eq__ and __ffi_compare__ are asked as often.
// admitted: HOK-0004 and HOK-0005 say what a hook decides and with what it is called, no sentence how often; an error of either time is the error of the call.
#include "compared_twice.h"

static void install(void) { put("ffi.RecursiveEq", twice); }
