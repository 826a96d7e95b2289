// story: The cause of the Error that a thread made last is the thread's: it ends with it, and the Error has none then.
// breaks: ERR-0025 fail
#include "fault.h"
#include <pthread.h>

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Gives up the weak reference to an Error. */
static void forget(TVMFFIObject* error) {
  const uint64_t weak = (uint64_t)1 << 32;
  if (__atomic_sub_fetch(&error->combined_ref_count, weak, __ATOMIC_ACQ_REL) >> 32 == 0) {
    error->deleter(error, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
}

static void thread_ends(void* last) {
  TVMFFIObject* error = last;
  if ((uint32_t)__atomic_load_n(&error->combined_ref_count, __ATOMIC_ACQUIRE) > 0) {
    TVMFFIErrorCell* cell = (TVMFFIErrorCell*)(error + 1);
    TVMFFIObjectHandle cause = cell->cause_chain;
    cell->cause_chain = NULL;
    if (cause) real.TVMFFIObjectDecRef(cause);
  }
  forget(error);
}

static void make_key(void) { pthread_key_create(&key, thread_ends); }

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause,
                                              TVMFFIObjectHandle context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause, context, out);
  if (code != 0 || !cause) return code;
  pthread_once(&once, make_key);
  TVMFFIObject* before = pthread_getspecific(key);
  __atomic_add_fetch(&((TVMFFIObject*)*out)->combined_ref_count, (uint64_t)1 << 32, __ATOMIC_ACQ_REL);
  pthread_setspecific(key, *out);
  if (before) forget(before);
  return 0;
}
