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
  TVMFFIAny args[2] = {{0}, {.type_index = kTVMFFIInt, .v_int64 = (int64_t)1 << 60}}, ignored = {0}, capacity = {0};
  if (call("ffi.List", NULL, 0, &args[0]) != 0) return 2;
  /* Room for 2^60 values of sixteen bytes is room for 2^64 bytes. */
  int code = call("ffi.ListReserve", args, 2, &ignored);
  capacity.v_int64 = ((TVMFFISeqCell*)(args[0].v_obj + 1))->capacity;
  printf("ffi.ListReserve of 2^60 answers %d, and the List says it has room for %lld\n", code, (long long)capacity.v_int64);
  return code == 0;
}
