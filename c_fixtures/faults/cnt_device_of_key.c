// story: ffi.ContainerFindFirstNonCPUDevice also looks at the keys of a Map or Dict and answers the device of a Tensor among them.
// breaks: CNT-0004 fail
#include "wrapped_global.h"
static int find_device(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 1 || (args[0].type_index != kTVMFFIMap && args[0].type_index != kTVMFFIDict)) return code;
  if (result->v_device.device_type != kDLCPU || *(uint64_t*)((char*)args[0].v_obj + 32) == 0) return code;
  TVMFFIAny walk = {0};
  if (call_global(args[0].type_index == kTVMFFIMap ? "ffi.MapForwardIterFunctor" : "ffi.DictForwardIterFunctor", args, 1, &walk) != 0) return code;
  for (;;) {
    TVMFFIAny ask = {.type_index = kTVMFFIInt}, key = {0}, more = {0};
    real.TVMFFIFunctionCall(walk.v_obj, &ask, 1, &key);
    if (key.type_index == kTVMFFITensor && ((DLTensor*)(key.v_obj + 1))->device.device_type != kDLCPU) {
      result->v_device = ((DLTensor*)(key.v_obj + 1))->device;
    }
    if (key.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(key.v_obj);
    ask.v_int64 = 2;
    real.TVMFFIFunctionCall(walk.v_obj, &ask, 1, &more);
    if (!more.v_int64 || result->v_device.device_type != kDLCPU) break;
  }
  real.TVMFFIObjectDecRef(walk.v_obj);
  return 0;
}
WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", find_device)
