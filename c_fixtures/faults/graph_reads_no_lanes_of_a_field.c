// story: ffi.FromJSONGraph reads a vector type in a field of an object as its scalar.
// breaks: GRF-0014 fail
#include "wrapped_global.h"

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index < kTVMFFIDynObjectBegin) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(result->type_index);
  for (int32_t i = 0; info && i < info->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &info->fields[i];
    if (field->field_static_type_index != kTVMFFIDataType || field->size != sizeof(DLDataType)) continue;
    DLDataType* dtype = (DLDataType*)((char*)result->v_obj + field->offset);
    if (dtype->lanes > 1) dtype->lanes = 1;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.FromJSONGraph", read_graph)
