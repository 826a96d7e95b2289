// story: Errors look and are counted as those of the split generation, but nothing that a client knows lies behind their headers.
#include "rearranged.h"

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  move_from_raised(result);
  if (*result) memset((char*)*result + sizeof(TVMFFIObject), 0, 16);
}

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) { raise_split(error); }
