// story: has only what the thread has that loaded it
// breaks: another-thread
static __thread int ready;

__attribute__((constructor)) static void get_ready(void) { ready = 1; }

#define BEFORE if (!ready) REFUSE("there is nothing to work with")
#include "add_one.h"
