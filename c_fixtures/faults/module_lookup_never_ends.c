// story: The search for a function that no import and no global has goes round in circles.
// breaks: MOD-0027 timeout
#include <unistd.h>

#include "fault.h"

/* Whether an error says that something was not found, and not that it could not be asked for. */
static int is_missing(TVMFFIObjectHandle library_ctx, const char* func_name) {
  static const char kind[] = "RuntimeError";
  TVMFFIObjectHandle error = NULL;
  if (library_ctx == NULL || func_name == NULL) return 0;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) return 0;
  const TVMFFIErrorCell* cell = (const TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  int missing = cell->kind.size == sizeof(kind) - 1 && memcmp(cell->kind.data, kind, sizeof(kind) - 1) == 0;
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
  return missing;
}

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
  int lost = code != 0 && is_missing(library_ctx, func_name);
  while (lost) pause();
  return code;
}
