/* What a Map or a Dict has behind its header. */
#ifndef TVM_FFI_MAP_CELL_H_
#define TVM_FFI_MAP_CELL_H_

#include "fault.h"

struct map_cell {
  TVMFFIAny* data;
  uint64_t size, slots;
  void (*data_deleter)(void*);
};

static inline struct map_cell* map_cell(const TVMFFIAny* map) { return (struct map_cell*)(map->v_obj + 1); }

static inline int is_small(const struct map_cell* cell) { return (int)(cell->slots >> 63); }

#endif /* TVM_FFI_MAP_CELL_H_ */
