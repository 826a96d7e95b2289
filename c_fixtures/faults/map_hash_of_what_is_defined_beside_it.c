// story: ffi.StructuralHash of a small Map takes a variable that the value before it defines for a free one.
// breaks: SEQ-0007 fail
#include "map_cell.h"
#include "wrapped_global.h"

/* What the first field of an object defines. */
static void* defined(const TVMFFIAny* value) {
  if (value->type_index < kTVMFFIDynObjectBegin) return NULL;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(value->type_index);
  if (!info || info->num_fields < 1 || info->fields[0].size != sizeof(TVMFFIAny)) return NULL;
  if (!(info->fields[0].flags & kTVMFFIFieldFlagBitMaskSEqHashDefPattern)) return NULL;
  const TVMFFIAny* field = (const TVMFFIAny*)((const char*)value->v_obj + info->fields[0].offset);
  return field->type_index >= kTVMFFIDynObjectBegin ? field->v_obj : NULL;
}

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIMap) return code;
  struct map_cell* cell = map_cell(&args[0]);
  if (!is_small(cell)) return 0;
  for (uint64_t i = 1; i < cell->size; ++i) {
    void* variable = defined(&cell->data[2 * i - 1]);
    if (variable && variable == cell->data[2 * i + 1].v_obj) result->v_int64 ^= (int64_t)variable;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralHash", hash)
