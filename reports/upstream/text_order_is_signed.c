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
  TVMFFIAny args[2] = {{.type_index = kTVMFFIRawStr, .v_c_str = "z"}, {.type_index = kTVMFFIRawStr, .v_c_str = "\xc3\xa9"}};
  TVMFFIAny less = {0};
  if (call("ffi.RecursiveLt", args, 2, &less) != 0) return 2;
  printf("\"z\" < \"\xc3\xa9\" is %s\n", less.v_int64 ? "true" : "false");
  return less.v_int64 == 0;
}
