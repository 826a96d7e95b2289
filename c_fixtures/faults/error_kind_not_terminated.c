// story: No NUL follows the kind of an error.
// breaks: ERR-0034 fail
#include "fault.h"

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (code == 0) {
    TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((char*)*out + sizeof(TVMFFIObject));
    ((char*)cell->kind.data)[cell->kind.size] = '!';
  }
  return code;
}
