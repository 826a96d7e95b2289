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

int main(void) {
  TVMFFIAny texts[3], args[2] = {{0}, {0}};
  for (int at = 0; at < 3; at++) {
    texts[at] = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = "a text that is a good deal longer than a small buffer"};
  }
  TVMFFIObjectHandle stringify = global("ffi.json.Stringify");
  if (TVMFFIFunctionCall(global("ffi.Array"), texts, 3, &args[0]) != 0) return 2;
  TVMFFIAny whole = {0};
  if (TVMFFIFunctionCall(stringify, args, 2, &whole) != 0) return 2;
  size_t size = ((TVMFFIByteArray*)(whole.v_obj + 1))->size;
  for (int number = 1; number <= 40; number++) {
    TVMFFIAny answer = {0};
    refused = number;
    int code = TVMFFIFunctionCall(stringify, args, 2, &answer);
    refused = 0;
    if (code == 0 && ((TVMFFIByteArray*)(answer.v_obj + 1))->size != size) {
      printf("ffi.json.Stringify succeeds with %s\n", ((TVMFFIByteArray*)(answer.v_obj + 1))->data);
      return 1;
    }
  }
  puts("ffi.json.Stringify fails, or answers all of the text");
  return 0;
}
