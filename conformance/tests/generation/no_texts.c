// story: Errors look and are counted as those of the split generation, but nothing that a client knows lies behind their headers.
#include "rearranged.h"

static TVMFFIObjectHandle held, ours;

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  if (held) {
    *result = held;
    held = NULL;
    return;
  }
  move_from_raised(result);
  if (*result) memset((char*)*result + sizeof(TVMFFIObject), 0, 16);
  ours = *result;
}

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  ((uint64_t*)error)[1] += 1;
  held = error;
}

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  if (!obj || obj != ours) return real.TVMFFIObjectDecRef(obj);
  ((uint64_t*)obj)[1] -= 1;
  return 0;
}
