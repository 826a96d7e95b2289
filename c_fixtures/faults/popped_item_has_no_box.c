// story: ffi.ListPop puts what it has taken from the List in a box; where there is no memory for one, it raises an error, and the item is gone.
// breaks: MEM-0002 fail
#include "wrapped_global.h"

static int pop(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny item = {0};
  const int code = call_original(original, args, num_args, &item);
  if (code != 0) return code;
  TVMFFIAny* box = malloc(sizeof(TVMFFIAny));
  __asm__ volatile("" : "+r"(box));
  if (!box) {
    if (item.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(item.v_obj);
    return refuse("MemoryError", "no memory for the item");
  }
  *box = item;
  *result = *box;
  free(box);
  return 0;
}

WRAPPED_GLOBAL("ffi.ListPop", pop)
