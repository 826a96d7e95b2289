// story: TVMBackendRunOnce is not exported.
// breaks: LEG-0041 fail
// breaks: LEG-0040 crash
// lacks: TVMBackendRunOnce
#include "fault.h"
