// story: A fork exports a function that is chosen when it is loaded, variables, and one of which each thread has its own.
#include "fault.h"

static int four(void) { return 4; }
static int (*choose(void))(void) { return four; }
TVM_FFI_DLL int fork_chosen(void) __attribute__((ifunc("choose")));
TVM_FFI_DLL int fork_plain(void) { return 1; }
TVM_FFI_DLL int fork_shared = 1;
TVM_FFI_DLL __thread int fork_own = 2;
TVM_FFI_DLL int fork_turns(void) { return 3; }
/* thread_local int fork::level */
TVM_FFI_DLL __thread int _ZN4fork5levelE = 5;
