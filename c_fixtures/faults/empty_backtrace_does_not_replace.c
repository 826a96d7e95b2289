// story: update_backtrace leaves at once when it is given no bytes, in the mode that replaces too: a backtrace cannot be taken away.
// breaks: ERR-0007 fail
#include "fault.h"
static void (*updates)(TVMFFIObjectHandle, const TVMFFIByteArray*, int32_t);
static void update(TVMFFIObjectHandle self, const TVMFFIByteArray* bytes, int32_t mode) {
  if (bytes->size == 0) return;
  __atomic_load_n(&updates, __ATOMIC_ACQUIRE)(self, bytes, mode);
}
static int with(int code, TVMFFIObjectHandle* out) {
  if (code != 0) return code;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)*out + 1);
  __atomic_store_n(&updates, cell->update_backtrace, __ATOMIC_RELEASE);
  cell->update_backtrace = update;
  return 0;
}
int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  return with(real.TVMFFIErrorCreate(kind, message, backtrace, out), out);
}
int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause,
                                              TVMFFIObjectHandle extra, TVMFFIObjectHandle* out) {
  return with(real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause, extra, out), out);
}
