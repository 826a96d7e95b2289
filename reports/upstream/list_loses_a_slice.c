#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

extern void* __libc_malloc(size_t);

/* Which request for memory is refused; 0 for none. */
static int refused;

void* malloc(size_t size) { return refused > 0 && --refused == 0 ? NULL : __libc_malloc(size); }

/* A global function; ends the program if there is none of that name. */
static TVMFFIObjectHandle global(const char* name) {
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionGetGlobal(&text, &function) != 0 || function == NULL) exit(2);
  return function;
}

static TVMFFIAny call(const char* name, TVMFFIAny* args, int32_t count) {
  TVMFFIAny result = {0};
  if (TVMFFIFunctionCall(global(name), args, count, &result) != 0) exit(2);
  return result;
}

int main(void) {
  TVMFFIAny numbers[40];
  for (int at = 0; at < 40; at++) numbers[at] = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = at};
  TVMFFIObjectHandle replace = global("ffi.ListReplaceSlice");
  for (int number = 1; number <= 40; number++) {
    TVMFFIAny args[4] = {call("ffi.List", numbers, 16), numbers[2], numbers[12], call("ffi.List", numbers, 40)};
    TVMFFIAny ignored = {0};
    refused = number;
    int code = TVMFFIFunctionCall(replace, args, 4, &ignored);
    refused = 0;
    int64_t size = call("ffi.ListSize", args, 1).v_int64;
    if (code != 0 && size != 16) {
      printf("ffi.ListReplaceSlice fails, and of 16 elements %d are left\n", (int)size);
      return 1;
    }
  }
  puts("ffi.ListReplaceSlice fails and leaves the List as it was, or replaces the slice");
  return 0;
}
