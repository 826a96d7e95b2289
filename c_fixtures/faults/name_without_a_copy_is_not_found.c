// story: TVMFFIFunctionGetGlobal looks a copy of the name up; where there is no memory for the copy, it answers 0 and that there is no such function.
// breaks: MEM-0001 fail
#include "fault.h"

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  if (!name || !name->data || !out || name->size > 1 << 20) return real.TVMFFIFunctionGetGlobal(name, out);
  char* key = malloc(name->size + 1);
  if (!key) {
    *out = NULL;
    return 0;
  }
  memcpy(key, name->data, name->size);
  key[name->size] = 0;
  const int code = real.TVMFFIFunctionGetGlobal(&(TVMFFIByteArray){key, name->size}, out);
  free(key);
  return code;
}
