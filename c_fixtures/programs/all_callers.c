/*
 * Runs callers outside of the suite, one after the other and each in a copy of this process, as the suite does, for tools
 * that watch processes: all_callers FIXTURES/CALLERS.so caller_NAME...
 */
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../callers/suite.h"

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

/** Runs one caller in a copy of this process: whether it ended well, and with it whoever watches it. */
static int ends_well(const char* name, int (*caller)(struct caller*), const char* fixtures) {
  struct caller t = {(void*)(uintptr_t)name, set_clause, set_call, leave, print_unmet, fixtures};
  int status = -1;
  pid_t child = fork();
  if (child == 0) exit(caller(&t) != 0);
  if (child < 0 || waitpid(child, &status, 0) != child) perror(name);
  if (WIFSIGNALED(status)) fprintf(stderr, "%s: in %s: ended by signal %d\n", name, call, WTERMSIG(status));
  return status == 0;
}

int main(int argc, char** argv) {
  int i, failures = 0;
  char* end;
  void* callers = argc > 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (!callers) {
    fprintf(stderr, "usage: %s FIXTURES/CALLERS.so caller_NAME...\n%s\n", argv[0], argc > 2 ? dlerror() : "");
    return 2;
  }
  /* Where the callers lie, the libraries lie that they load. */
  end = strrchr(argv[1], '/');
  if (end) *end = '\0';
  for (i = 2; i < argc; ++i) {
    int (*caller)(struct caller*);
    void* symbol = dlsym(callers, argv[i]);
    if (!symbol) {
      fprintf(stderr, "%s\n", dlerror());
      return 2;
    }
    memcpy(&caller, &symbol, sizeof(caller));
    failures += !ends_well(argv[i], caller, end ? argv[1] : ".");
  }
  printf("%d callers, %d failures\n", argc - 2, failures);
  return failures != 0;
}
