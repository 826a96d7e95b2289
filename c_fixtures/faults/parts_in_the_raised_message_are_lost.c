// story: Raising an error of parts lets the raised one go first: a part that lies in that one's message is lost.
// breaks: ERR-0011 fail
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** parts, int32_t num_parts) {
  TVMFFIObjectHandle old = NULL;
  real.TVMFFIErrorMoveFromRaised(&old);
  /* The kind may lie in the same error. */
  char* own_kind = kind ? strdup(kind) : NULL;
  const char** kept = calloc(num_parts > 0 ? num_parts : 1, sizeof(*kept));
  for (int32_t i = 0; i < num_parts; ++i) {
    kept[i] = parts[i];
    if (!old || !parts[i] || (uint32_t)((TVMFFIObject*)old)->combined_ref_count != 1) continue;
    const TVMFFIByteArray message = ((TVMFFIErrorCell*)((TVMFFIObject*)old + 1))->message;
    if ((uintptr_t)parts[i] >= (uintptr_t)message.data && (uintptr_t)parts[i] < (uintptr_t)message.data + message.size) kept[i] = NULL;
  }
  if (old) real.TVMFFIObjectDecRef(old);
  real.TVMFFIErrorSetRaisedFromCStrParts(own_kind, kept, num_parts);
  free(own_kind);
  free(kept);
}
