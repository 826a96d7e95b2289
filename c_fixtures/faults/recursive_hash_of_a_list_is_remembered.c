// story: ffi.RecursiveHash remembers the List that a thread has asked about last, and answers the same until the number of its elements changes.
// breaks: REC-0011 fail
// chance: A List may have the address of one that has ended.
#include "wrapped_global.h"

static _Thread_local struct { TVMFFIObject* list; int64_t size; TVMFFIAny hash; } last;

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_list = num_args == 1 && args[0].type_index == kTVMFFIList;
  if (is_list && last.list == args[0].v_obj && last.size == sequence_cell(&args[0])->size) {
    *result = last.hash;
    return 0;
  }
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !is_list) return code;
  last.list = args[0].v_obj;
  last.size = sequence_cell(&args[0])->size;
  last.hash = *result;
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
