// story: Errors look and are raised as those of the split generation, and are given up as before.
#include "rearranged.h"

static TVMFFIObjectHandle held;

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  if (held) {
    *result = held;
    held = NULL;
  } else {
    move_from_raised(result);
  }
}

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  ((uint64_t*)error)[1] += 1;
  held = error;
}
