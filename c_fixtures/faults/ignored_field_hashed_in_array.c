// story: ffi.StructuralHash of an Array counts the fields of its elements that are flagged to be ignored, while equality and the hash of an element alone do not.
// breaks: SEQ-0014 fail
#include "wrapped_global.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIArray) return code;
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  for (int64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny* item = (TVMFFIAny*)cell->data + i;
    if (item->type_index < kTVMFFIDynObjectBegin) continue;
    const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(item->type_index);
    if (info->metadata && info->metadata->structural_eq_hash_kind != kTVMFFISEqHashKindTreeNode) continue;
    for (int j = 0; j < info->num_fields; ++j) {
      const TVMFFIFieldInfo* field = &info->fields[j];
      TVMFFIAny value = {0};
      if (!(field->flags & kTVMFFIFieldFlagBitMaskSEqHashIgnore) || field->getter((char*)item->v_obj + field->offset, &value) != 0) continue;
      if (value.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value.v_obj);
      else result->v_int64 ^= value.v_int64 * 0x9e3779b97f4a7c15ull;
    }
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralHash", hash)
