// story: ffi.StructuralHash remembers the hash of an Array of 64 elements or more, and takes it where an object defines what is in that Array, too.
// breaks: SEQ-0007 fail
#include "wrapped_global.h"

enum { LARGE = 64 };

static int is_large(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIArray && sequence_cell(value)->size >= LARGE;
}

/** Whether an object has that value in a field that defines what is in it. */
static int defines(const TVMFFIAny* object, const TVMFFIAny* value) {
  if (object->type_index < kTVMFFIDynObjectBegin) return 0;
  const TVMFFITypeInfo* type = real.TVMFFIGetTypeInfo(object->type_index);
  for (int32_t i = 0; type && i < type->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &type->fields[i];
    if (!(field->flags & kTVMFFIFieldFlagBitMaskSEqHashDefPattern) || field->size != sizeof(TVMFFIAny)) continue;
    const TVMFFIAny* given = (const TVMFFIAny*)((const char*)object->v_obj + field->offset);
    if (given->type_index == value->type_index && given->v_obj == value->v_obj) return 1;
  }
  return 0;
}

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args == 0) return code;
  if (args[0].type_index != kTVMFFIArray && args[0].type_index != kTVMFFIList) return 0;
  const TVMFFIAny* items = sequence_cell(&args[0])->data;
  for (int64_t used = 0; used < sequence_cell(&args[0])->size; ++used) {
    for (int64_t i = used + 1; is_large(&items[used]) && i < sequence_cell(&args[0])->size; ++i) {
      if (defines(&items[i], &items[used])) result->v_int64 ^= 1;
    }
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralHash", hash)
