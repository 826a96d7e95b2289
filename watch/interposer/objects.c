/*
 * Objects that have crossed the border. Each gets a deleter of ours in its header, so that its end is seen; the original one is kept
 * and called. Where the library has made an object in memory of its own, that memory is not freed at once: it is filled with words
 * that tell which object they belong to, and looked at again when it is freed after all. What remains of other objects is their
 * address, which counts for nothing as soon as another object lies there: that one has another deleter.
 */
#include "watch.h"

#include <signal.h>
#include <ucontext.h>

enum { BUCKETS = 1 << 17, LOCKS = 64, MOST_NODES = 1 << 21, KEPT = 1 << 14, TOMBSTONES = 1 << 15 };

#define POISON 0x5EADull

static struct node* buckets[BUCKETS];
static pthread_mutex_t locks[LOCKS];
static struct node* nodes;
static uint32_t node_count;
static struct node* unused;
static pthread_mutex_t node_lock = PTHREAD_MUTEX_INITIALIZER;

static void end_object(void* self, int flags);
static void end_again(void* self, int flags);

static __attribute__((constructor(101))) void make_table(void) {
  for (int i = 0; i < LOCKS; ++i) pthread_mutex_init(&locks[i], NULL);
  nodes = own_memory(sizeof(struct node) * MOST_NODES);
  pthread_atfork(lock_objects, unlock_objects, unlock_objects);
}

void lock_objects(void) {
  for (int i = 0; i < LOCKS; ++i) pthread_mutex_lock(&locks[i]);
  pthread_mutex_lock(&node_lock);
}

void unlock_objects(void) {
  pthread_mutex_unlock(&node_lock);
  for (int i = 0; i < LOCKS; ++i) pthread_mutex_unlock(&locks[i]);
}

/* ---- The table ---- */

static uint32_t bucket_of(const void* object) {
  uint64_t hash = (uintptr_t)object >> 3;
  return (hash * 0x9E3779B97F4A7C15u) >> (64 - 17);
}

static struct node* find_node(uint32_t bucket, const void* object) {
  struct node* node = buckets[bucket];
  while (node && node->object != object) node = node->next;
  return node;
}

struct node* node_of(const void* object) {
  uint32_t bucket = bucket_of(object);
  pthread_mutex_t* lock = &locks[bucket % LOCKS];
  pthread_mutex_lock(lock);
  struct node* node = find_node(bucket, object);
  pthread_mutex_unlock(lock);
  return node;
}

static struct node* new_node(void) {
  pthread_mutex_lock(&node_lock);
  struct node* node = unused;
  if (node) {
    unused = node->next;
  } else if (nodes && node_count + 1 < MOST_NODES) {
    node = &nodes[++node_count];
  }
  pthread_mutex_unlock(&node_lock);
  return node;
}

/** Takes a node out of its bucket, whose lock is held. */
static void remove_node(uint32_t bucket, struct node* node) {
  struct node** place = &buckets[bucket];
  while (*place && *place != node) place = &(*place)->next;
  if (*place) *place = node->next;
  node->object = NULL;
  pthread_mutex_lock(&node_lock);
  node->next = unused;
  unused = node;
  pthread_mutex_unlock(&node_lock);
}

void each_node(void (*visit)(struct node*, void*), void* context) {
  for (uint32_t i = 1; i <= node_count; ++i) {
    if (nodes[i].object) visit(&nodes[i], context);
  }
}

struct node* node_of_poison(uint64_t word) {
  uint64_t number = word >> 12 & 0xFFFFFFFFF;
  return word >> 48 == POISON && number && number <= node_count && nodes[number].is_kept ? &nodes[number] : NULL;
}

/* ---- Objects begin to be watched ---- */

