// story: A symbol of the system library that is registered again keeps its first address.
// breaks: MOD-0051 fail
#include "first_value.h"

int TVMFFIEnvModRegisterSystemLibSymbol(const char* name, void* symbol) {
  return name == NULL || is_new(name) ? real.TVMFFIEnvModRegisterSystemLibSymbol(name, symbol) : 0;
}
