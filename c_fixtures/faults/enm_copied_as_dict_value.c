// story: ffi.DeepCopy copies an instance of an enumeration that is the value of a Dict.
// breaks: ENU-0004 fail

#include "wrapped_global.h"

struct instance {
  TVMFFIObject header;
  int64_t int_index;
  TVMFFIAny str_index;
};

static void end(void* self, int flags) {
  struct instance* instance = self;
  if (flags & 1 && instance->str_index.type_index >= kTVMFFIStaticObjectBegin) {
    real.TVMFFIObjectDecRef(instance->str_index.v_obj);
  }
  if (flags & 2) free(self);
}

static int deep_copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIDict) return code;
  uint64_t* fields = (uint64_t*)(result->v_obj + 1);
  TVMFFIAny* entries = (TVMFFIAny*)fields[0];
  for (uint64_t i = 0; fields[2] >> 63 && i < fields[1]; ++i) {
    TVMFFIAny* value = &entries[2 * i + 1];
    if (value->type_index < kTVMFFIDynObjectBegin) continue;
    const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(value->type_index);
    if (info->type_depth < 2 || !is(&info->type_ancestors[1]->type_key, "ffi.Enum")) continue;
    struct instance *from = (void*)value->v_obj, *made = malloc(sizeof(*made));
    *made = *from;
    made->header.combined_ref_count = 0x100000001;
    made->header.deleter = end;
    if (made->str_index.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(made->str_index.v_obj);
    real.TVMFFIObjectDecRef(from);
    value->v_ptr = made;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", deep_copy)
