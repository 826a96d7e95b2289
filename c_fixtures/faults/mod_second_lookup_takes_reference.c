// story: TVMFFIEnvModLookupFromImports takes a reference to a function that it finds in its cache, which nobody gives up.
// breaks: MOD-0028 fail

#include "fault.h"

static _Thread_local struct {
  TVMFFIObjectHandle context, function;
  char name[64];
} last;

int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle context, const char* name, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIEnvModLookupFromImports(context, name, out);
  if (code != 0 || strlen(name) >= sizeof(last.name)) return code;
  if (last.context == context && last.function == *out && strcmp(last.name, name) == 0) {
    real.TVMFFIObjectIncRef(*out);
  }
  last.context = context;
  last.function = *out;
  strcpy(last.name, name);
  return 0;
}
