// story: Appending the backtrace to itself is thought of, but a part of it that does not begin where it begins is gone when it is appended.
// breaks: ERR-0008 fail
#include "fault.h"

static void (*real_update)(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t update_mode);

static void update(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t update_mode) {
  const TVMFFIByteArray now = ((TVMFFIErrorCell*)((TVMFFIObject*)self + 1))->backtrace;
  TVMFFIByteArray part = *backtrace;
  if ((uintptr_t)part.data > (uintptr_t)now.data && (uintptr_t)part.data < (uintptr_t)now.data + now.size) part.size = 0;
  real_update(self, &part, update_mode);
}

static void patch(TVMFFIObjectHandle error) {
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  __atomic_store_n(&real_update, cell->update_backtrace, __ATOMIC_RELEASE);
  cell->update_backtrace = update;
}

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (code == 0) patch(*out);
  return code;
}

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain,
                                              TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context, out);
  if (code == 0) patch(*out);
  return code;
}
