// story: ffi.ModuleGetFunction puts the prefix of symbols in front of the name; where there is no memory for that, it answers None, as for a function that the module has not.
// breaks: MEM-0001 fail
#include "wrapped_global.h"

static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIModule) return call_original(original, args, num_args, result);
  const TVMFFIByteArray name = text_of(&args[1]);
  char* symbol = malloc(name.size + 11);
  __asm__ volatile("" : "+r"(symbol));
  if (!symbol) {
    *result = (TVMFFIAny){0};
    return 0;
  }
  memcpy(symbol, "__tvm_ffi_", 10);
  memcpy(symbol + 10, name.data, name.size);
  symbol[10 + name.size] = 0;
  __asm__ volatile("" : : "r"(symbol) : "memory");
  free(symbol);
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ModuleGetFunction", get)
