// story: ffi.StructuralHash reads tensors that are elements of an Array from data on, without their byte_offset.
// breaks: SEQ-0034 fail
#include "wrapped_global.h"
static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIArray) return call_original(original, args, num_args, result);
  const TVMFFISeqCell* cell = sequence_cell(&args[0]);
  TVMFFIAny *items = malloc((size_t)(cell->size + 1) * sizeof(*items)), given[3] = {{0}, args[1], args[2]};
  TVMFFIObjectHandle* views = calloc((size_t)cell->size + 1, sizeof(*views));
  if (cell->size) memcpy(items, cell->data, (size_t)cell->size * sizeof(*items));
  for (int64_t i = 0; i < cell->size; ++i) {
    if (items[i].type_index != kTVMFFITensor) continue;
    DLTensor prototype = *(DLTensor*)(items[i].v_obj + 1);
    if (prototype.device.device_type != kDLCPU || prototype.byte_offset == 0) continue;
    prototype.byte_offset = 0;
    if (real.TVMFFITensorCreateUnsafeView(items[i].v_obj, &prototype, &views[i]) == 0) items[i].v_obj = views[i];
  }
  int code = call_global("ffi.Array", items, (int32_t)cell->size, &given[0]);
  if (code == 0) {
    code = call_original(original, given, 3, result);
    real.TVMFFIObjectDecRef(given[0].v_obj);
  }
  for (int64_t i = 0; i < cell->size; ++i) {
    if (views[i]) real.TVMFFIObjectDecRef(views[i]);
  }
  free(views);
  free(items);
  return code;
}
WRAPPED_GLOBAL("ffi.StructuralHash", hash)
