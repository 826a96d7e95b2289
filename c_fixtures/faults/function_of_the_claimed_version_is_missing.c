// story: A function that came alone is not exported, though the library claims a later version.
// breaks: SYM-0009 fail
// lacks: TVMFFITensorCreateUnsafeView
#include "fault.h"
