#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

extern void* __libc_malloc(size_t);

/* Which request for memory is refused; 0 for none. */
static int refused;

void* malloc(size_t size) { return refused > 0 && --refused == 0 ? NULL : __libc_malloc(size); }

int main(void) {
  TVMFFIByteArray name = {"ffi.ArraySize", 13};
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionGetGlobal(&name, &function) != 0 || function == NULL) return 2;
  for (int number = 1; number <= 100; number++) {
    pid_t child = fork();
    if (child == 0) {
      TVMFFIAny text = {.type_index = kTVMFFIRawStr, .v_c_str = "a text is no Array"}, ignored = {0};
      refused = number;
      _exit(TVMFFIFunctionCall(function, &text, 1, &ignored) == 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      printf("with request %d for memory refused, the process ends\n", number);
      return 1;
    }
  }
  puts("the call fails whichever request for memory is refused");
  return 0;
}
