// story: A context symbol that is registered again keeps its first value.
// breaks: MOD-0032 fail
#include "first_value.h"

int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol) {
  return name == NULL || is_new(name) ? real.TVMFFIEnvModRegisterContextSymbol(name, symbol) : 0;
}
