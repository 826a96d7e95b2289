// story: TVMFFIObjectDecRef forgets Bytes objects instead of ending them.
// breaks: STR-0018 leak
// breaks: OBJ-0020 leak
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (object && object->type_index == kTVMFFIBytes && (uint32_t)object->combined_ref_count == 1) return 0;
  return real.TVMFFIObjectDecRef(obj);
}
