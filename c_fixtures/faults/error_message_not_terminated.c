// story: No NUL follows the message of an error raised from C strings.
// breaks: ERR-0005 fail
#include "raised_error.h"

static void change(TVMFFIObjectHandle error) {
  const TVMFFIByteArray message = error_cell(error)->message;
  ((char*)message.data)[message.size] = '!';
}

CHANGED_ERRORS_FROM_TEXT(change)
