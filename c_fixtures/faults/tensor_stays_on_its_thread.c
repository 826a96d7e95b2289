// story: A thread other than the first cannot give up the last reference to a tensor.
// breaks: TEN-0038 fail
#include "fault.h"
#include <sys/syscall.h>
#include <unistd.h>

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  const TVMFFIObject* object = obj;
  int is_last = object != NULL && object->type_index == kTVMFFITensor && (uint32_t)object->combined_ref_count == 1;
  if (is_last && syscall(SYS_gettid) != getpid()) return 0;
  return real.TVMFFIObjectDecRef(obj);
}
