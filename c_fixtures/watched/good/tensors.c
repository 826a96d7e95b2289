// story: Tensors with strides of every kind, without elements, without dimensions, without deleters; imported, exported, viewed, passed on
// story: and imported anew from what was exported.
#include "../client.h"

static int deleted;

static void count_and_free(DLManagedTensor* self) {
  ++deleted;
  free(self);
}

static void free_versioned(DLManagedTensorVersioned* self) {
  ++deleted;
  free(self);
}

static OUT_OF_LINE void round_of(TVMFFIObjectHandle f, int kind) {
  struct owned_tensor* from = tensor();
  TVMFFIObjectHandle made = NULL, again = NULL, view = NULL;
  DLTensor* described = &from->managed.dl_tensor;
  from->managed.deleter = count_and_free;
  if (kind == 1) described->strides = NULL;
  if (kind == 2) from->strides[0] = 0;
  if (kind == 3) {
    from->strides[0] = -3;
    described->byte_offset = 3 * sizeof(float);
  }
  if (kind == 4) {
    from->shape[1] = 0;
    described->data = NULL;
  }
  if (kind == 5) {
    described->ndim = 0;
    described->shape = described->strides = NULL;
  }
  if (kind == 6) {
    described->device = (DLDevice){kDLCUDA, 0};
    described->data = (void*)0x7000;
  }
  must(TVMFFITensorFromDLPack(&from->managed, 0, 0, &made));
  DLManagedTensor* exported = NULL;
  DLManagedTensorVersioned* versioned = NULL;
  must(TVMFFITensorToDLPack(made, &exported));
  must(TVMFFITensorToDLPackVersioned(made, &versioned));
  {
    DLTensor prototype = versioned->dl_tensor;
    if (kind == 5) prototype = from->managed.dl_tensor;
    if (TVMFFITensorCreateUnsafeView(made, &prototype, &view) != 0) take_error();
  }
  must(TVMFFITensorFromDLPack(exported, 0, 0, &again));
  release(made);
  TVMFFIAny arguments[3] = {object(again), view ? object(view) : none(), {.type_index = kTVMFFIDLTensorPtr, .v_ptr = &versioned->dl_tensor}};
  TVMFFIAny result = none();
  must(TVMFFIFunctionCall(f, arguments, 3, &result));
  release(again);
  versioned->deleter(versioned);
  release(view);
}

int main(void) {
  TVMFFIObjectHandle f = function(nothing), made = NULL;
  for (int i = 0; i < 700; ++i) round_of(f, i % 7);
  /* One that a library refuses stays its producer's. */
  struct owned_tensor* from = tensor();
  from->strides[0] = 1;
  from->strides[1] = 2;
  if (TVMFFITensorFromDLPack(&from->managed, 0, 1, &made) == 0) return 1;
  take_error();
  from->managed.deleter(&from->managed);
  DLManagedTensorVersioned* versioned = calloc(1, sizeof(*versioned) + 64);
  int64_t* words = (int64_t*)(versioned + 1);
  words[0] = 4, words[1] = 1;
  versioned->version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  versioned->dl_tensor = (DLTensor){.data = words + 2, .device = {kDLCPU, 0}, .ndim = 1, .dtype = {kDLInt, 8, 1}, .shape = words};
  versioned->dl_tensor.strides = words + 1;
  versioned->deleter = free_versioned;
  must(TVMFFITensorFromDLPackVersioned(versioned, 0, 0, &made));
  release(made);
  static float data[4];
  static int64_t extent = 4, stride = 1;
  static DLManagedTensor forever = {.dl_tensor = {.data = data, .device = {kDLCPU, 0}, .ndim = 1, .dtype = {kDLFloat, 32, 1}}};
  forever.dl_tensor.shape = &extent;
  forever.dl_tensor.strides = &stride;
  must(TVMFFITensorFromDLPack(&forever, 0, 0, &made));
  release(made);
  release(f);
  return deleted == 701 ? 0 : 2;
}
