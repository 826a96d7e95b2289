// story: A Map from which everything was moved is refused as damaged.
// breaks: MAP-0029 fail
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
  if (num_args > 0 && args[0].type_index == kTVMFFIMap && map_cell(&args[0])->slots == 0) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the map has no slots");
    return -1;
  }
  return call_original(original, args, num_args, result);
}

static const char* const names[] = {
    "ffi.MapSize", "ffi.MapCount", "ffi.MapGetItem", "ffi.MapForwardIterFunctor", "ffi.MapGetItemOrMissing",
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
