// story: The backtrace of an error that is raised from a C string begins with the outermost call.
// breaks: BTR-0008 fail
#include "raised_error.h"

static void turn(TVMFFIObjectHandle error) {
  const TVMFFIByteArray old = error_cell(error)->backtrace;
  char* text = malloc(old.size + 1);
  size_t end = old.size, written = 0;
  for (size_t at = old.size; at-- > 0;) {
    if (at == 0 || old.data[at - 1] == '\n') {
      memcpy(text + written, old.data + at, end - at);
      written += end - at;
      end = at;
    }
  }
  const TVMFFIByteArray turned = {text, written};
  error_cell(error)->update_backtrace(error, &turned, kTVMFFIBacktraceUpdateModeReplace);
  free(text);
}

CHANGED_ERRORS_FROM_TEXT(turn)
