// story: ffi.Map drops a key that is given again by overwriting its value, and forgets the reference to it that it took out of an r-value reference.
// breaks: MAP-0032 leak
#include "wrapped_global.h"

/* The String in the slot of the first key that is given away and is equal to one that was lent before; NULL if there is none. */
static TVMFFIObject* given_again(const TVMFFIAny* args, int32_t num_args) {
  for (int32_t i = 2; i + 1 < num_args; i += 2) {
    TVMFFIObject* key = args[i].type_index == kTVMFFIObjectRValueRef ? *(TVMFFIObject**)args[i].v_ptr : NULL;
    if (!key || key->type_index != kTVMFFIStr) continue;
    const TVMFFIAny value = {.type_index = kTVMFFIStr, .v_obj = key};
    const TVMFFIByteArray text = text_of(&value);
    for (int32_t k = 0; k < i; k += 2) {
      const TVMFFIByteArray other = text_of(&args[k]);
      if (text.size == other.size && text.size > 0 && memcmp(text.data, other.data, text.size) == 0) return key;
    }
  }
  return NULL;
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject* key = given_again(args, num_args);
  if (key) real.TVMFFIObjectIncRef(key);
  const int code = call_original(original, args, num_args, result);
  if (key && code != 0) real.TVMFFIObjectDecRef(key);
  return code;
}

WRAPPED_GLOBAL("ffi.Map", make)
