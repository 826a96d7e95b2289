// story: A fork exports what another one does, as something else, or does not.
#include "fault.h"

/* Clients cannot tell one that is chosen from one that is not. */
static int one(void) { return 1; }
static int (*choose(void))(void) { return one; }
TVM_FFI_DLL int fork_plain(void) __attribute__((ifunc("choose")));
TVM_FFI_DLL __thread int fork_shared = 1;
TVM_FFI_DLL int fork_own = 2;
TVM_FFI_DLL int fork_turns = 3;
TVM_FFI_DLL int _ZN4fork5levelE = 5;
