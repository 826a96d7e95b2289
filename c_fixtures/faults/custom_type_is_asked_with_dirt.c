// story: The function that answers the code of a custom data type is called with what lay on the stack for its result.
// breaks: FUN-0025 fail
#include "fault.h"

static int call_with_dirt(void* function, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny own = {.type_index = kTVMFFIObject, .v_ptr = (void*)0x10};
  int code = real.TVMFFIFunctionCall(function, (TVMFFIAny*)args, num_args, &own);
  if (code == 0) *result = own;
  return code;
}

static void end(void* function) { real.TVMFFIObjectDecRef(function); }

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  const char hooked[] = "dtype.get_custom_type_code";
  TVMFFIObjectHandle wrapper = NULL;
  if (!name || !f || name->size != sizeof(hooked) - 1 || memcmp(name->data, hooked, name->size) != 0) {
    return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  }
  real.TVMFFIObjectIncRef(f);
  int code = real.TVMFFIFunctionCreate(f, call_with_dirt, end, &wrapper);
  if (code == 0) code = real.TVMFFIFunctionSetGlobal(name, wrapper, allow_override);
  if (wrapper) real.TVMFFIObjectDecRef(wrapper);
  return code;
}
