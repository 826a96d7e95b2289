// story: Registering a symbol looks at its name before it is known to have one.
// breaks: MOD-0085 crash
#include "fault.h"

int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol) {
  (void)*(volatile const char*)name;
  return real.TVMFFIEnvModRegisterContextSymbol(name, symbol);
}
