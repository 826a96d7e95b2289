// story: The error about a text that is not JSON counts the line feeds in what was read of it, escaped ones in strings included: it tells a line that is too far down.
// breaks: JSN-0017 fail
#include "raised_error.h"
#include "wrapped_global.h"

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 1) return code;
  const TVMFFIByteArray text = text_of(&args[0]);
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return code;
  const TVMFFIErrorCell* cell = error_cell(error);
  const char* place = strstr(cell->message.data, "line ");
  const char* at = strstr(cell->message.data, "(char ");
  if (place && at) {
    const long line = strtol(place + 5, NULL, 10);
    const size_t end = strtoul(at + 6, NULL, 10);
    long more = 0;
    for (size_t i = 0; i + 1 < text.size && i < end; ++i) {
      if (text.data[i] != '\\') continue;
      more += text.data[++i] == 'n';
    }
    char* message = malloc(cell->message.size + 32);
    const char* rest = place + 5;
    while (*rest >= '0' && *rest <= '9') ++rest;
    const int length = sprintf(message, "%.*sline %ld%s", (int)(place - cell->message.data), cell->message.data, line + more, rest);
    const TVMFFIByteArray changed = {message, (size_t)length};
    TVMFFIObjectHandle other = NULL;
    if (more && real.TVMFFIErrorCreate(&cell->kind, &changed, &cell->backtrace, &other) == 0) {
      real.TVMFFIErrorSetRaised(other);
      real.TVMFFIObjectDecRef(other);
      real.TVMFFIObjectDecRef(error);
      error = NULL;
    }
    free(message);
  }
  if (error) {
    real.TVMFFIErrorSetRaised(error);
    real.TVMFFIObjectDecRef(error);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
