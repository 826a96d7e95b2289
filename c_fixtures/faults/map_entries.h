/*
 * The entries of a Map or a Dict in their order, each a key and the value behind it:
 *
 *   for (TVMFFIAny* entry = first_entry(&map); entry; entry = next_entry(&map, entry)) ...
 *   value_at(&map, "nodes")                                the value of a text, borrowed; None where there is none
 */
#ifndef TVM_FFI_MAP_ENTRIES_H_
#define TVM_FFI_MAP_ENTRIES_H_

#include "map_dense_cell.h"

/** What an item of a dense table leads to in front of the first one and behind the last. */
static const uint64_t NO_ITEM = UINT64_MAX;

static inline TVMFFIAny* first_entry(const TVMFFIAny* map) {
  const struct map_cell* cell = map_cell(map);
  if (cell->size == 0) return NULL;
  return is_small(cell) ? cell->data : &dense_item(map, dense_cell(map)->first)->key;
}

static inline TVMFFIAny* next_entry(const TVMFFIAny* map, TVMFFIAny* entry) {
  const struct map_cell* cell = map_cell(map);
  if (is_small(cell)) return entry + 2 < cell->data + 2 * cell->size ? entry + 2 : NULL;
  const uint64_t next = ((const struct dense_item*)entry)->next;
  return next == NO_ITEM ? NULL : &dense_item(map, next)->key;
}

static inline TVMFFIAny value_at(const TVMFFIAny* map, const char* key) {
  for (TVMFFIAny* entry = first_entry(map); entry; entry = next_entry(map, entry)) {
    const TVMFFIByteArray name = text_of(entry);
    if (is(&name, key)) return entry[1];
  }
  return (TVMFFIAny){.type_index = kTVMFFINone};
}

#endif /* TVM_FFI_MAP_ENTRIES_H_ */
