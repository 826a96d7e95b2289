// story: A versioned export of a view holds the view's source, whose memory it shows, but not the view, whose extents it points to.
// breaks: TEN-0041 leak
#include "fault.h"

static struct view { struct view* next; TVMFFIObject *view, *source; } *views;

int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFITensorCreateUnsafeView(source, prototype, out);
  if (code != 0) return code;
  struct view* view = malloc(sizeof *view);
  *view = (struct view){__atomic_load_n(&views, __ATOMIC_ACQUIRE), *out, source};
  while (!__atomic_compare_exchange_n(&views, &view->next, view, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
  }
  return 0;
}

static void end(DLManagedTensorVersioned* self) {
  real.TVMFFIObjectDecRef(self->manager_ctx);
  free(self);
}

int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from, DLManagedTensorVersioned** out) {
  struct view* view = __atomic_load_n(&views, __ATOMIC_ACQUIRE);
  while (view && view->view != from) view = view->next;
  if (view) { /* not another tensor at the address of a view that has ended */
    const char* shape = (const char*)((const DLTensor*)(view->view + 1))->shape;
    if (shape < (const char*)from || shape > (const char*)from + 4096) view = NULL;
  }
  DLManagedTensorVersioned* mine;
  int code = real.TVMFFITensorToDLPackVersioned(from, out);
  if (code != 0 || !view) return code;
  mine = malloc(sizeof *mine);
  *mine = **out;
  (*out)->deleter(*out);
  real.TVMFFIObjectIncRef(view->source);
  mine->manager_ctx = view->source;
  mine->deleter = end;
  *out = mine;
  return 0;
}
