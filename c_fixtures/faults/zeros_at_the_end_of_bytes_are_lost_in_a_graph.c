// story: Bytes that are read from a JSON graph end before the zeros at their end.
// breaks: GRF-0001 fail
#include "wrapped_global.h"

static int from_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || (result->type_index != kTVMFFIBytes && result->type_index != kTVMFFISmallBytes)) return code;
  TVMFFIByteArray bytes = {result->v_bytes, result->small_str_len};
  if (result->type_index == kTVMFFIBytes) bytes = *(TVMFFIByteArray*)(result->v_obj + 1);
  if (bytes.size == 0 || bytes.data[bytes.size - 1] != 0) return 0;
  while (bytes.size > 0 && bytes.data[bytes.size - 1] == 0) --bytes.size;
  TVMFFIAny whole = *result;
  code = real.TVMFFIBytesFromByteArray(&bytes, result);
  if (whole.type_index == kTVMFFIBytes) real.TVMFFIObjectDecRef(whole.v_obj);
  return code;
}

WRAPPED_GLOBALS(from_graph, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
