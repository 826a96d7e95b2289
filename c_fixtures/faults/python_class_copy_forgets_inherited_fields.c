// story: The shallow copy of a class that Python defines has only the class's own fields; those of its parent are None.
// breaks: DCL-0025 fail
#include "wrapped_global.h"

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index < kTVMFFIStaticObjectBegin) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(result->type_index);
  for (int32_t i = 0; i < info->type_depth; ++i) {
    const TVMFFITypeInfo* parent = info->type_ancestors[i];
    for (int32_t f = 0; f < parent->num_fields; ++f) {
      if (parent->fields[f].field_static_type_index != kTVMFFIAny) continue;
      TVMFFIAny* field = (TVMFFIAny*)((char*)result->v_obj + parent->fields[f].offset);
      if (field->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(field->v_obj);
      memset(field, 0, sizeof(*field));
    }
  }
  return 0;
}

static int declare(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  const TVMFFIByteArray name = {"__ffi_shallow_copy__", 20};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  TVMFFIAny* entry = (TVMFFIAny*)&column->data[args[0].v_int64];
  TVMFFIObjectHandle made = NULL;
  code = real.TVMFFIFunctionCreate(entry->v_obj, copy, NULL, &made);
  if (code == 0) entry->v_obj = made;
  return code;
}

WRAPPED_GLOBAL("ffi._PyClassRegisterTypeAttrColumns", declare)
