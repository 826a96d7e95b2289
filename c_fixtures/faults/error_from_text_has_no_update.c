// story: An error that is raised from a C string has no function that updates its backtrace.
// breaks: ERR-0001 fail
#include "raised_error.h"

static void change(TVMFFIObjectHandle error) { error_cell(error)->update_backtrace = NULL; }

CHANGED_ERRORS_FROM_TEXT(change)
