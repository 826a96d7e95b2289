/* Headers of Errors, rearranged as the split generation has them, counted so, and raised. */
#include <stdint.h>
#include "fault.h"

static inline void to_split(TVMFFIObjectHandle error) {
  uint64_t* words = error;
  uint64_t combined = words[0];
  words[0] = (combined >> 32 << 32) | words[1];
  words[1] = (uint32_t)combined;
}

static inline void move_from_raised(TVMFFIObjectHandle* result) {
  real.TVMFFIErrorMoveFromRaised(result);
  if (*result) to_split(*result);
}

static TVMFFIObjectHandle raised;

/** Raises a rearranged error, or none. */
static inline void raise_split(TVMFFIObjectHandle error) {
  if (error) ((uint64_t*)error)[1] += 1;
  if (raised) ((uint64_t*)raised)[1] -= 1;
  raised = error;
}
