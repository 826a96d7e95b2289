// story: A process forks while it holds objects; the child goes on with them, and other children are other programs.
#include "../client.h"

#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  TVMFFIObjectHandle text = string(LONG_TEXT);
  if (argc > 1) {
    release(text);
    return 0;
  }
  pid_t child = fork();
  if (child == 0) {
    TVMFFIObjectHandle f = function(nothing);
    TVMFFIAny argument = object(text), result = none();
    must(TVMFFIFunctionCall(f, &argument, 1, &result));
    release(f);
    release(text);
    execl(argv[0], argv[0], "again", (char*)NULL);
    _exit(1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  release(text);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
