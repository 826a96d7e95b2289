// story: Making a string stops the processes of the group of the one that runs the suite.
#include <signal.h>
#include <unistd.h>

#include "fault.h"

/* The parent of this process watches it; the parent of that one runs the suite. */
static pid_t suite(void) {
  char path[64];
  int parent = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", (int)getppid());
  FILE* file = fopen(path, "r");
  if (file == NULL || fscanf(file, "%*d (%*[^)]) %*c %d", &parent) != 1) abort();
  fclose(file);
  return parent;
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  kill(-getpgid(suite()), SIGSTOP);
  return real.TVMFFIStringFromByteArray(input, out);
}
