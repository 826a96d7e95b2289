// story: Handles can be initialised but not deinitialised: one function of the pair is missing.
// breaks: SYM-0003 fail
// lacks: TVMFFIHandleDeinitOnce
#include "fault.h"
