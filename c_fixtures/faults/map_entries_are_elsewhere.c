// story: The entries of a small Map or Dict lie in memory of their own, and nothing ends it.
// breaks: DCT-0016 fail
// chance: Memory is freed twice.
#include "wrapped_global.h"

/* What a Map or a Dict has behind its header. */
struct map_cell {
  TVMFFIAny* data;
  uint64_t size, slots;
  void (*data_deleter)(void*);
};

static struct map_cell* map_cell(const TVMFFIAny* map) { return (struct map_cell*)(map->v_obj + 1); }

static inline int is_small(const struct map_cell* cell) { return (int)(cell->slots >> 63); }

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !is_small(map_cell(result))) return code;
  TVMFFIAny* elsewhere = calloc(8, sizeof(TVMFFIAny));
  memcpy(elsewhere, map_cell(result)->data, 2 * map_cell(result)->size * sizeof(TVMFFIAny));
  map_cell(result)->data = elsewhere;
  return 0;
}

static const char* const names[] = {
    "ffi.Map", "ffi.Dict",
};

/* Puts a wrapper in the place of each of the functions. */
int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrappers[sizeof(names) / sizeof(names[0])];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  for (int i = 0; code == 0 && *out != NULL && i < (int)(sizeof(names) / sizeof(names[0])); ++i) {
    if (name->size != strlen(names[i]) || memcmp(name->data, names[i], name->size) != 0) continue;
    if (wrappers[i] == NULL) {
      code = real.TVMFFIFunctionCreate(*out, callee, NULL, &wrappers[i]);
      if (code != 0) return code;
    } else {
      real.TVMFFIObjectDecRef(*out);
    }
    real.TVMFFIObjectIncRef(wrappers[i]);
    *out = wrappers[i];
    break;
  }
  return code;
}
