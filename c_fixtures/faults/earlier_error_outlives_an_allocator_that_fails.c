// story: TVMFFIEnvTensorAlloc leaves the error of an earlier call raised where the allocator fails and reports none.
// breaks: ENV-0039 fail
#define _GNU_SOURCE
#include "fault.h"

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  TVMFFIObjectHandle earlier = NULL, raised = NULL;
  real.TVMFFIErrorMoveFromRaised(&earlier);
  if (!earlier) return real.TVMFFIEnvTensorAlloc(prototype, out);
  real.TVMFFIErrorSetRaised(earlier);
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  if (code != 0) {
    real.TVMFFIErrorMoveFromRaised(&raised);
    TVMFFIByteArray message = ((TVMFFIErrorCell*)((TVMFFIObject*)raised + 1))->message;
    int is_own = memmem(message.data, message.size, "from the allocator", strlen("from the allocator")) != NULL;
    real.TVMFFIErrorSetRaised(is_own ? earlier : raised);
    real.TVMFFIObjectDecRef(raised);
  }
  real.TVMFFIObjectDecRef(earlier);
  return code;
}
