#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

/* Calls a global function; ends the program if there is none of that name. */
static int call(const char* name, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionGetGlobal(&text, &function) != 0 || function == NULL) exit(2);
  int code = TVMFFIFunctionCall(function, (TVMFFIAny*)args, count, result);
  TVMFFIObjectDecRef(function);
  return code;
}

int main(void) {
  TVMFFIAny arg = {.type_index = kTVMFFIRawStr, .v_c_str = "5e-324"}, result = {0};
  int code = call("ffi.json.Parse", &arg, 1, &result);
  if (code != 0) return puts("5e-324 is refused"), 1;
  printf("5e-324 is read as %g\n", result.v_float64);
  return result.v_float64 != 5e-324;
}
