/* Headers of Errors, rearranged as the split generation has them, and back. */
#include <stdint.h>
#include "fault.h"

static inline void to_split(TVMFFIObjectHandle error) {
  uint64_t* words = error;
  uint64_t combined = words[0];
  words[0] = (combined >> 32 << 32) | words[1];
  words[1] = (uint32_t)combined;
}

static inline void to_combined(TVMFFIObjectHandle error) {
  uint64_t* words = error;
  uint64_t type_index = (uint32_t)words[0];
  words[0] = (words[0] >> 32 << 32) | words[1];
  words[1] = type_index;
}

static inline void move_from_raised(TVMFFIObjectHandle* result) {
  real.TVMFFIErrorMoveFromRaised(result);
  if (*result) to_split(*result);
}
