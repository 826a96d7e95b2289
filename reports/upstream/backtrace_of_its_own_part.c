#include <stdio.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

int main(void) {
  TVMFFIByteArray kind = {"ValueError", 10}, message = {"no", 2}, backtrace = {"inner\nouter\n", 12};
  TVMFFIObjectHandle error = NULL;
  if (TVMFFIErrorCreate(&kind, &message, &backtrace, &error) != 0) return 2;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  /* Leaves the inner frame out. */
  TVMFFIByteArray outer = {cell->backtrace.data + 6, 6};
  cell->update_backtrace(error, &outer, kTVMFFIBacktraceUpdateModeReplace);
  int kept = cell->backtrace.size == 6 && memcmp(cell->backtrace.data, "outer\n", 6) == 0;
  printf("the backtrace is %zu bytes long and %s what was put in its place\n", (size_t)cell->backtrace.size,
         kept ? "is" : "is not");
  TVMFFIObjectDecRef(error);
  return !kept;
}
