// story: The structural hash takes what two fields at one place give for one part while others hold it, and for two while nobody else does.
// breaks: SEQ-0007 fail
// breaks: SEQ-0019 fail
#include "wrapped_global.h"

/** What an object gives by a field of its own that lies where an ancestor's does, if it is another object; NULL otherwise. */
static TVMFFIObject* given_twice(const TVMFFIAny* value) {
  if (value->type_index < kTVMFFIDynObjectBegin) return NULL;
  const TVMFFITypeInfo* type = real.TVMFFIGetTypeInfo(value->type_index);
  for (int32_t at = 0; type && at < type->type_depth; ++at) {
    const TVMFFITypeInfo* ancestor = type->type_ancestors[at];
    for (int32_t i = 0; i < type->num_fields; ++i) {
      for (int32_t j = 0; j < ancestor->num_fields; ++j) {
        const TVMFFIFieldInfo* field = &type->fields[i];
        if (field->offset != ancestor->fields[j].offset || field->size != sizeof(TVMFFIAny)) continue;
        const TVMFFIAny* given = (const TVMFFIAny*)((const char*)value->v_obj + field->offset);
        if (given->type_index >= kTVMFFIStaticObjectBegin) return given->v_obj;
      }
    }
  }
  return NULL;
}

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args == 0) return code;
  TVMFFIObject* given = given_twice(&args[0]);
  /* Who alone holds it is thought to be met once. */
  if (given && (uint32_t)__atomic_load_n(&given->combined_ref_count, __ATOMIC_ACQUIRE) == 1) result->v_int64 ^= 1;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralHash", hash)
