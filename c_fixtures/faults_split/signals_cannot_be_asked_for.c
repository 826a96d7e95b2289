// story: The library does not export TVMFFIEnvCheckSignals.
// breaks: SPL-0001 fail
// lacks: TVMFFIEnvCheckSignals
#include "split_fault.h"
