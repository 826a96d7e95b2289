// story: The converter of ffi.Map that refuses a value keeps the reference that it took to look at it.
// breaks: INS-0015 fail
#include "changed_record.h"
#include "wrapped_global.h"

static int convert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int kept = num_args == 1 && args[0].type_index >= kTVMFFIStaticObjectBegin;
  if (kept) real.TVMFFIObjectIncRef(args[0].v_obj);
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  if (kept) real.TVMFFIObjectDecRef(args[0].v_obj);
  return 0;
}

static int is_changed(const TVMFFIByteArray* name) { return is(name, "__ffi_convert__"); }

static void change(TVMFFITypeAttrColumn* column) { wrap_function(entry_of(column, "ffi.Map"), convert); }

CHANGED_COLUMNS(is_changed, change)
