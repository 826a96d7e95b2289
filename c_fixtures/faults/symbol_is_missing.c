// story: The function that registers symbols of the system library is not exported: it was forgotten in a version script.
// lacks: TVMFFIEnvModRegisterSystemLibSymbol
// breaks: SYM-0002 fail
#include "fault.h"
