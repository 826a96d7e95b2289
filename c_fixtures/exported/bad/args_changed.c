// story: clears its arguments when it is done
// breaks: args-changed
#define AFTER ((TVMFFIAny*)args)[0] = (TVMFFIAny){.type_index = kTVMFFINone}
#include "add_one.h"
