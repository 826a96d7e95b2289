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

static TVMFFIAny list;
static int64_t size_at_end = -1;

/* Runs when the List lets go of its element, and asks the List how many it has. */
static void end(void* handle) {
  TVMFFIAny size = {0};
  (void)handle;
  if (call("ffi.ListSize", &list, 1, &size) == 0) size_at_end = size.v_int64;
}

int main(void) {
  TVMFFIAny element = {.type_index = kTVMFFIOpaquePyObject}, none = {0};
  TVMFFIObjectHandle opaque = NULL;
  int own;
  if (TVMFFIObjectCreateOpaque(&own, kTVMFFIOpaquePyObject, end, &opaque) != 0) return 2;
  element.v_obj = opaque;
  if (call("ffi.List", &element, 1, &list) != 0) return 2;
  TVMFFIObjectDecRef(opaque);
  if (call("ffi.ListClear", &list, 1, &none) != 0) return 2;
  printf("while its element ends, the List says that it has %d\n", (int)size_at_end);
  return size_at_end != 0;
}
