// story: ffi.DictSetItem takes a reference to the given key before it looks whether the Dict has an equal one, and keeps it where another object is the key there.
// breaks: DCT-0034 leak
#include "map_cell.h"
#include "map_entries.h"
#include "wrapped_global.h"

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int is_other = 0;
  TVMFFIObject* key = NULL;
  if (num_args == 3 && args[0].type_index == kTVMFFIDict && args[1].type_index >= kTVMFFIStaticObjectBegin) {
    TVMFFIAny has = {0};
    key = args[1].v_obj;
    if (call_global("ffi.DictCount", args, 2, &has) == 0) is_other = (int)has.v_int64;
    for (TVMFFIAny* entry = first_entry(&args[0]); entry && is_other; entry = next_entry(&args[0], entry)) {
      if (entry->type_index >= kTVMFFIStaticObjectBegin && entry->v_obj == key) is_other = 0;
    }
  }
  int code = call_original(original, args, num_args, result);
  if (code == 0 && is_other) real.TVMFFIObjectIncRef(key);
  return code;
}

WRAPPED_GLOBAL("ffi.DictSetItem", set_item)
