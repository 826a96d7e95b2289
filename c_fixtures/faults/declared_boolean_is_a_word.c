// story: The getter of a boolean reads eight bytes, whatever is in the next field.
// breaks: DCL-0019 fail
#include "fault.h"

static int get_word(void* field, TVMFFIAny* result) {
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = *(int64_t*)field};
  return 0;
}

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static TVMFFIObjectHandle make_getter;
  const TVMFFIByteArray name = {"ffi.MakeFieldGetter", 19};
  if (make_getter == NULL) real.TVMFFIFunctionGetGlobal(&name, &make_getter);
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (code == 0 && func == make_getter && args[0].v_int64 == kTVMFFIBool) result->v_int64 = (intptr_t)get_word;
  return code;
}
