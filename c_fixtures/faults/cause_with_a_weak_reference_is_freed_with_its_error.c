// story: An error ends its cause in a loop that looks at the strong count alone, and frees it though weak references are held.
// breaks: OBJ-0010 fail
#include "raised_error.h"

static void (*end)(void*, int);
static void end_with_cause(void* self, int flags) {
  TVMFFIErrorCell* cell = error_cell(self);
  TVMFFIObject* cause = cell->cause_chain;
  if ((flags & 1) && cause && (uint32_t)__atomic_load_n(&cause->combined_ref_count, __ATOMIC_ACQUIRE) == 1) {
    cell->cause_chain = NULL;
    __atomic_sub_fetch(&cause->combined_ref_count, 1, __ATOMIC_ACQ_REL);
    if (cause->deleter) cause->deleter(cause, 3);
  }
  end(self, flags);
}
int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause,
                                              TVMFFIObjectHandle context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause, context, out);
  if (code != 0) return code;
  __atomic_store_n(&end, ((TVMFFIObject*)*out)->deleter, __ATOMIC_RELEASE);
  ((TVMFFIObject*)*out)->deleter = end_with_cause;
  return 0;
}
