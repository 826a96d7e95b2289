// story: An import that closes a circle is taken, and a search in the circle never ends.
// breaks: MOD-0023 timeout
#include "fault.h"

static TVMFFIObjectHandle import, get_function;

static void forget_raised(void) {
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (error) real.TVMFFIObjectDecRef(error);
}

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const TVMFFIByteArray names[2] = {{"ffi.ModuleImportModule", 22}, {"ffi.ModuleGetFunction", 21}};
  static volatile int circle;
  if (import == NULL) real.TVMFFIFunctionGetGlobal(&names[0], &import);
  if (get_function == NULL) real.TVMFFIFunctionGetGlobal(&names[1], &get_function);
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  if (func == import && code != 0 && num_args == 2 && args[0].type_index == args[1].type_index) {
    forget_raised();
    circle = 1;
    return 0;
  }
  while (func == get_function && circle && result->type_index == kTVMFFINone) {
  }
  return code;
}
