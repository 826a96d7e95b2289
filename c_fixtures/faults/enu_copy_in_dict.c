// story: ffi.DeepCopy makes a copy of an instance of an enumeration that is a value of a Map or a Dict.
// breaks: ENU-0004 fail
#include "wrapped_global.h"
static int is_enum(int32_t index) {
  if (index < kTVMFFIDynObjectBegin) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(index);
  for (int i = 0; i < info->type_depth; ++i) if (is(&info->type_ancestors[i]->type_key, "ffi.Enum")) return 1;
  return 0;
}
static int copy(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0 || (result->type_index != kTVMFFIMap && result->type_index != kTVMFFIDict)) return code;
  struct { TVMFFIAny* data; uint64_t size, slots; }* cell = (void*)(result->v_obj + 1);
  if (!(cell->slots >> 63)) return code;
  TVMFFIByteArray name = {"__ffi_shallow_copy__", 20};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  if (result->v_obj == args[0].v_obj) return code;
  for (uint64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny *value = &cell->data[2 * i + 1], made = {0};
    if (!is_enum(value->type_index)) continue;
    int32_t t = value->type_index;
    if (t >= column->size || column->data[t].type_index != kTVMFFIFunction) {
      const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(t);
      t = info->type_ancestors[info->type_depth - 1]->type_index;
    }
    if (column->data[t].type_index != kTVMFFIFunction || call_original(column->data[t].v_obj, value, 1, &made)) continue;
    made.v_obj->type_index = made.type_index = value->type_index;
    real.TVMFFIObjectDecRef(value->v_obj);
    *value = made;
  }
  return 0;
}
WRAPPED_GLOBAL("ffi.DeepCopy", copy)
