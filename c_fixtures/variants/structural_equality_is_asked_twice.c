// story: ffi.StructuralEqual compares twice, the second time only if the first has found the values equal; hooks in __s_equal__ are asked as often.
// admitted: HOK-0001 says what a hook decides and with what it is called, no sentence how often; an error of either comparison is the error of the call.
#include "compared_twice.h"

static void install(void) { put("ffi.StructuralEqual", twice); }
