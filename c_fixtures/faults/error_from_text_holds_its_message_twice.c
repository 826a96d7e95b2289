// story: An error that is raised from a C string has its message for an extra context, too.
// breaks: ERR-0027 fail
#include "raised_error.h"

static void change(TVMFFIObjectHandle error) {
  TVMFFIAny text = {0};
  if (real.TVMFFIStringFromByteArray(&error_cell(error)->message, &text) == 0 && text.type_index == kTVMFFIStr) {
    error_cell(error)->extra_context = text.v_obj;
  }
}

CHANGED_ERRORS_FROM_TEXT(change)
