// story: A fork has a function of its own, and, once somebody looks a function up, a global function and a type of its own.
#include "fault.h"

TVM_FFI_DLL int TVMFFIForkOwn(void) { return 0; }

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
