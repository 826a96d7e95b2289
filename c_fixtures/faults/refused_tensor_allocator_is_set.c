// story: TVMFFIEnvSetDLPackManagedTensorAllocator puts the new allocator in before it is refused memory, and does not put the former one back.
// breaks: MEM-0002 fail
#include "fault.h"

struct former {
  DLPackManagedTensorAllocator allocator;
};

int TVMFFIEnvSetDLPackManagedTensorAllocator(DLPackManagedTensorAllocator allocator, int write_to_global_context,
                                             DLPackManagedTensorAllocator* opt_out_original_allocator) {
  DLPackManagedTensorAllocator before = NULL;
  const int code = real.TVMFFIEnvSetDLPackManagedTensorAllocator(allocator, write_to_global_context, &before);
  if (code != 0) return code;
  struct former* f = malloc(sizeof(struct former));
  __asm__ volatile("" : "+r"(f));
  if (!f) return refuse("MemoryError", "no memory for the former allocator");
  f->allocator = before;
  if (opt_out_original_allocator) *opt_out_original_allocator = f->allocator;
  free(f);
  return 0;
}
