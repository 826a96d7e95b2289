// story: When the last reference to an opaque object goes, the raised error goes too: the library clears what the deleter might have left.
// breaks: OBJ-0029 fail
// breaks: ERR-0022 fail
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  int last = object && object->type_index == kTVMFFIOpaquePyObject && (uint32_t)object->combined_ref_count == 1;
  int code = real.TVMFFIObjectDecRef(obj);
  if (last) real.TVMFFIErrorSetRaised(NULL);
  return code;
}