void know_object(const char* call, const void* from, TVMFFIObject* object) {
  if (!is_watching || !object) return;
  void (*deleter)(void*, int) = __atomic_load_n(&object->deleter, __ATOMIC_RELAXED);
  if (deleter == end_object || deleter == end_again || !deleter) return;
  trace_id made = trace_often(from);
  uint32_t bucket = bucket_of(object);
  pthread_mutex_lock(&locks[bucket % LOCKS]);
  struct node* node = find_node(bucket, object);
  if (!node && (node = new_node())) {
    node->next = buckets[bucket];
    node->object = object;
    buckets[bucket] = node;
  }
  /* Another thread may have been faster. */
  deleter = __atomic_load_n(&object->deleter, __ATOMIC_RELAXED);
  if (node && deleter != end_object) {
    node->deleter = deleter;
    node->made_by = call;
    node->made = made;
    node->ended = 0;
    node->type_index = object->type_index;
    node->state = ALIVE;
    node->owned = 0;
    node->lease = NULL;
    node->look = NULL;
    node->is_kept = node->is_told = node->is_reached = node->is_ending = 0;
    __atomic_store_n(&object->deleter, end_object, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&locks[bucket % LOCKS]);
}

void count_owned(struct node* node, int32_t change) {
  if (node) __atomic_fetch_add(&node->owned, change, __ATOMIC_RELAXED);
}

int has_ended(const struct node* node) {
  if (!node || node->state == ALIVE) return 0;
  if (node->state == ENDING) return !node->is_ending;
  if (node->is_kept) return 1;
  TVMFFIObject header;
  return read_memory(&header, node->object, sizeof(header)) == 0 && header.deleter == end_object;
}

/* ---- Their end ---- */

/** Bytes that objects of a type have at least, their header included. */
static uint32_t size_of(int32_t type_index) {
  switch (type_index) {
    case kTVMFFIStr:
    case kTVMFFIBytes:
      return sizeof(TVMFFIObject) + sizeof(TVMFFIByteArray);
    case kTVMFFIError:
      return sizeof(TVMFFIObject) + 7 * sizeof(void*);
    case kTVMFFIFunction:
      return sizeof(TVMFFIObject) + sizeof(TVMFFIFunctionCell);
    case kTVMFFIShape:
      return sizeof(TVMFFIObject) + sizeof(TVMFFIShapeCell);
    case kTVMFFITensor:
      return sizeof(TVMFFIObject) + sizeof(DLTensor);
    case kTVMFFIArray:
    case kTVMFFIList:
      return sizeof(TVMFFIObject) + sizeof(TVMFFISeqCell);
    case kTVMFFIOpaquePyObject:
      return sizeof(TVMFFIObject) + sizeof(TVMFFIOpaqueObjectCell);
    default:
      return sizeof(TVMFFIObject);
  }
}

/**
 * Whether the memory of an object may be freed later: the library frees it, by a deleter of its own. In front of an object lies what
 * frees its memory, if an allocator has made it, or else what malloc keeps there, which is no address.
 */
static int can_keep(const struct node* node) {
  if (!from_library((void*)node->deleter)) return 0;
  uintptr_t before = *((const uintptr_t*)node->object - 1);
  return before < (uintptr_t)1 << 32 || from_library((void*)before);
}

static uint64_t poison_of(const struct node* node, uint32_t place) {
  return POISON << 48 | (uint64_t)(node - nodes) << 12 | (place + 0x100);
}

static void poison(struct node* node) {
  node->size = size_of(node->type_index);
  memcpy(node->saved, node->object, node->size);
  uint64_t* words = (uint64_t*)node->object;
  for (uint32_t i = 0; i < node->size / 8; ++i) words[i] = poison_of(node, i * 8);
  node->object->deleter = end_again;
  __atomic_store_n(&node->is_kept, 1, __ATOMIC_RELEASE);
}

/** Has a look at what became of a poisoned object, and puts back what was there. */
static void look_and_mend(struct node* node) {
  uint64_t* words = (uint64_t*)node->object;
  for (uint32_t i = 0; i < node->size / 8 && !node->is_told; ++i) {
    uint64_t expected = i == 2 ? (uint64_t)(uintptr_t)end_again : poison_of(node, i * 8);
    if (words[i] == expected) continue;
    node->is_told = 1;
    if (i == 0) {
      /* The weak count is the upper half. What is added to the lower half beyond its end is carried there. */
      const int64_t difference = (int64_t)(words[0] - expected);
      const int32_t strong = (int32_t)difference;
      const int32_t weak = (int32_t)((difference - strong) >> 32);
      const int32_t change = strong ? strong : weak;
      found_at(node->ended, "count-after-end", node->made_by, node,
               "%s references were %s after the object's end: %d, without the library", strong ? "strong" : "weak",
               change < 0 ? "given up" : "taken", change < 0 ? -change : change);
    } else {
      found_at(node->ended, "written-after-end", node->made_by, node,
               "the object was written to after its end, at byte %u", i * 8);
    }
  }
}

static struct node* kept[KEPT];
static uint32_t kept_next;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static struct node* tombstones[TOMBSTONES];
static uint32_t tombstone_next;

/** Frees the memory of an object that was kept. */
static void let_go(struct node* node) {
  look_and_mend(node);
  memcpy(node->object, node->saved, node->size);
  TVMFFIObject* object = node->object;
  void (*deleter)(void*, int) = node->deleter;
  uint32_t bucket = bucket_of(object);
  pthread_mutex_lock(&locks[bucket % LOCKS]);
  node->is_kept = 0;
  remove_node(bucket, node);
  pthread_mutex_unlock(&locks[bucket % LOCKS]);
  deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

void settle(void) {
  struct thread* thread = &this_thread;
  while (thread->ending) {
    struct node* node = thread->ending;
    thread->ending = node->then;
    poison(node);
    node->state = ENDED;
    pthread_mutex_lock(&kept_lock);
    struct node* oldest = kept[kept_next];
    kept[kept_next] = node;
    kept_next = (kept_next + 1) % KEPT;
    pthread_mutex_unlock(&kept_lock);
    if (oldest) {
      thread->inside += 1;
      let_go(oldest);
      thread->inside -= 1;
    }
  }
}

/** Whether an object of the library's has no strong reference any more, and its deleter was never called. */
static int is_forgotten(const struct node* node) {
  TVMFFIObject header;
  /* Who has made an object himself may end it without its deleter. */
  return node->state == ALIVE && from_library((void*)node->deleter) && read_memory(&header, node->object, sizeof(header)) == 0 &&
         header.deleter == end_object && header.type_index == node->type_index && (uint32_t)header.combined_ref_count == 0;
}

static void count_forgotten(struct node* node, void* context) { *(int*)context += is_forgotten(node); }

static void tell_forgotten(struct node* node, void* context) {
  (void)context;
  if (!is_forgotten(node) || node->is_told) return;
  node->is_told = 1;
  found_at(node->made, "deleter-never", node->made_by, node,
           "the last strong reference was given up without the library, and the deleter was never called");
}

void look_at_kept(void) {
  for (uint32_t i = 0; i < KEPT; ++i) {
    if (kept[i]) look_and_mend(kept[i]);
  }
  int forgotten = 0;
  each_node(count_forgotten, &forgotten);
  if (!forgotten) return;
  /* Another thread may be on its way from the count to the deleter. */
  usleep(20000);
  each_node(tell_forgotten, NULL);
}

/** Remembers the address of an object whose memory is no more; forgets the oldest of such. */
static void bury(struct node* node) {
  pthread_mutex_lock(&kept_lock);
  struct node* oldest = tombstones[tombstone_next];
  tombstones[tombstone_next] = node;
  tombstone_next = (tombstone_next + 1) % TOMBSTONES;
  pthread_mutex_unlock(&kept_lock);
  if (!oldest || oldest == node || !oldest->object) return;
  uint32_t bucket = bucket_of(oldest->object);
  pthread_mutex_lock(&locks[bucket % LOCKS]);
  if (oldest->object && bucket_of(oldest->object) == bucket && oldest->state == ENDED && !oldest->is_kept) {
    remove_node(bucket, oldest);
  }
  pthread_mutex_unlock(&locks[bucket % LOCKS]);
}

/** Has a look at the header of an object to which there are weak references still: who frees memory writes there. */
static void look_at_header(const struct node* node) {
  TVMFFIObject header;
  int is_there = read_memory(&header, node->object, sizeof(header)) == 0;
  if (is_there && header.deleter == end_object && header.type_index == node->type_index && !(uint32_t)header.combined_ref_count) return;
  found("freed-early", "deleter", node, "the deleter was called with the flag 1 alone, and the object's header is no longer what it was");
}

/** Has an object end, by its own deleter. */
static void end_node(struct node* node, int flags, const void* from) {
  struct thread* thread = &this_thread;
  TVMFFIObject* object = node->object;
  int is_strong = flags & kTVMFFIObjectDeleterFlagBitMaskStrong, is_weak = flags & kTVMFFIObjectDeleterFlagBitMaskWeak;
  int keeps = is_watching && can_keep(node);
  void (*deleter)(void*, int) = node->deleter;
  if (is_strong) {
    if (node->look) node->look("deleter", node);
    node->ended = trace_often(from);
    node->state = ENDING;
    node->is_ending = 1;
    if (!keeps && is_weak) {
      /* Its memory may be somebody else's before this returns. */
      node->state = ENDED;
      bury(node);
      deleter(object, flags);
    } else {
      deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
      node->is_ending = 0;
      if (is_watching && !is_weak) look_at_header(node);
      if (!is_weak) node->state = ENDED;
    }
  } else if (!keeps) {
    bury(node);
    deleter(object, flags);
  }
  if (keeps && is_weak) {
    node->then = thread->ending;
    thread->ending = node;
  }
}

/** The deleter in the header of every object that is watched. */
static void end_object(void* self, int flags) {
  enum { DEEP = 32 };
  TVMFFIObject* object = self;
  struct thread* thread = &this_thread;
  struct node* node = node_of(object);
  const void* from = __builtin_return_address(0);
  if (!node) return;
  int is_strong = flags & kTVMFFIObjectDeleterFlagBitMaskStrong;
  if (is_strong && node->state != ALIVE) {
    if (is_watching) found("deleter-twice", "deleter", node, "the deleter was called for an object that has ended already");
    return;
  }
  uint32_t strong = (uint32_t)object->combined_ref_count;
  if (is_strong && strong && is_watching) {
    found("deleter-early", "deleter", node, "the deleter was called while the object had a strong count of %u", strong);
  }
  /* Objects that hold objects: libraries see to it that stacks are deep enough without us. */
  if (flags == kTVMFFIObjectDeleterFlagBitMaskBoth && thread->nested >= DEEP) {
    node->state = ENDING;
    node->then = thread->postponed;
    thread->postponed = node;
    return;
  }
  thread->inside += 1;
  thread->nested += 1;
  end_node(node, flags, from);
  while (thread->nested == 1 && thread->postponed) {
    struct node* next = thread->postponed;
    thread->postponed = next->then;
    end_node(next, kTVMFFIObjectDeleterFlagBitMaskBoth, from);
  }
  thread->nested -= 1;
  thread->inside -= 1;
  if (thread->inside == 0) settle();
}

/** The deleter in the header of an object that was poisoned. */
static void end_again(void* self, int flags) {
  (void)flags;
  struct node* node = node_of(self);
  if (!node || !is_watching) return;
  node->is_told = 1;
  found("deleter-twice", "deleter", node, "the deleter was called for an object that has ended already");
}

/* ---- Poison that was followed ---- */

static struct sigaction action_before[2];

static void on_fault(int signal, siginfo_t* info, void* context) {
  struct node* node = node_of_poison((uintptr_t)info->si_addr);
#ifdef __x86_64__
  const greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
  for (int i = 0; i < REG_RIP && !node; ++i) node = node_of_poison((uint64_t)registers[i]);
#else
  (void)context;
#endif
  sigaction(signal, &action_before[signal == SIGBUS], NULL);
  if (node && is_watching) {
    found("read-after-end", "memory", node, "what was read from the object after its end was used as an address");
  }
}

static __attribute__((constructor)) void watch_faults(void) {
  if (!getenv("TVM_FFI_WATCH_RECORDS")) return;
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, &action_before[0]);
  sigaction(SIGBUS, &action, &action_before[1]);
}
