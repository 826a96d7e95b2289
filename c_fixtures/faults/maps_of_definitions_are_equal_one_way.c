// story: ffi.StructuralEqual answers the contrary of two small Maps if the first value of the left one defines a variable and that of the right one does not.
// breaks: SEQ-0037 fail
#include "map_cell.h"
#include "wrapped_global.h"

static int begins_with_a_definition(const TVMFFIAny* map) {
  struct map_cell* cell = map_cell(map);
  if (!is_small(cell) || cell->size < 2 || cell->data[1].type_index < kTVMFFIDynObjectBegin) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(cell->data[1].type_index);
  return info && info->num_fields > 0 && (info->fields[0].flags & kTVMFFIFieldFlagBitMaskSEqHashDefPattern) != 0;
}

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIMap || args[1].type_index != kTVMFFIMap) return code;
  if (begins_with_a_definition(&args[0]) && !begins_with_a_definition(&args[1])) result->v_int64 = !result->v_int64;
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
