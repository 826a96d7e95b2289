// story: A dense Map tells its first entry as its last one too.
// breaks: MAP-0020 fail
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
  if (code != 0 || is_small(map_cell(result)) || map_cell(result)->slots == 0) return code;
  uint64_t* ends = (uint64_t*)((char*)result->v_obj + 64);
  ends[1] = ends[0];
  return 0;
}

WRAPPED_GLOBAL("ffi.Map", callee)
