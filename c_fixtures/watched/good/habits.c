// story: Counts inline on racing threads; has one array for arguments and results; retries, raises again what it has taken, and passes
// failures on; answers what it was given; has objects that never end, tensors without elements, of strides of 0 and below.
#include "../client.h"

static void release_inline(TVMFFIObject* object) {
  const uint64_t weak = (uint64_t)1 << 32;
  uint64_t before = __atomic_fetch_sub(&object->combined_ref_count, 1, __ATOMIC_RELEASE);
  if ((uint32_t)before != 1) return;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (before == (weak | 1)) {
    object->combined_ref_count = 0;
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return;
  }
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (__atomic_fetch_sub(&object->combined_ref_count, weak, __ATOMIC_ACQ_REL) == weak) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
}

static void* race(void* object) {
  for (int i = 0; i < 2000; ++i) {
    __atomic_fetch_add(&((TVMFFIObject*)object)->combined_ref_count, 1, __ATOMIC_RELAXED);
    release_inline(object);
  }
  release_inline(object);
  return NULL;
}

static void count(void) {
  for (int i = 0; i < 10; ++i) {
    TVMFFIObject* text = string(LONG_TEXT);
    pthread_t one, other;
    __atomic_fetch_add(&text->combined_ref_count, 1, __ATOMIC_RELAXED);
    if (pthread_create(&one, NULL, race, text) || pthread_create(&other, NULL, race, text)) exit(98);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
  }
}

static TVMFFIObjectHandle failing;

CALLBACK(passes_on) { return TVMFFIFunctionCall(failing, (TVMFFIAny*)args, num_args, result); }

CALLBACK(retries) {
  for (int i = 0; i < 3; ++i) {
    TVMFFIObjectHandle error = NULL;
    if (TVMFFIFunctionCall(failing, NULL, 0, result) == 0) return 0;
    TVMFFIErrorMoveFromRaised(&error);
    if (i == 2) TVMFFIErrorSetRaised(error);
    release(error);
  }
  return -1;
}

CALLBACK(echoes) { return TVMFFIAnyViewToOwnedAny(&args[0], result); }

static void call(void) {
  TVMFFIObjectHandle make = global("ffi.Array");
  TVMFFISafeCallType calls[] = {passes_on, retries};
  failing = function(fails);
  for (int i = 0; i < 2; ++i) {
    TVMFFIObjectHandle f = function(calls[i]);
    TVMFFIAny slots[3] = {integer(1), integer(2), integer(77)};
    if (TVMFFIFunctionCall(f, slots, 2, &slots[2]) == 0 || !take_error()) exit(97);
    must(TVMFFIFunctionCall(make, slots, 2, &slots[2]));
    release(slots[2].v_obj);
    slots[2] = none();
    must(TVMFFIFunctionCall(make, slots, 3, &slots[2]));
    release(slots[2].v_obj);
    release(f);
  }
  struct owned_tensor* given = tensor();
  TVMFFIObjectHandle f = function(echoes);
  TVMFFIAny view = {.type_index = kTVMFFIDLTensorPtr, .v_ptr = &given->managed.dl_tensor}, result = none();
  must(TVMFFIFunctionCall(f, &view, 1, &result));
  if (result.v_ptr != view.v_ptr) exit(96);
  free(given);
  release(f);
  release(failing);
  release(make);
}

static void keep_for_ever(void) {
  static TVMFFIObject own;
  TVMFFIByteArray key = bytes("watched.Static");
  TVMFFIObjectHandle make = global("ffi.Array");
  own.type_index = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  own.combined_ref_count = (uint64_t)1 << 32 | 1;
  TVMFFIAny items[2] = {object(&own), none()}, array = none();
  must(TVMFFIFunctionCall(make, items, 2, &array));
  release(array.v_obj);
  release(make);
}

static void leave(UNUSED DLManagedTensor* self) {}

static void hand_over(void) {
  static float data[32];
  static int64_t shape[2] = {4, 4}, none_at_all[2] = {0, (int64_t)1 << 40}, zero[2] = {0, 0}, below[2] = {-4, -1};
  static DLManagedTensor tensors[5];
  for (int i = 0; i < 5; ++i) {
    DLTensor* made = &tensors[i].dl_tensor;
    *made = (DLTensor){.data = data, .device = {kDLCPU, 0}, .ndim = 2, .dtype = {kDLFloat, 32, 1}, .shape = shape};
    tensors[i].deleter = leave;
    if (i == 0) made->ndim = 0, made->shape = NULL;
    if (i == 1) made->data = NULL, made->shape = none_at_all;
    if (i == 2) made->strides = zero;
    if (i == 3) made->data = data + 15, made->strides = below;
    if (i == 4) made->byte_offset = 64;
    TVMFFIObjectHandle handle = NULL;
    DLManagedTensor* back = NULL;
    must(TVMFFITensorFromDLPack(&tensors[i], 0, 0, &handle));
    must(TVMFFITensorToDLPack(handle, &back));
    release(handle);
    back->deleter(back);
  }
}

int main(void) {
  count();
  call();
  keep_for_ever();
  hand_over();
  return 0;
}
