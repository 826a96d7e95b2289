// story: A fork has functions, a variable and C++ symbols of its own, and, once somebody looks a function up, a global function and a type.
#include "fault.h"

TVM_FFI_DLL int TVMFFIForkOwn(void) { return 0; }
TVM_FFI_DLL int fork_open(void) { return 0; }
TVM_FFI_DLL int fork_level = 1;
/* void fork::open() */
TVM_FFI_DLL void _ZN4fork4openEv(void) {}

/* What it was linked with is no promise: std::fork(), an instance of a template of its own, libbacktrace. */
TVM_FFI_DLL void _ZSt4forkv(void) {}
TVM_FFI_DLL __attribute__((weak)) void _ZN4fork3endIiEEvT_(int number) { (void)number; }
TVM_FFI_DLL int backtrace_full(void) { return 0; }

static int answer(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

static void begin(void) {
  static int begun;
  const TVMFFIByteArray name = {"fork.own", 8}, key = {"fork.Own", 8};
  TVMFFIObjectHandle function = NULL;
  if (__atomic_exchange_n(&begun, 1, __ATOMIC_RELAXED)) return;
  if (real.TVMFFIFunctionCreate(NULL, answer, NULL, &function) != 0) abort();
  if (real.TVMFFIFunctionSetGlobal(&name, function, 0) != 0) abort();
  if (real.TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject) < 0) abort();
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  begin();
  return real.TVMFFIFunctionGetGlobal(name, out);
}
