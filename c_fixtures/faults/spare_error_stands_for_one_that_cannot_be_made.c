// story: Where there is no memory for an Error, TVMFFIErrorCreate answers 0 and a MemoryError that was made beside the first one.
// breaks: MEM-0001 fail
#include "fault.h"

static TVMFFIObjectHandle spare;

static void make_spare(void) {
  const TVMFFIByteArray kind = {"MemoryError", 11}, message = {"Out of memory", 13}, backtrace = {"", 0};
  TVMFFIObjectHandle made = NULL, expected = NULL;
  if (real.TVMFFIErrorCreate(&kind, &message, &backtrace, &made) != 0) return;
  if (!__atomic_compare_exchange_n(&spare, &expected, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    real.TVMFFIObjectDecRef(made);
  }
}

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  TVMFFIObjectHandle kept = __atomic_load_n(&spare, __ATOMIC_ACQUIRE);
  if (code == 0 && !kept) make_spare();
  if (code == 0 || !kind || !message || !backtrace || !out || !kept) return code;
  real.TVMFFIObjectIncRef(kept);
  *out = kept;
  return 0;
}
