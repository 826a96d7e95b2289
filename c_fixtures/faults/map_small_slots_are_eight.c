// story: A small Map says that it has eight slots.
// breaks: MAP-0016 fail
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
  if (code == 0 && is_small(map_cell(result))) map_cell(result)->slots = (uint64_t)1 << 63 | 8;
  return code;
}

WRAPPED_GLOBAL("ffi.Map", callee)
