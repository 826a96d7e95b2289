// story: A context symbol that is registered again keeps its first value.
// breaks: MOD-0032 fail
#include "fault.h"

int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol) {
  static char known[4096] = "\n";
  static char line[256];
  if (name == NULL) return real.TVMFFIEnvModRegisterContextSymbol(name, symbol);
  snprintf(line, sizeof line, "\n%s\n", name);
  if (strstr(known, line) != NULL) return 0;
  strncat(known, line + 1, sizeof known - strlen(known) - 1);
  return real.TVMFFIEnvModRegisterContextSymbol(name, symbol);
}
