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
  TVMFFIAny args[3] = {{0}, {.type_index = kTVMFFIInt, .v_int64 = (int64_t)1 << 60}, {.type_index = kTVMFFIInt, .v_int64 = 7}};
  TVMFFIAny ignored = {0};
  if (call("ffi.List", NULL, 0, &args[0]) != 0) return 2;
  int code = call("ffi.ListInsert", args, 3, &ignored);
  printf("ffi.ListInsert at 2^60 into an empty List %s\n", code ? "is refused" : "inserts");
  return code == 0;
}
