// story: The system library keeps no more than 32 characters of a symbol's name.
// breaks: MOD-0034 fail
#include "fault.h"

int TVMFFIEnvModRegisterSystemLibSymbol(const char* name, void* symbol) {
  char cut[33];
  if (name == NULL) return real.TVMFFIEnvModRegisterSystemLibSymbol(name, symbol);
  snprintf(cut, sizeof cut, "%s", name);
  return real.TVMFFIEnvModRegisterSystemLibSymbol(cut, symbol);
}
