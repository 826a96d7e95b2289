// story: The reader of JSON finds the keys that it has read before by their length and first eight bytes.
// breaks: JSN-0010 fail
#include "map_entries.h"
#include "wrapped_global.h"

enum { MOST = 32 };

static int is_like(const TVMFFIAny* key, const TVMFFIAny* other) {
  const TVMFFIByteArray text = text_of(key), other_text = text_of(other);
  return text.size > 7 && text.size == other_text.size && memcmp(text.data, other_text.data, 8) == 0;
}

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny members[2 * MOST], object = {0};
  int32_t count = 0;
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIMap || map_cell(result)->size > MOST) return code;
  for (TVMFFIAny* entry = first_entry(result); entry; entry = next_entry(result, entry), count += 2) {
    members[count] = entry[0];
    members[count + 1] = entry[1];
    for (int32_t before = count; (before -= 2) >= 0;) {
      if (is_like(entry, &members[before])) members[count] = members[before];
    }
  }
  if (call_global("ffi.Map", members, count, &object) != 0) return -1;
  real.TVMFFIObjectDecRef(result->v_obj);
  *result = object;
  return 0;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
