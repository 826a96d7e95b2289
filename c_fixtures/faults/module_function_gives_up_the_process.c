// story: ffi.ModuleGetFunction ends the process where there is no memory for the name of the symbol.
// breaks: MEM-0001 crash
#include "wrapped_global.h"

static int get_function(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 3) {
    const TVMFFIByteArray name = text_of(&args[1]);
    char* symbol = malloc(name.size + sizeof("__tvm_ffi_"));
    if (!symbol) {
      fputs("out of memory\n", stderr);
      abort();
    }
    memcpy(symbol, "__tvm_ffi_", 10);
    memcpy(symbol + 10, name.data, name.size);
    __asm__ volatile("" : : "r"(symbol) : "memory");
    free(symbol);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ModuleGetFunction", get_function)
