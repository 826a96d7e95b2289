// story: Once the library's own handler at exit has run, TVMFFIObjectDecRef lets objects be, for the process ends anyway: deleters of those that are given up by older handlers do not run.
// breaks: OBJ-0009 fail
#include "fault.h"
static int ended;
static void end(void) { ended = 1; }
__attribute__((constructor)) static void begin(void) { atexit(end); }
int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) { return ended ? 0 : real.TVMFFIObjectDecRef(obj); }
