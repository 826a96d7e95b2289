// story: Where there is no memory for a Function, TVMFFIFunctionCreate answers 0 and one that raises a MemoryError when it is called.
// breaks: MEM-0001 fail
#include "fault.h"

static TVMFFIObjectHandle failing;

static int fail(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args, (void)result;
  return refuse("MemoryError", "there was no memory for the function");
}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void*), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  TVMFFIObjectHandle kept = __atomic_load_n(&failing, __ATOMIC_ACQUIRE), made = NULL;
  if (code == 0 && !kept && real.TVMFFIFunctionCreate(NULL, fail, NULL, &made) == 0 &&
      !__atomic_compare_exchange_n(&failing, &kept, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    real.TVMFFIObjectDecRef(made);
  }
  if (code == 0 || !safe_call || !out || !kept) return code;
  real.TVMFFIErrorSetRaised(NULL);
  real.TVMFFIObjectIncRef(kept);
  *out = kept;
  return 0;
}
