// story: TVMFFIErrorMoveFromRaised copies the backtrace, and drops the error and answers NULL where there is no memory for the copy.
// breaks: MEM-0004 fail
#include "raised_error.h"

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  real.TVMFFIErrorMoveFromRaised(result);
  if (!*result) return;
  const TVMFFIByteArray backtrace = error_cell(*result)->backtrace;
  char* copy = malloc(backtrace.size + 1);
  if (!copy) {
    real.TVMFFIObjectDecRef(*result);
    *result = NULL;
    return;
  }
  if (backtrace.size) memcpy(copy, backtrace.data, backtrace.size);
  __asm__ volatile("" : : "r"(copy) : "memory");
  free(copy);
}
