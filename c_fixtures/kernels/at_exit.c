/* Runs a function while the process ends: when a library's destructors run, all functions registered by atexit have run. */
#include <stddef.h>

static void (*last_function)(void*) = NULL;
static void* last_context = NULL;

__attribute__((visibility("default"))) void run_at_exit(void (*function)(void*), void* context) {
  last_function = function;
  last_context = context;
}

__attribute__((destructor)) static void run_last(void) {
  if (last_function != NULL) last_function(last_context);
}
