// story: Tensors, big integers, the mark for what is missing and objects of clients' types are printed as `object`.
// breaks: BIG-0020 fail
// breaks: ENU-0005 fail
// breaks: HOK-0009 fail
// breaks: HOK-0013 fail
// breaks: HOK-0014 fail
// breaks: HOK-0015 fail
// breaks: PTH-0007 fail
// breaks: REC-0034 fail
// breaks: REC-0035 fail
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
