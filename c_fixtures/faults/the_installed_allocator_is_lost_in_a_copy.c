// story: In the child of a fork the built-in allocator is in force again, since what the installed one locks may be locked there.
// breaks: ALC-0003 fail
#include "fault.h"
#include <pthread.h>
static void in_child(void) { real.TVMFFISetCustomAllocator(NULL); }
__attribute__((constructor)) static void at_load(void) { pthread_atfork(NULL, NULL, in_child); }
int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) { return real.TVMFFISetCustomAllocator(allocator); }
