// story: A context symbol that is registered again with NULL keeps its former value, though the registration succeeds.
// breaks: MOD-0032 fail
#include "fault.h"
int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol) {
  if (name && !symbol) return 0;
  return real.TVMFFIEnvModRegisterContextSymbol(name, symbol);
}
