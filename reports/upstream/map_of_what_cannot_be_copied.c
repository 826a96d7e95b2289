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
  TVMFFIAny extent = {.type_index = kTVMFFIInt, .v_int64 = 3}, shape = {0}, array = {0}, none = {0}, result = {0};
  if (call("ffi.Shape", &extent, 1, &shape) != 0 || call("ffi.Array", &shape, 1, &array) != 0) return 3;
  if (call("ffi.Array", NULL, 0, &none) != 0) return 3;
  TVMFFIAny args[] = {array, none, none, {.type_index = kTVMFFIInt}};
  if (call("ffi.StructuralMap", args, 4, &result) != 0) return puts("an Array with a Shape is no value to map"), 1;
  return result.v_obj != array.v_obj;
}
