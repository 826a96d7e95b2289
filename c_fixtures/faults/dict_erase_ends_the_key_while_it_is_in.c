// story: To erase a key that is an object ends the key before the entry is taken out.
// breaks: CNT-0011 fail
#include "map_entries.h"
#include "wrapped_global.h"

/** The key in the Dict, if nobody else refers to it. */
static TVMFFIObject* own_key(const TVMFFIAny* dict, const TVMFFIAny* key) {
  for (TVMFFIAny* entry = first_entry(dict); entry; entry = next_entry(dict, entry)) {
    const int is_it = entry->type_index == key->type_index && entry->v_obj == key->v_obj;
    if (is_it) return key->v_obj->combined_ref_count == (UINT64_C(1) << 32 | 1) ? key->v_obj : NULL;
  }
  return NULL;
}

static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_object = num_args == 2 && args[0].type_index == kTVMFFIDict && args[1].type_index == kTVMFFIOpaquePyObject;
  TVMFFIObject* key = is_object ? own_key(&args[0], &args[1]) : NULL;
  if (!key || !key->deleter) return call_original(original, args, num_args, result);
  void (*deleter)(void*, int) = key->deleter;
  deleter(key, kTVMFFIObjectDeleterFlagBitMaskStrong);
  key->deleter = NULL;
  const int code = call_original(original, args, num_args, result);
  deleter(key, kTVMFFIObjectDeleterFlagBitMaskWeak);
  return code;
}

WRAPPED_GLOBAL("ffi.DictErase", erase)
