// story: ffi.ReprPrint of an Array of two Lists that are in each other writes the second as it stands in the first, with dots.
// breaks: REC-0037 fail
#include "wrapped_global.h"

static int holds(const TVMFFIAny* list, const TVMFFIAny* other) {
  const TVMFFIAny* items = sequence_cell(list)->data;
  for (int64_t i = 0; i < sequence_cell(list)->size; ++i) {
    if (items[i].type_index == kTVMFFIList && items[i].v_obj == other->v_obj) return 1;
  }
  return 0;
}

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIArray || sequence_cell(&args[0])->size != 2) return call_original(original, args, num_args, result);
  const TVMFFIAny* items = sequence_cell(&args[0])->data;
  int lists = items[0].type_index == kTVMFFIList && items[1].type_index == kTVMFFIList && items[0].v_obj != items[1].v_obj;
  if (!lists || !holds(&items[0], &items[1]) || !holds(&items[1], &items[0])) return call_original(original, args, num_args, result);
  TVMFFIAny first = {0};
  int code = call_original(original, items, 1, &first);
  if (code != 0) return code;
  TVMFFIByteArray part = text_of(&first);
  char* text = malloc(part.size + 16);
  memcpy(text, "(", 1);
  memcpy(text + 1, part.data, part.size);
  memcpy(text + 1 + part.size, ", [...])", 8);
  code = real.TVMFFIStringFromByteArray(&(TVMFFIByteArray){text, part.size + 9}, result);
  free(text);
  if (first.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(first.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
