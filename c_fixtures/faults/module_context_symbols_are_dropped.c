// story: A context symbol is taken and forgotten.
// breaks: MOD-0030 fail
#include "fault.h"

int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol) {
  return name != NULL ? 0 : real.TVMFFIEnvModRegisterContextSymbol(name, symbol);
}
