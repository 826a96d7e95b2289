// story: Handles can be initialised but not deinitialised: one function of the pair is missing.
// breaks: ONC-0004 crash
// breaks: ONC-0009 crash
// breaks: SYM-0003 fail
// lacks: TVMFFIHandleDeinitOnce
#include "fault.h"
