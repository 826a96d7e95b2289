// story: ffi.MakeObjectFromPackedArgs sets the fields in the order of their names, whatever the order of the arguments.
// admitted: INS-0020: names and values of fields 'in any order'; no sentence says in which order setters are called, or which of two errors is raised.
#include "replaced_globals.h"

static int compare(const void* left, const void* right) {
  const TVMFFIByteArray one = text_of(left), other = text_of(right);
  const size_t common = one.size < other.size ? one.size : other.size;
  const int order = common ? memcmp(one.data, other.data, common) : 0;
  return order ? order : (one.size > other.size) - (one.size < other.size);
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int is_plain = num_args > 3 && num_args % 2 == 1;
  for (int32_t i = 1; is_plain && i < num_args; i += 2) {
    const int32_t type = args[i].type_index;
    is_plain = type == kTVMFFIRawStr || type == kTVMFFISmallStr || type == kTVMFFIStr;
  }
  TVMFFIAny* sorted = is_plain ? malloc((size_t)num_args * sizeof(TVMFFIAny)) : NULL;
  if (!sorted) return call_original(original, args, num_args, result);
  memcpy(sorted, args, (size_t)num_args * sizeof(TVMFFIAny));
  qsort(sorted + 1, (size_t)num_args / 2, 2 * sizeof(TVMFFIAny), compare);
  int code = call_original(original, sorted, num_args, result);
  free(sorted);
  return code;
}

static void install(void) { put("ffi.MakeObjectFromPackedArgs", make); }
