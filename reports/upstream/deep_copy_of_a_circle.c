#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

/* Calls a global function; ends the program if there is none of that name, or it fails. */
static TVMFFIAny call(const char* name, const TVMFFIAny* args, int32_t count) {
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny result = {0};
  if (TVMFFIFunctionGetGlobal(&text, &function) != 0 || function == NULL) exit(2);
  if (TVMFFIFunctionCall(function, (TVMFFIAny*)args, count, &result) != 0) exit(2);
  TVMFFIObjectDecRef(function);
  return result;
}

/* The first element of an Array or a List. */
static TVMFFIAny first_of(TVMFFIAny sequence) {
  TVMFFIAny args[2] = {sequence, {.type_index = kTVMFFIInt, .v_int64 = 0}};
  return call(sequence.type_index == kTVMFFIArray ? "ffi.ArrayGetItem" : "ffi.ListGetItem", args, 2);
}

int main(void) {
  TVMFFIAny list = call("ffi.List", NULL, 0);
  TVMFFIAny one = call("ffi.Array", &list, 1), other = call("ffi.Array", &one, 1);
  TVMFFIAny append[2] = {list, other};
  call("ffi.ListAppend", append, 2);
  /* Once around: the copy of the first Array, its List, the second Array, and the first again. */
  TVMFFIAny copy = call("ffi.DeepCopy", &one, 1);
  TVMFFIAny around = first_of(first_of(first_of(copy)));
  int is_original = first_of(around).v_obj == list.v_obj;
  printf("once around the copy stands the %s List\n", is_original ? "original" : "copied");
  return is_original;
}
