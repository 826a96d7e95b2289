// story: Functions that are made of one callback, without a deleter, have the self of the latest.
// breaks: FUN-0023 fail
#include "fault.h"

static struct shared {
  TVMFFISafeCallType safe_call;
  void* self;
} table[64];

static int call_latest(void* entry, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct shared* shared = entry;
  return shared->safe_call(__atomic_load_n(&shared->self, __ATOMIC_ACQUIRE), args, num_args, result);
}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  for (int i = 0; self && !deleter && safe_call && i < 64; i++) {
    TVMFFISafeCallType nobody = NULL;
    if (!__atomic_compare_exchange_n(&table[i].safe_call, &nobody, safe_call, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) &&
        nobody != safe_call) {
      continue;
    }
    __atomic_store_n(&table[i].self, self, __ATOMIC_RELEASE);
    return real.TVMFFIFunctionCreate(&table[i], call_latest, NULL, out);
  }
  return real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
}
