// story: ffi.ContainerFindFirstNonCPUDevice keeps a reference to the Tensor that it finds as the value of a Map or a Dict.
// breaks: CNT-0005 fail
#include "wrapped_global.h"
static int first(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0 || n != 1 || result->v_device.device_type == kDLCPU || (args[0].type_index != kTVMFFIMap && args[0].type_index != kTVMFFIDict)) return code;
  struct { TVMFFIAny* data; uint64_t size, slots; }* cell = (void*)(args[0].v_obj + 1);
  if (!(cell->slots >> 63)) return 0;
  for (uint64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny* value = &cell->data[2 * i + 1];
    if (value->type_index != kTVMFFITensor || ((DLTensor*)(value->v_obj + 1))->device.device_type == kDLCPU) continue;
    real.TVMFFIObjectIncRef(value->v_obj);
    break;
  }
  return 0;
}
WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", first)
