// story: The reader of JSON graphs takes the index of an instance below ffi.IntEnum for its place in the list of entries of the enumeration's state.
// breaks: ENU-0002 fail
#include "held_value.h"
static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIByteArray key = {"ffi.IntEnum", 11};
  int32_t int_enum = -1;
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index < kTVMFFIDynObjectBegin || real.TVMFFITypeKeyToIndex(&key, &int_enum) != 0) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(result->type_index);
  if (info->type_depth < 3 || info->type_ancestors[2]->type_index != int_enum) return code;
  const TVMFFIAny state = attribute_of(result->type_index, "__ffi_enum__");
  if (state.type_index < kTVMFFIDynObjectBegin) return code;
  const TVMFFIAny entries = {.type_index = kTVMFFIList, .v_obj = *(TVMFFIObject**)(state.v_obj + 1)};
  const int64_t index = *(int64_t*)(result->v_obj + 1);
  if (index >= 0 && index < sequence_cell(&entries)->size) {
    const TVMFFIAny entry = ((TVMFFIAny*)sequence_cell(&entries)->data)[index];
    real.TVMFFIObjectIncRef(entry.v_obj);
    give_up(*result);
    *result = entry;
    return 0;
  }
  give_up(*result);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return refuse("ValueError", "Enum has no instance with that index");
}
WRAPPED_GLOBALS(read_graph, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
