// story: TVMArrayGetTypeIndex reads at the handle, and not 16 bytes before.
// breaks: LEG-0025 fail
#include "fault.h"

int TVMArrayGetTypeIndex(TVMArrayHandle handle, unsigned* out_tindex);

int TVMArrayGetTypeIndex(TVMArrayHandle handle, unsigned* out_tindex) { return real.TVMObjectGetTypeIndex(handle, out_tindex); }
