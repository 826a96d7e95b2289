// story: A deep copy of a sequence copies the instances of enumerations that are its elements; one that is copied itself stays.
// breaks: ENU-0004 fail
#include "wrapped_global.h"

static int is_enum(int32_t type_index) {
  if (type_index < kTVMFFIDynObjectBegin) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info->metadata && info->metadata->total_size > 48) return 0;
  return info->type_depth > 1 && is(&info->type_ancestors[1]->type_key, "ffi.Enum");
}

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || (result->type_index != kTVMFFIArray && result->type_index != kTVMFFIList)) return code;
  if (result->v_obj == args[0].v_obj) {
    /* What holds nothing but enumerations is answered as it is; a copy of it is made first. */
    TVMFFIAny whole = *result;
    code = call_global(whole.type_index == kTVMFFIArray ? "ffi.Array" : "ffi.List", sequence_cell(&whole)->data,
                       sequence_cell(&whole)->size, result);
    real.TVMFFIObjectDecRef(whole.v_obj);
    if (code != 0) return code;
  }
  TVMFFIAny* elements = sequence_cell(result)->data;
  for (int64_t i = 0; i < sequence_cell(result)->size; ++i) {
    if (!is_enum(elements[i].type_index)) continue;
    TVMFFIObject* instance = malloc(48);
    memcpy(instance, elements[i].v_obj, 48);
    instance->combined_ref_count = ((uint64_t)1 << 32) + 1;
    const TVMFFIAny* text = (const TVMFFIAny*)((char*)instance + 32);
    if (text->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(text->v_obj);
    real.TVMFFIObjectDecRef(elements[i].v_obj);
    elements[i].v_obj = instance;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
