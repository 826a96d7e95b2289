// story: TVMFFIErrorSetRaisedFromCStr gives the earlier error up first, and where there is no memory for the text of the new one, none is raised.
// breaks: MEM-0006 fail
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  if (!message) return real.TVMFFIErrorSetRaisedFromCStr(kind, message);
  const size_t size = strlen(message) + 1;
  char* text = malloc(size);
  if (!text) {
    real.TVMFFIErrorSetRaised(NULL);
    return;
  }
  memcpy(text, message, size);
  real.TVMFFIErrorSetRaisedFromCStr(kind, text);
  free(text);
}
