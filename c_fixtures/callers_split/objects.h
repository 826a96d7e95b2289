/* Objects and callbacks of a client of the split generation, for callers. */
#ifndef TVM_FFI_CALLERS_SPLIT_OBJECTS_H_
#define TVM_FFI_CALLERS_SPLIT_OBJECTS_H_

#include "../callers/caller.h"

/** An object of the client's own, which remembers how it was ended. Its memory is the caller's. */
struct node {
  TVMFFIObject header;
  /** Whether the first call of the deleter gives a weak reference up. */
  int drops_weak;
  /** Whether it tries to make a strong reference of a weak one, and whether that succeeded. */
  int promotes, promoted;
  int calls;
  int flags;
  int first_flags;
  int last_flags;
  /** What the first call of the deleter was given, and found. */
  void* self;
  uint64_t strong;
  uint32_t weak;
};

static inline void end_node(void* self, int flags) {
  struct node* node = (struct node*)self;
  node->flags |= flags;
  node->last_flags = flags;
  if (node->calls++ > 0) return;
  node->first_flags = flags;
  node->self = self;
  node->strong = strong_count_of(self);
  node->weak = weak_count_of(self);
  if (node->promotes) node->promoted = promote(self);
  if (node->drops_weak) __atomic_fetch_sub(&node->header.weak_ref_count, 1, __ATOMIC_ACQ_REL);
}

/** Makes a node with one reference in that memory. */
static inline struct node* new_node(struct node* node) {
  memset(node, 0, sizeof(*node));
  node->header.type_index = kTVMFFIObject;
  node->header.weak_ref_count = 1;
  node->header.strong_ref_count = 1;
  node->header.deleter = end_node;
  return node;
}

/** The deleter of a closure that needs none. */
static inline void end_closure(void* self) { (void)self; }

/** The deleter of a closure that is a counter. */
static inline void count_end(void* self) { *(int*)self += 1; }

/** A callback that does nothing. */
static inline int ignore(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args, (void)result;
  return 0;
}

/** A callback that answers its first argument, an object. */
static inline int answer_argument(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)num_args;
  *result = args[0];
  return TVMFFIObjectIncRef(args[0].v_obj);
}

#endif /* TVM_FFI_CALLERS_SPLIT_OBJECTS_H_ */
