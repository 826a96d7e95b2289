// story: The function that answers the name of a custom data type gets its code with dirt in the second word.
// breaks: ANY-0029 fail
#include "fault.h"

static int call_with_dirt(void* function, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny own = args[0];
  own.zero_padding = 0xa5a5;
  return real.TVMFFIFunctionCall(function, &own, num_args, result);
}

static void end(void* function) { real.TVMFFIObjectDecRef(function); }

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  const char hooked[] = "dtype.get_custom_type_name";
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
