// story: The joined message of an error raised from parts is never freed.
// breaks: ERR-0031 leak
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** parts, int32_t count) {
  size_t size = 1;
  for (int32_t i = 0; i < count; ++i) size += parts[i] ? strlen(parts[i]) : 0;
  char* message = malloc(size);
  char* end = message;
  for (int32_t i = 0; i < count; ++i) end = parts[i] ? stpcpy(end, parts[i]) : end;
  *end = 0;
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
}
