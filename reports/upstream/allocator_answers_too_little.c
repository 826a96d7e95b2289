#include <stdio.h>
#include <tvm/ffi/c_api.h>

/* The first releases do not have the function. */
#pragma weak TVMFFIGetCustomAllocator

int main(void) {
  if (!TVMFFIGetCustomAllocator) return 2;
  TVMFFICustomAllocator* allocator = TVMFFIGetCustomAllocator();
  void* body = allocator->allocate(SIZE_MAX, 8, kTVMFFIObject, allocator->context);
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  printf("a body of the greatest size is %s, and %s error is raised\n", body ? "answered" : "refused", error ? "an" : "no");
  if (error) TVMFFIObjectDecRef(error);
  return body || !error;
}
