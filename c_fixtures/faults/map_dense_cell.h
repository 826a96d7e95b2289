/* What a dense Map or Dict has behind its header, and its blocks: sixteen bytes of metadata and sixteen items each. */
#ifndef TVM_FFI_MAP_DENSE_CELL_H_
#define TVM_FFI_MAP_DENSE_CELL_H_

#include "map_cell.h"

struct dense_cell {
  struct map_cell map;
  uint32_t fib_shift;
  uint64_t first, last;
};

struct dense_item {
  TVMFFIAny key, value;
  uint64_t previous, next;
};

static inline struct dense_cell* dense_cell(const TVMFFIAny* map) { return (struct dense_cell*)map_cell(map); }

static inline int is_dense(const TVMFFIAny* map) {
  const struct map_cell* cell = map_cell(map);
  return !is_small(cell) && cell->slots > 0;
}

static inline unsigned char* dense_metadata(const TVMFFIAny* map, uint64_t slot) {
  return (unsigned char*)map_cell(map)->data + slot / 16 * 784 + slot % 16;
}

static inline struct dense_item* dense_item(const TVMFFIAny* map, uint64_t slot) {
  return (struct dense_item*)((char*)map_cell(map)->data + slot / 16 * 784 + 16 + slot % 16 * 48);
}

#endif /* TVM_FFI_MAP_DENSE_CELL_H_ */
