// story: The global tensor allocator is what the context of the thread that set it says, and is gone when that thread has ended.
// breaks: ENV-0011 fail
// breaks: ENV-0024 fail
#include "fault.h"

#include <pthread.h>

static pthread_key_t key;
static void* owner;

static void end_context(void* context) {
  void* expected = context;
  if (__atomic_compare_exchange_n(&owner, &expected, NULL, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) real.TVMFFIEnvSetDLPackManagedTensorAllocator(NULL, 1, NULL);
  free(context);
}

__attribute__((constructor)) static void make_key(void) { pthread_key_create(&key, end_context); }

int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int write_to_global_context,
                                             DLPackManagedTensorAllocator* opt_out_original_allocator) {
  if (write_to_global_context) {
    void* context = pthread_getspecific(key);
    if (!context) pthread_setspecific(key, context = malloc(1));
    __atomic_store_n(&owner, context, __ATOMIC_RELEASE);
  }
  return real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, write_to_global_context, opt_out_original_allocator);
}

