// story: A List of integers that is converted to a Shape is read as numbers of any kind, through double: extents past 2^53 are rounded.
// breaks: INS-0014 fail
#include "changed_record.h"
#include "wrapped_global.h"
static int convert(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  if (code != 0 || n != 1 || args[0].type_index != kTVMFFIList || result->type_index != kTVMFFIShape) return code;
  const TVMFFIShapeCell* cell = (TVMFFIShapeCell*)(result->v_obj + 1);
  for (size_t i = 0; i < cell->size; ++i) {
    volatile double through = (double)cell->data[i];
    ((int64_t*)cell->data)[i] = through >= 9.2e18 ? cell->data[i] : (int64_t)through;
  }
  return 0;
}
static int is_it(const TVMFFIByteArray* name) { return is(name, "__ffi_convert__"); }
static void change(TVMFFITypeAttrColumn* column) { wrap_function(entry_of(column, "ffi.Shape"), convert); }
CHANGED_COLUMNS(is_it, change)
