// story: TVMFFIErrorSetRaisedFromCStrParts makes the message of the first 32 parts.
// breaks: ERR-0011 fail

#include "fault.h"

enum { kMost = 32 };

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** parts, int32_t num_parts) {
  const char* lengths_known[kMost];
  int32_t used = 0;
  for (int32_t i = 0; i < num_parts && used < kMost; ++i) {
    if (parts[i]) lengths_known[used++] = parts[i];
  }
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, lengths_known, used);
}
