// story: Exported tensors that somebody still holds when the process ends, some by the DLTensor alone.
#include "../client.h"

DLManagedTensor* kept[50];
DLTensor* kept_tensors[50];

static OUT_OF_LINE void keep(TVMFFIObjectHandle made, int place) {
  DLManagedTensorVersioned* versioned = NULL;
  must(TVMFFITensorToDLPack(made, &kept[place]));
  must(TVMFFITensorToDLPackVersioned(made, &versioned));
  kept_tensors[place] = &versioned->dl_tensor;
}

int main(void) {
  TVMFFIObjectHandle made = NULL, again = NULL;
  must(TVMFFITensorFromDLPack(&tensor()->managed, 0, 0, &made));
  for (int i = 0; i < 50; ++i) keep(made, i);
  /* A Tensor that is made of an export gives it back at its own end. */
  must(TVMFFITensorFromDLPack(kept[0], 0, 0, &again));
  kept[0] = NULL;
  release(again);
  release(made);
  return 0;
}
