#include <stdio.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

/* Fails, and says nothing of it. */
static int fail(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
                void (*SetError)(void* error_ctx, const char* kind, const char* message)) {
  (void)prototype, (void)out, (void)error_ctx, (void)SetError;
  return -1;
}

int main(void) {
  if (TVMFFIEnvSetDLPackManagedTensorAllocator(fail, 0, NULL) != 0) return 2;
  int64_t shape[1] = {4};
  DLTensor prototype = {NULL, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, NULL, 0};
  TVMFFIObjectHandle tensor = NULL, error = NULL;
  int code = TVMFFIEnvTensorAlloc(&prototype, &tensor);
  TVMFFIErrorMoveFromRaised(&error);
  printf("the call answers %d, and %s error is raised\n", code, error ? "an" : "no");
  if (error) TVMFFIObjectDecRef(error);
  return code != 0 && !error;
}
