// story: Tensors are exported, and their deleters are never called: one in each version of DLPack.
// breaks: lost
#include "../client.h"

static float sum;

static OUT_OF_LINE void read_plain(TVMFFIObjectHandle made) {
  DLManagedTensor* exported = NULL;
  must(TVMFFITensorToDLPack(made, &exported));
  sum += *(float*)exported->dl_tensor.data;
}

static OUT_OF_LINE void read_versioned(TVMFFIObjectHandle made) {
  DLManagedTensorVersioned* exported = NULL;
  must(TVMFFITensorToDLPackVersioned(made, &exported));
  sum += *(float*)exported->dl_tensor.data;
}

/** Stands where addresses of exports stood. */
static OUT_OF_LINE void write_over(TVMFFIObjectHandle made) {
  DLManagedTensor* exported = NULL;
  must(TVMFFITensorToDLPack(made, &exported));
  exported->deleter(exported);
}

int main(void) {
  TVMFFIObjectHandle made = NULL;
  must(TVMFFITensorFromDLPack(&tensor()->managed, 0, 0, &made));
  for (int i = 0; i < 20; ++i) read_plain(made);
  for (int i = 0; i < 20; ++i) read_versioned(made);
  for (int i = 0; i < 20; ++i) write_over(made);
  release(made);
  printf("%g\n", sum);
  return 0;
}
