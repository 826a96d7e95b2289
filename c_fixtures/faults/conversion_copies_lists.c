// story: The conversion to a List makes a new List of every sequence, of a List too.
// breaks: INS-0012 fail
#include <pthread.h>
#include "wrapped_global.h"

static int convert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIList) return call_original(original, args, num_args, result);
  return call_global("ffi.List", sequence_cell(args)->data, sequence_cell(args)->size, result);
}

static void put(void) {
  const TVMFFIByteArray name = {"__ffi_convert__", 15};
  TVMFFIAny* entry = (TVMFFIAny*)&real.TVMFFIGetTypeAttrColumn(&name)->data[kTVMFFIList];
  TVMFFIObjectHandle made = NULL;
  if (real.TVMFFIFunctionCreate(entry->v_obj, convert, NULL, &made) == 0) entry->v_obj = made;
}

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, put);
  return real.TVMFFIGetTypeAttrColumn(attr_name);
}
