/*
 * Runs callers outside of the suite, one after the other in one process, for tools that watch a process:
 * all_callers CALLERS.so caller_NAME...
 */
#include <dlfcn.h>
#include <string.h>

#include "../callers/caller.h"

static const char* clause = "";
static const char* call = "";

static void set_clause(void* context, const char* id) {
  (void)context;
  clause = id;
}

static void set_call(void* context, const char* text) {
  (void)context;
  call = text;
}

static void leave(void* context) { (void)context; }

static void print_unmet(void* context, const char* what, const char* expected, const char* got) {
  fprintf(stderr, "%s: %s, %s: %s: expected %s, got %s\n", (const char*)context, clause, call, what, expected, got);
}

int main(int argc, char** argv) {
  int i, failures = 0;
  void* callers = argc > 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (!callers) {
    fprintf(stderr, "usage: %s CALLERS.so caller_NAME...\n%s\n", argv[0], argc > 2 ? dlerror() : "");
    return 2;
  }
  for (i = 2; i < argc; ++i) {
    struct caller t = {argv[i], set_clause, set_call, leave, print_unmet, ""};
    int (*caller)(struct caller*);
    void* symbol = dlsym(callers, argv[i]);
    if (!symbol) {
      fprintf(stderr, "%s\n", dlerror());
      return 2;
    }
    memcpy(&caller, &symbol, sizeof(caller));
    failures += caller(&t) != 0;
  }
  printf("%d callers, %d failures\n", argc - 2, failures);
  return failures != 0;
}
