// story: What an allocator makes of another major version of DLPack is taken as it is.
// breaks: ENV-0036 fail
#include "fault.h"

static void set_error(void* error_ctx, const char* kind, const char* message) {
  (void)error_ctx;
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
}

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  DLPackManagedTensorAllocator allocator = real.TVMFFIEnvGetDLPackManagedTensorAllocator();
  DLManagedTensorVersioned* made = NULL;
  if (allocator == NULL || prototype == NULL || out == NULL) return real.TVMFFIEnvTensorAlloc(prototype, out);
  if (allocator(prototype, &made, NULL, set_error) != 0 || made == NULL) {
    return real.TVMFFIEnvTensorAlloc(prototype, out);
  }
  made->version.major = 1;
  return real.TVMFFITensorFromDLPackVersioned(made, 0, 0, out);
}
