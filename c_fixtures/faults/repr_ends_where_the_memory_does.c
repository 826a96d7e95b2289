// story: ffi.ReprPrint answers as much of the text as was written where its buffer cannot be made larger.
// breaks: MEM-0001 fail
#include "wrapped_global.h"

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny whole = {0};
  int code = call_original(original, args, num_args, &whole);
  if (code != 0) return code;
  const TVMFFIByteArray text = text_of(&whole);
  char* buffer = NULL;
  size_t size = 0, room = 0;
  for (; size < text.size; ++size) {
    if (size == room) {
      char* larger = realloc(buffer, room + 8);
      if (!larger) break;
      buffer = larger;
      room += 8;
    }
    buffer[size] = text.data[size];
  }
  const TVMFFIByteArray written = {buffer, size};
  code = real.TVMFFIStringFromByteArray(&written, result);
  free(buffer);
  if (whole.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(whole.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
