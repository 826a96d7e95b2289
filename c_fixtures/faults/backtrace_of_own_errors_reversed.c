// story: The backtrace of an error that the library raises itself begins with the outermost call.
// breaks: BTR-0008 fail
#include "fault.h"

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  int code = real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  if (code == 0 || !type_key) return code;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return code;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  TVMFFIByteArray lines = {NULL, cell->backtrace.size};
  char *reversed = malloc(lines.size + 1), *to = reversed;
  const char* end = cell->backtrace.data + lines.size;
  while (end > cell->backtrace.data) {
    const char* begin = end - 1;
    while (begin > cell->backtrace.data && begin[-1] != '\n') begin--;
    memcpy(to, begin, end - begin);
    to += end - begin;
    end = begin;
  }
  lines.data = reversed;
  cell->update_backtrace(error, &lines, 0);
  free(reversed);
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
  return code;
}
