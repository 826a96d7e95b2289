/* The main thread of a program that may open no file calls a hook that leads back to itself without end: the library knows where the
 * stack lies all the same, and raises an error before its end. Exits with 0. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <tvm/ffi/c_api.h>

static TVMFFIByteArray text(const char* content) { return (TVMFFIByteArray){content, strlen(content)}; }

static int rounds;

static int print_itself(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)self, (void)count;
  TVMFFIByteArray key = text("ffi.ReprPrint");
  TVMFFIObjectHandle print = NULL;
  rounds++;
  if (TVMFFIFunctionGetGlobal(&key, &print) != 0) return -1;
  int code = TVMFFIFunctionCall(print, (TVMFFIAny*)args, 1, result);
  TVMFFIObjectDecRef(print);
  return code;
}

int main(void) {
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_NOFILE, &none) != 0) return 2;
  TVMFFIByteArray key = text("test.Itself"), column = text("__ffi_repr__");
  int32_t kind = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  TVMFFIAny hook = {.type_index = kTVMFFIFunction};
  TVMFFIObjectHandle function = NULL, error = NULL;
  if (TVMFFIFunctionCreate(NULL, print_itself, NULL, &function) != 0) return 2;
  hook.v_obj = function;
  if (TVMFFITypeRegisterAttr(kind, &column, &hook) != 0) return 2;
  TVMFFIObject object = {.combined_ref_count = UINT64_C(1) << 32 | 1, .type_index = kind};
  TVMFFIAny value = {.type_index = kind, .v_obj = &object}, printed = {0};
  int code = print_itself(NULL, &value, 1, &printed);
  TVMFFIErrorMoveFromRaised(&error);
  if (code == 0 || error == NULL) printf("answered %d after %d rounds\n", code, rounds);
  return code == 0 || error == NULL;
}
