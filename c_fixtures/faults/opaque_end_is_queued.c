// story: The end of an opaque object is put into a queue before it is run, and does not come at all where there is no memory for the node.
// breaks: MEM-0004 fail
#include "opaque_deleter.h"

struct node {
  void* self;
  int flags;
  struct node* next;
};

static void end_queued(void* self, int flags) {
  struct node* node = malloc(sizeof(struct node));
  if (!node) return;
  *node = (struct node){self, flags, NULL};
  __asm__ volatile("" : : "r"(node) : "memory");
  __atomic_load_n(&delete, __ATOMIC_ACQUIRE)(node->self, node->flags);
  free(node);
}

OPAQUE_DELETER(end_queued)
