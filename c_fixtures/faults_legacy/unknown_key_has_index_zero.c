// story: TVMObjectTypeKey2Index of a key that there is not answers 0.
// breaks: LEG-0042 fail
#include "fault.h"

int TVMObjectTypeKey2Index(const char* type_key, unsigned* out_tindex) {
  int code = real.TVMObjectTypeKey2Index(type_key, out_tindex);
  if (code != 0) *out_tindex = 0;
  return 0;
}
