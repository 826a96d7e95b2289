// story: Errors with a cause or context append to their backtrace only what stands in front of the first NUL.
// breaks: ERR-0008 fail

#include "fault.h"

typedef void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode);

static update update_real;

static void update_text(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode) {
  TVMFFIByteArray text = *backtrace;
  if (mode == kTVMFFIBacktraceUpdateModeAppend && text.size) text.size = strnlen(text.data, text.size);
  __atomic_load_n(&update_real, __ATOMIC_ACQUIRE)(self, &text, mode);
}

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause,
                                              TVMFFIObjectHandle context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause, context, out);
  if (code != 0 || (!cause && !context)) return code;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)*out + 1);
  __atomic_store_n(&update_real, cell->update_backtrace, __ATOMIC_RELEASE);
  cell->update_backtrace = update_text;
  return 0;
}
