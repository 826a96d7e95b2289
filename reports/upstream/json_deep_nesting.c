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
  enum { DEPTH = 1000000 };
  char* text = malloc(DEPTH + 1);
  memset(text, '[', DEPTH);
  text[DEPTH] = 0;
  TVMFFIAny arg = {.type_index = kTVMFFIRawStr, .v_c_str = text}, result = {0};
  int code = call("ffi.json.Parse", &arg, 1, &result);
  printf("a text of %d brackets gives %s\n", DEPTH, code ? "an error" : "a value");
  return code == 0;
}
