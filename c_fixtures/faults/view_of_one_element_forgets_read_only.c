// story: A view without dimensions is made on a way of its own, which forgets that its source is read-only.
// breaks: TEN-0042 fail
#include "fault.h"

static void end(DLManagedTensorVersioned* managed) {
  real.TVMFFIObjectDecRef(managed->manager_ctx);
  free(managed);
}

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  if (!source || !prototype || !out || ((TVMFFIObject*)source)->type_index != kTVMFFITensor || prototype->ndim != 0) {
    return real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  }
  DLManagedTensorVersioned* managed = calloc(1, sizeof(*managed));
  managed->version.major = 1;
  managed->version.minor = 1;
  managed->manager_ctx = source;
  managed->deleter = end;
  managed->dl_tensor = *(DLTensor*)((TVMFFIObject*)source + 1);
  TVMFFIObjectHandle between = NULL;
  int code = real.TVMFFITensorFromDLPackVersioned(managed, 0, 0, &between);
  if (code != 0) {
    free(managed);
    return code;
  }
  real.TVMFFIObjectIncRef(source);
  code = real.TVMFFITensorCreateUnsafeView(between, prototype, out);
  real.TVMFFIObjectDecRef(between);
  return code;
}
