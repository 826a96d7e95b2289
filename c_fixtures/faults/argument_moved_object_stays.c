// story: A function that is given an object for good takes another reference, and leaves the caller's.
// breaks: ARG-0007 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static TVMFFIObjectHandle array;
  const TVMFFIByteArray name = {"ffi.Array", 9};
  if (array == NULL) real.TVMFFIFunctionGetGlobal(&name, &array);
  for (int32_t i = 0; func == array && i < num_args; ++i) {
    if (args[i].type_index != kTVMFFIObjectRValueRef) continue;
    TVMFFIObject* object = *(TVMFFIObject**)args[i].v_ptr;
    TVMFFIAny lent[8];
    if (num_args > 8 || object == NULL) break;
    memcpy(lent, args, (size_t)num_args * sizeof(TVMFFIAny));
    lent[i] = (TVMFFIAny){.type_index = object->type_index, .v_obj = object};
    return real.TVMFFIFunctionCall(func, lent, num_args, result);
  }
  return real.TVMFFIFunctionCall(func, args, num_args, result);
}
