// story: The entries of a Map whose keys are objects are looked at once more, and a List that leads back to it for ever.
// breaks: SEQ-0029 timeout
#include <unistd.h>

#include "map_cell.h"
#include "wrapped_global.h"

/* Whether the List's first item is a Map with objects as keys, the first of which leads back to it. */
static int leads_back(const TVMFFIAny* list) {
  if (list->type_index != kTVMFFIList || sequence_cell(list)->size == 0) return 0;
  const TVMFFIAny* map = sequence_cell(list)->data;
  if (map->type_index != kTVMFFIMap || map_cell(map)->size != 2) return 0;
  const TVMFFIAny* entry = map_cell(map)->data;
  return entry[0].type_index >= kTVMFFIStaticObjectBegin && entry[1].v_obj == list->v_obj;
}

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  while (num_args > 0 && leads_back(&args[0])) pause();
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralHash", hash)
