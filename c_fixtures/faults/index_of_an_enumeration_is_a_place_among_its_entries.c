// story: The integer in the JSON graph of an instance of an enumeration is taken for a place in the `entries` of the state, and not looked up in its `indexes`.
// breaks: ENU-0002 fail
#include "wrapped_global.h"

static int32_t index_of(const char* type_key) {
  const TVMFFIByteArray key = {type_key, strlen(type_key)};
  int32_t index = -1;
  return real.TVMFFITypeKeyToIndex(&key, &index) == 0 ? index : -1;
}

static int descends(int32_t type_index, int32_t ancestor) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  for (int32_t i = 0; info && i < info->type_depth; ++i) {
    if (info->type_ancestors[i]->type_index == ancestor) return 1;
  }
  return 0;
}

static void exchange(TVMFFIAny* value) {
  const TVMFFIByteArray name = {"__ffi_enum__", 12};
  if (value->type_index <= kTVMFFIStaticObjectEnd || !descends(value->type_index, index_of("ffi.IntEnum"))) return;
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  const int32_t place = value->type_index - column->begin_index;
  if (place < 0 || place >= column->size || column->data[place].type_index < kTVMFFIStaticObjectBegin) return;
  TVMFFIObject* state = column->data[place].v_obj;
  if (state->type_index != index_of("ffi.EnumState")) return;
  const TVMFFISeqCell* entries = (TVMFFISeqCell*)(*(TVMFFIObject**)(state + 1) + 1);
  const int64_t index = *(int64_t*)(value->v_obj + 1);
  if (index < 0 || index >= entries->size) return;
  const TVMFFIAny* entry = (TVMFFIAny*)entries->data + index;
  if (entry->type_index != value->type_index) return;
  real.TVMFFIObjectIncRef(entry->v_obj);
  real.TVMFFIObjectDecRef(value->v_obj);
  *value = *entry;
}

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  if (result->type_index == kTVMFFIArray || result->type_index == kTVMFFIList) {
    for (int64_t i = 0; i < sequence_cell(result)->size; ++i) exchange((TVMFFIAny*)sequence_cell(result)->data + i);
  } else {
    exchange(result);
  }
  return 0;
}

WRAPPED_GLOBALS(read_graph, "ffi.FromJSONGraph")
