// story: The function that registers symbols of the system library is not exported: it was forgotten in a version script.
// lacks: TVMFFIEnvModRegisterSystemLibSymbol
// breaks: MOD-0033 crash
// breaks: MOD-0033 fail
// breaks: MOD-0034 fail
// breaks: MOD-0051 fail
// breaks: MOD-0072 fail
// breaks: SYM-0002 fail
#include "fault.h"
