/* A module that comes with another one inside, and with the loader that makes it. */
#include "kernel.h"

/* Numbers are of 64 bits, lowest byte first; texts are preceded by their length. */
#define NUMBER(n) n, 0, 0, 0, 0, 0, 0, 0

TVM_FFI_DLL_EXPORT const unsigned char __tvm_ffi__library_bin[] = {
    NUMBER(89),
    /* Where the imports of each module begin in the list after it, and where they end. */
    NUMBER(3), NUMBER(0), NUMBER(1), NUMBER(1),
    /* The imports: the first module imports the second. */
    NUMBER(1), NUMBER(1),
    /* The first module: this library. */
    NUMBER(4), '_', 'l', 'i', 'b',
    /* The second module: its kind and its bytes. */
    NUMBER(10), 'v', 'e', 'r', 'i', 'f', 'y', '_', 'o', 'w', 'n',
    NUMBER(3), 'o', 'w', 'n'
};

/* Answers the system library for whatever bytes it is given. */
static int load(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray name = {"ffi.SystemLib", 13};
  TVMFFIObjectHandle system_library = NULL;
  (void)self, (void)args, (void)num_args;
  if (TVMFFIFunctionGetGlobal(&name, &system_library) != 0) return -1;
  int status = TVMFFIFunctionCall(system_library, NULL, 0, result);
  TVMFFIObjectDecRef(system_library);
  return status;
}

/* Runs when the library is loaded. An error stays raised for whoever loads it. */
__attribute__((constructor)) static void register_loader(void) {
  TVMFFIByteArray name = {"ffi.Module.load_from_bytes.verify_own", 37};
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionCreate(NULL, load, NULL, &function) != 0) return;
  TVMFFIFunctionSetGlobal(&name, function, /*allow_override=*/1);
  TVMFFIObjectDecRef(function);
}
