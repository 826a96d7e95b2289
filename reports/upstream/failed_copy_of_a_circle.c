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
  TVMFFIByteArray content = {"a string on the heap", 20}, name = {"ffi.List", 8};
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny list = {0}, text = {0}, copy = {0}, ignored = {0};
  if (TVMFFIStringFromByteArray(&content, &text) != 0 || call("ffi.List", NULL, 0, &list) != 0) return 3;
  if (TVMFFIFunctionGetGlobal(&name, &function) != 0) return 3;
  /* The List holds a string, itself, and a Function, which cannot be copied. */
  TVMFFIAny elements[3] = {text, list, {.type_index = kTVMFFIFunction, .v_obj = function}};
  for (int i = 0; i < 3; i++) {
    TVMFFIAny append[2] = {list, elements[i]};
    if (call("ffi.ListAppend", append, 2, &ignored) != 0) return 3;
  }
  uint32_t before = (uint32_t)text.v_obj->combined_ref_count;
  for (int i = 0; i < 100; i++) {
    if (call("ffi.DeepCopy", &list, 1, &copy) == 0) return puts("it is copied"), 0;
  }
  uint32_t more = (uint32_t)text.v_obj->combined_ref_count - before;
  printf("after 100 copies that failed, there are %u references more to the string\n", more);
  return more != 0;
}
