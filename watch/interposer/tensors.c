/*
 * Tensors that cross the border. A tensor that the client hands over is remembered as it was then: it has to stay so until the library
 * gives it back. One that the library hands out is a copy in memory of ours with a deleter of ours, so that a second call of it is seen.
 */
#include "watch.h"

enum { DIMENSIONS = 8, MANY = 512, BUCKETS = 1 << 12 };

/** A tensor that was handed over, in either direction and in either version of DLPack. */
struct lease {
  struct lease* next;
  union {
    DLManagedTensor plain;
    DLManagedTensorVersioned versioned;
  } shell;
  /** What the shell stands for. */
  void* original;
  DLTensor tensor;
  int64_t shape[DIMENSIONS], strides[DIMENSIONS];
  TVMFFIObject* object;
  void (*deleter)(void* self);
  const char* made_by;
  trace_id made;
  int is_versioned;
  /** Whether the host could read its first element. */
  int has_data;
  int is_ended;
  int is_told;
  int is_reached;
  /** The other tensors of the library's that it did not get back yet. */
  struct lease *before, *after;
};

static struct lease* unused;
/** Tensors of the client's that were not given back yet, by their address. */
static struct lease* lent[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct lease* new_lease(void) {
  pthread_mutex_lock(&lock);
  if (!unused) {
    struct lease* fresh = own_memory(sizeof(struct lease) * MANY);
    for (int i = 0; fresh && i < MANY; ++i) {
      fresh[i].next = unused;
      unused = &fresh[i];
    }
  }
  struct lease* lease = unused;
  if (lease) {
    unused = lease->next;
    memset(lease, 0, sizeof(*lease));
  }
  pthread_mutex_unlock(&lock);
  return lease;
}

static struct lease** bucket_of(const void* original) {
  return &lent[((uintptr_t)original >> 4) * 0x9E3779B97F4A7C15u >> 52];
}

static void free_lease(struct lease* lease) {
  pthread_mutex_lock(&lock);
  lease->object = NULL;
  lease->next = unused;
  unused = lease;
  pthread_mutex_unlock(&lock);
}

/* ---- What a tensor says of itself ---- */

/** Whether a byte of the host's memory is there. */
static int is_there(const char* place) {
  char byte;
  return read_memory(&byte, place, 1) == 0;
}

void check_tensor(const char* call, const char* name, const DLTensor* tensor, int must_have_strides) {
  if (tensor->ndim < 0 || tensor->ndim > 1 << 16) {
    found("tensor-shape", call, NULL, "%s has %d dimensions", name, tensor->ndim);
    return;
  }
  if (tensor->ndim && !tensor->shape) {
    found("tensor-shape", call, NULL, "%s has %d dimensions and no shape", name, tensor->ndim);
    return;
  }
  if (tensor->dtype.bits == 0 || tensor->dtype.lanes == 0) {
    found("tensor-dtype", call, NULL, "%s has elements of %u bits and %u lanes", name, tensor->dtype.bits, tensor->dtype.lanes);
    return;
  }
  if (must_have_strides && tensor->ndim && !tensor->strides) {
    found("tensor-strides", call, NULL, "%s has no strides, which DLPack asks for since version 1.2", name);
  }
  /* The lowest and the highest element, counted in elements. */
  __int128 low = 0, high = 0, step = 1;
  for (int32_t i = tensor->ndim; i-- > 0;) {
    int64_t extent = tensor->shape[i];
    if (extent < 0) {
      found("tensor-shape", call, NULL, "%s has the extent %lld in dimension %d", name, (long long)extent, i);
      return;
    }
    if (extent == 0) return;
    __int128 stride = tensor->strides ? tensor->strides[i] : step;
    if (stride >= 0) {
      high += stride * (extent - 1);
    } else {
      low += stride * (extent - 1);
    }
    step *= extent;
  }
  if (!tensor->data) {
    found("tensor-data", call, NULL, "%s has elements, and its data is NULL", name);
    return;
  }
  if (tensor->device.device_type != kDLCPU) return;
  __int128 bits = (__int128)tensor->dtype.bits * (int16_t)tensor->dtype.lanes;
  if (bits <= 0 || bits % 8) return;
  const __int128 base = (__int128)(uintptr_t)tensor->data + tensor->byte_offset, bytes = bits / 8;
  const __int128 first = base + low * bytes, last = base + (high + 1) * bytes - 1;
  int fits = first > 0 && last < (__int128)1 << 47;
  if (fits && !is_there((char*)tensor->data)) {
    found("tensor-data", call, NULL, "%s has its data at %p, where there is no memory", name, tensor->data);
  } else if (!fits || !is_there((char*)(uintptr_t)first) || !is_there((char*)(uintptr_t)last)) {
    found("tensor-strides", call, NULL, "%s has elements where there is no memory: by its extents and strides they span %lld bytes", name,
          (long long)(last - first + 1));
  }
}

/* ---- Tensors of the client's ---- */

static void remember(struct lease* lease, const DLTensor* tensor) {
  lease->tensor = *tensor;
  lease->has_data = tensor->device.device_type == kDLCPU && tensor->data && is_there((char*)tensor->data + tensor->byte_offset);
  if (tensor->ndim < 0 || tensor->ndim > DIMENSIONS) return;
  if (tensor->shape) memcpy(lease->shape, tensor->shape, (size_t)tensor->ndim * sizeof(int64_t));
  if (tensor->strides) memcpy(lease->strides, tensor->strides, (size_t)tensor->ndim * sizeof(int64_t));
}

static const char* changed(const struct lease* lease, const DLTensor* now) {
  const DLTensor* then = &lease->tensor;
  DLTensor copy;
  if (read_memory(&copy, now, sizeof(copy)) != 0) return "the struct is no longer there";
  if (copy.data != then->data) return "its data has become another";
  if (lease->has_data && !is_there((char*)then->data + then->byte_offset)) return "its data is no longer there";
  if (copy.ndim != then->ndim || copy.shape != then->shape || copy.strides != then->strides) return "the struct has become another";
  if (then->ndim < 0 || then->ndim > DIMENSIONS) return NULL;
  int64_t words[DIMENSIONS];
  size_t size = (size_t)then->ndim * sizeof(int64_t);
  if (then->shape && (read_memory(words, then->shape, size) != 0 || memcmp(words, lease->shape, size) != 0)) {
    return "its shape has become another";
  }
  if (then->strides && (read_memory(words, then->strides, size) != 0 || memcmp(words, lease->strides, size) != 0)) {
    return "its strides have become others";
  }
  return NULL;
}

static const DLTensor* tensor_of(const struct lease* lease) {
  return lease->is_versioned ? &((DLManagedTensorVersioned*)lease->original)->dl_tensor : &((DLManagedTensor*)lease->original)->dl_tensor;
}

static void look_at(const char* call, struct lease* lease) {
  const char* what = lease->is_told ? NULL : changed(lease, tensor_of(lease));
  if (!what) return;
  lease->is_told = 1;
  found("tensor-ended", call, node_of(lease->object), "a tensor that was handed over was not given back yet, and %s", what);
}

static void look_at_lent(const char* call, const struct node* node) {
  struct lease* lease = node->lease;
  if (lease && lease->object == node->object) look_at(call, lease);
}

/** Takes a lease out of the list of those that are running; answers it if it was there. */
static struct lease* end_lease(const void* original) {
  pthread_mutex_lock(&lock);
  struct lease** place = bucket_of(original);
  while (*place && (*place)->original != original) place = &(*place)->next;
  struct lease* lease = *place;
  if (lease) *place = lease->next;
  pthread_mutex_unlock(&lock);
  return lease;
}

static void give_back(void* original, const void* from) {
  struct lease* lease = end_lease(original);
  if (!lease) return;
  if (is_watching) {
    if (!from_library(from)) {
      found("deleter-by-producer", "deleter", NULL, "the deleter of a tensor that was handed over is called by somebody else than the library");
    }
    look_at("deleter", lease);
  }
  void (*deleter)(void*) = lease->deleter;
  if (lease->is_versioned) {
    ((DLManagedTensorVersioned*)original)->deleter = (void (*)(DLManagedTensorVersioned*))deleter;
  } else {
    ((DLManagedTensor*)original)->deleter = (void (*)(DLManagedTensor*))deleter;
  }
  free_lease(lease);
  if (deleter) deleter(original);
}

static void give_back_plain(DLManagedTensor* self) { give_back(self, __builtin_return_address(0)); }
static void give_back_versioned(DLManagedTensorVersioned* self) { give_back(self, __builtin_return_address(0)); }

static struct lease* begin_lease(struct call* call, void* original, const DLTensor* tensor, void (*deleter)(void*), int is_versioned) {
  struct lease* lease = new_lease();
  if (!lease) return NULL;
  lease->original = original;
  lease->deleter = deleter;
  lease->is_versioned = is_versioned;
  lease->made_by = call->name;
  lease->made = trace_often(call->from);
  remember(lease, tensor);
  pthread_mutex_lock(&lock);
  struct lease** bucket = bucket_of(original);
  lease->next = *bucket;
  *bucket = lease;
  pthread_mutex_unlock(&lock);
  return lease;
}

/** The Tensor that was made of what was handed over. */
static void note_tensor(struct call* call, struct lease* lease, TVMFFIObject* object) {
  know_object(call->name, call->from, object);
  struct node* node = node_of(object);
  lease->object = object;
  if (!node) return;
  node->lease = lease;
  node->look = look_at_lent;
}

static void end_shell_plain(DLManagedTensor* self);
static void end_shell_versioned(DLManagedTensorVersioned* self);

int TVMFFITensorFromDLPack_watched(struct call* call, DLManagedTensor* from, int32_t require_alignment, int32_t require_contiguous,
                                   TVMFFIObjectHandle* out) {
  struct lease* lease = NULL;
  void (*deleter)(DLManagedTensor*) = from ? from->deleter : NULL;
  if (is_watching && !from) found("null", call->name, NULL, "from is NULL");
  if (is_watching && from && deleter != end_shell_plain && deleter != give_back_plain) {
    check_tensor(call->name, "from", &from->dl_tensor, 0);
    lease = deleter ? begin_lease(call, from, &from->dl_tensor, (void (*)(void*))deleter, 0) : NULL;
    if (lease) from->deleter = give_back_plain;
  }
  int rc = real.TVMFFITensorFromDLPack(from, require_alignment, require_contiguous, out);
  if (lease && rc == 0) note_tensor(call, lease, *out);
  if (lease && rc != 0 && end_lease(from)) {
    from->deleter = deleter;
    free_lease(lease);
  }
  return rc;
}

int TVMFFITensorFromDLPackVersioned_watched(struct call* call, DLManagedTensorVersioned* from, int32_t require_alignment,
                                            int32_t require_contiguous, TVMFFIObjectHandle* out) {
  struct lease* lease = NULL;
  void (*deleter)(DLManagedTensorVersioned*) = from ? from->deleter : NULL;
  if (is_watching && !from) found("null", call->name, NULL, "from is NULL");
  if (is_watching && from && from->version.major == DLPACK_MAJOR_VERSION && deleter != end_shell_versioned &&
      deleter != give_back_versioned) {
    check_tensor(call->name, "from", &from->dl_tensor, from->version.minor >= 2);
    lease = deleter ? begin_lease(call, from, &from->dl_tensor, (void (*)(void*))deleter, 1) : NULL;
    if (lease) from->deleter = give_back_versioned;
  }
  int rc = real.TVMFFITensorFromDLPackVersioned(from, require_alignment, require_contiguous, out);
  if (lease && rc == 0) note_tensor(call, lease, *out);
  if (lease && rc != 0 && end_lease(from)) {
    from->deleter = deleter;
    free_lease(lease);
  }
  return rc;
}

/* ---- Tensors of the library's ---- */

/** Shells that were given back, oldest first: they are used again late. */
static struct lease* ended_shells[MANY];
static uint32_t next_shell;
/** Those that were not given back yet. */
static struct lease* exported;

static struct lease* new_shell(const struct call* call, void* original, void (*deleter)(void*), int is_versioned) {
  struct lease* lease = new_lease();
  if (!lease) return NULL;
  lease->is_versioned = is_versioned;
  lease->original = original;
  lease->deleter = deleter;
  lease->made_by = call->name;
  lease->made = trace_often(call->from);
  pthread_mutex_lock(&lock);
  lease->after = exported;
  if (exported) exported->before = lease;
  exported = lease;
  pthread_mutex_unlock(&lock);
  return lease;
}

void each_export(void (*visit)(const struct export* export, void*), void* context) {
  pthread_mutex_lock(&lock);
  for (struct lease* lease = exported; lease; lease = lease->after) {
    const size_t tensor = lease->is_versioned ? offsetof(DLManagedTensorVersioned, dl_tensor) : offsetof(DLManagedTensor, dl_tensor);
    visit(&(struct export){(uintptr_t)&lease->shell, tensor, lease->made_by, lease->made, &lease->is_reached}, context);
  }
  pthread_mutex_unlock(&lock);
}

static void end_shell(struct lease* lease) {
  pthread_mutex_lock(&lock);
  int is_first = !lease->is_ended;
  lease->is_ended = 1;
  if (is_first) {
    *(lease->before ? &lease->before->after : &exported) = lease->after;
    if (lease->after) lease->after->before = lease->before;
  }
  pthread_mutex_unlock(&lock);
  if (!is_first) {
    if (is_watching) {
      found("dlpack-deleter-twice", "deleter", NULL, "the deleter of a tensor that %s gave out was called a second time", lease->made_by);
    }
    return;
  }
  struct thread* thread = &this_thread;
  thread->inside += 1;
  lease->deleter(lease->original);
  thread->inside -= 1;
  if (thread->inside == 0) settle();
  pthread_mutex_lock(&lock);
  struct lease* oldest = ended_shells[next_shell];
  ended_shells[next_shell] = lease;
  next_shell = (next_shell + 1) % MANY;
  if (oldest) {
    oldest->next = unused;
    unused = oldest;
  }
  pthread_mutex_unlock(&lock);
}

static struct lease* lease_of_shell(void* shell) { return (struct lease*)((char*)shell - offsetof(struct lease, shell)); }
static void end_shell_plain(DLManagedTensor* self) { end_shell(lease_of_shell(self)); }
static void end_shell_versioned(DLManagedTensorVersioned* self) { end_shell(lease_of_shell(self)); }

int TVMFFITensorToDLPack_watched(struct call* call, TVMFFIObjectHandle from, DLManagedTensor** out) {
  int rc = real.TVMFFITensorToDLPack(from, out);
  if (rc != 0 || !is_watching || !*out || !(*out)->deleter) return rc;
  struct lease* lease = new_shell(call, *out, (void (*)(void*))(*out)->deleter, 0);
  if (!lease) return rc;
  lease->shell.plain = **out;
  lease->shell.plain.deleter = end_shell_plain;
  *out = &lease->shell.plain;
  return rc;
}

int TVMFFITensorToDLPackVersioned_watched(struct call* call, TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  int rc = real.TVMFFITensorToDLPackVersioned(from, out);
  if (rc != 0 || !is_watching || !*out || !(*out)->deleter) return rc;
  struct lease* lease = new_shell(call, *out, (void (*)(void*))(*out)->deleter, 1);
  if (!lease) return rc;
  lease->shell.versioned = **out;
  lease->shell.versioned.deleter = end_shell_versioned;
  *out = &lease->shell.versioned;
  return rc;
}

int TVMFFITensorCreateUnsafeView_watched(struct call* call, TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  if (is_watching && !prototype) {
    found("null", call->name, NULL, "prototype is NULL");
  } else if (is_watching) {
    check_tensor(call->name, "prototype", prototype, 0);
  }
  return real.TVMFFITensorCreateUnsafeView(source, prototype, out);
}
