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
  TVMFFIAny list = {0}, other = {0}, none = {0}, equal = {0};
  if (call("ffi.List", NULL, 0, &list) != 0 || call("ffi.List", NULL, 0, &other) != 0) return 2;
  TVMFFIAny append[2] = {list, list};
  if (call("ffi.ListAppend", append, 2, &none) != 0) return 2;
  append[0] = append[1] = other;
  if (call("ffi.ListAppend", append, 2, &none) != 0) return 2;
  TVMFFIAny args[4] = {list, other, {.type_index = kTVMFFIBool}, {.type_index = kTVMFFIBool}};
  int code = call("ffi.StructuralEqual", args, 4, &equal);
  printf("comparing two Lists that contain themselves gives %s\n", code ? "an error" : "an answer");
  return 0;
}
