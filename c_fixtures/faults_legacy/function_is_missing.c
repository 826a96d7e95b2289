// story: TVMBackendRunOnce is not exported.
// breaks: LEG-0041 fail
// lacks: TVMBackendRunOnce
#include "fault.h"
