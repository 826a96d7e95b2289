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
  /* A List whose only element is node 0: the List itself. */
  const char* text = "{\"root_index\":0,\"nodes\":[{\"type\":\"ffi.List\",\"data\":[0]}]}";
  TVMFFIAny arg = {.type_index = kTVMFFIRawStr, .v_c_str = text}, result = {0};
  int code = call("ffi.FromJSONGraphString", &arg, 1, &result);
  printf("a graph that contains itself gives %s\n", code ? "an error" : "a value");
  return 0;
}
