// story: A thread remembers the column that it asked for last by the address and length of the name, not by its bytes.
// breaks: RFL-0029 fail
#include "fault.h"
static __thread TVMFFIByteArray last_name;
static __thread const TVMFFITypeAttrColumn* last;
const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {
  if (last && name->data == last_name.data && name->size == last_name.size) return last;
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(name);
  if (column) { last = column; last_name = *name; }
  return column;
}
