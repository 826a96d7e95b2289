/* Runs one caller on one library: runner LIBRARY CALLERS OPERATORS NAME. Each line on standard output is an event: `clause ID`,
 * `unmet WHAT | EXPECTED | GOT`. It exits with 0 if all was as expected, and with 1 if not. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "caller.h"

static void clause(void* context, const char* id) {
  (void)context;
  printf("clause %s\n", id);
  fflush(stdout);
}

static void enter(void* context, const char* call) { (void)context, (void)call; }
static void leave(void* context) { (void)context; }

static void unmet(void* context, const char* what, const char* expected, const char* got) {
  (void)context;
  printf("unmet %s | %s | %s\n", what, expected, got);
  fflush(stdout);
}

int main(int count, char** args) {
  struct caller caller = {NULL, clause, enter, leave, unmet, NULL};
  int (*run)(struct caller*);
  void* callers;
  char name[256];
  if (count != 5) return 2;
  caller.operators = args[3];
  if (!dlopen(args[1], RTLD_NOW | RTLD_GLOBAL) || !(callers = dlopen(args[2], RTLD_NOW))) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  snprintf(name, sizeof(name), "caller_%s", args[4]);
  *(void**)&run = dlsym(callers, name);
  if (!run) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  return run(&caller);
}
