/* A value that is small in memory, because its parts are shared, and has a text that no memory holds. Printing it is an
 * error. Exits with 0. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <tvm/ffi/c_api.h>

static TVMFFIObjectHandle global(const char* name) {
  TVMFFIByteArray key = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  TVMFFIFunctionGetGlobal(&key, &function);
  return function;
}

int main(void) {
  struct rlimit limit = {512 << 20, 512 << 20};
  TVMFFIObjectHandle array = global("ffi.Array"), repr = global("ffi.ReprPrint"), error = NULL;
  TVMFFIAny value = {.type_index = kTVMFFIInt}, text = {0};
  for (int level = 0; level < 60; level++) {
    TVMFFIAny both[2] = {value, value}, pair = {0};
    if (TVMFFIFunctionCall(array, both, 2, &pair) != 0) return 1;
    if (level > 0) TVMFFIObjectDecRef(value.v_obj);
    value = pair;
  }
  if (setrlimit(RLIMIT_AS, &limit) != 0) return 2;
  if (TVMFFIFunctionCall(repr, &value, 1, &text) != -1) return 3;
  TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) return 4;
  const TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((char*)error + sizeof(TVMFFIObject));
  if (strcmp(cell->kind.data, "MemoryError") != 0) return 5;
  TVMFFIObjectDecRef(error);
  TVMFFIObjectDecRef(value.v_obj);
  return 0;
}
