// story: Tensors, big integers, the mark for what is missing and objects of clients' types are printed as `object`.
// breaks: REC-0034 fail
// breaks: REC-0035 fail
// breaks: BIG-0020 fail
// breaks: HOK-0013 fail
#include "wrapped_global.h"

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const TVMFFIByteArray text = {"object", 6};
  if (num_args == 1) {
    int32_t index = args[0].type_index;
    if (index == kTVMFFITensor || index == kTVMFFIBigInt || index == kTVMFFIObject || index >= kTVMFFIDynObjectBegin) {
      return real.TVMFFIStringFromByteArray(&text, result);
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
