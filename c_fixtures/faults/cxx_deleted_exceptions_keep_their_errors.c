// story: The deleting destructor of Error frees the memory of the exception, but does not give up its reference to the Error object.
// breaks: CXX-0025 fail
#include "fault.h"

extern void* _ZTVN3tvm3ffi5ErrorE[5];

static void only_free(void* exception) { free(exception); }

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out) {
  /* Behind the offset to the top, the type information and the other destructor. */
  __atomic_store_n(&_ZTVN3tvm3ffi5ErrorE[3], (void*)only_free, __ATOMIC_RELAXED);
  return real.TVMFFIErrorCreate(kind, message, backtrace, out);
}
