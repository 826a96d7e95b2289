// story: The search for a device goes round and round in a List that contains itself.
// breaks: CNT-0006 timeout
#include "circle.h"

WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", wait_in_a_circle)
