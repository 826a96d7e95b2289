// story: The end of a Tensor, in case its producer's deleter has failed, clears whatever error is raised on the thread.
// breaks: OBJ-0029 fail
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  int last = object && object->type_index == kTVMFFITensor && (uint32_t)object->combined_ref_count == 1;
  int code = real.TVMFFIObjectDecRef(obj);
  if (last) {
    TVMFFIObjectHandle raised = NULL;
    real.TVMFFIErrorMoveFromRaised(&raised);
    if (raised) real.TVMFFIObjectDecRef(raised);
  }
  return code;
}
