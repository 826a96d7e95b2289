// story: update_backtrace empties the backtrace before it copies the new one, which is wrong when the new one is the first part of the old.
// breaks: ERR-0007 fail
#include "fault.h"
static void (*original)(TVMFFIObjectHandle, const TVMFFIByteArray*, int32_t);
static void update(TVMFFIObjectHandle self, const TVMFFIByteArray* bytes, int32_t mode) {
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)self + 1);
  if (mode == 0 && bytes->size && bytes->data == cell->backtrace.data) *(char*)cell->backtrace.data = 0;
  original(self, bytes, mode);
}
static int changed(int code, TVMFFIObjectHandle* out) {
  if (code != 0) return code;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)*out + 1);
  __atomic_store_n(&original, cell->update_backtrace, __ATOMIC_SEQ_CST);
  cell->update_backtrace = update;
  return 0;
}
int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out) {
  return changed(real.TVMFFIErrorCreate(kind, message, backtrace, out), out);
}
int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause, TVMFFIObjectHandle context, TVMFFIObjectHandle* out) {
  return changed(real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause, context, out), out);
}
