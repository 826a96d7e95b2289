// story: TVMFFIFunctionSetGlobal fails where there is no memory for a copy of the name, but has put the function in by then.
// breaks: MEM-0002 fail
#include "fault.h"

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  int code = real.TVMFFIFunctionSetGlobal(name, f, allow_override);
  if (code != 0) return code;
  char* listed = malloc(name->size + 1);
  if (!listed) return refuse("MemoryError", "no memory for the list of names");
  memcpy(listed, name->data, name->size);
  __asm__ volatile("" : : "r"(listed) : "memory");
  free(listed);
  return 0;
}
