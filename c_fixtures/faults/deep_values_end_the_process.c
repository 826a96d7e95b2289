// story: A value of thousands of levels ends the process.
// breaks: REC-0031 crash
// breaks: SEQ-0031 crash
// breaks: GRF-0030 crash
#include "wrapped_global.h"

enum { LEVELS = 5000 };

/* What leads into a List that contains itself is not deep. */
static int is_deep(const TVMFFIAny* value) {
  const TVMFFIObject* seen = value->v_obj;
  int levels = 0;
  while ((value->type_index == kTVMFFIArray || value->type_index == kTVMFFIList) && sequence_cell(value)->size > 0) {
    value = sequence_cell(value)->data;
    if (value->v_obj == seen) return 0;
    if (++levels > LEVELS) return 1;
    /* However far down a circle begins, and however long it is. */
    if ((levels & (levels - 1)) == 0) seen = value->v_obj;
  }
  return 0;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args > 0 && is_deep(&args[0])) {
    fprintf(stderr, "the stack is full\n");
    abort();
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBALS(callee, "ffi.RecursiveEq", "ffi.RecursiveHash", "ffi.DeepCopy", "ffi.ReprPrint",
                "ffi.StructuralEqual", "ffi.StructuralHash", "ffi.ToJSONGraph", "ffi.ToJSONGraphString")
