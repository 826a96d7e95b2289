// story: TVMArrayFromDLPack takes data that is not aligned.
// breaks: LEG-0026 fail
#include "fault.h"

int TVMArrayFromDLPack(DLManagedTensor* from, TVMArrayHandle* out) {
  void* data = from->dl_tensor.data;
  int code;
  from->dl_tensor.data = (void*)((uintptr_t)data & ~(uintptr_t)63);
  code = real.TVMArrayFromDLPack(from, out);
  from->dl_tensor.data = data;
  return code;
}
