//! Who gives a tensor's memory back, and when.

use std::sync::atomic::{AtomicU64, Ordering};

use proptest::{
    collection::vec,
    prelude::{Just, any, prop_oneof},
    sample::Index,
};
use tvm_ffi_spec::{clause::id, *};

use super::kit::{Export, FORMS, Form, LAST, PRODUCERS, Producer, STRAY, retained, returned, with_every_kind};
use crate::{
    checks::check,
    client::{Owned, Verdict, memory, tensors::host_plus},
    trial::Trial,
};

/// An import that fails does not call the producer's deleter.
#[check(TEN_0016)]
fn failed_import_keeps_ownership(t: &Trial) -> Verdict {
    for form in FORMS {
        Producer { data: host_plus(4), ..Producer::contiguous() }.refuse(t, form, 64, false)?;
        t.eq("calls of the deleter after an import without alignment", returned(0), 0)?;
        Producer { shape: vec![2, 3], strides: Some(vec![1, 2]), ..Producer::new() }.refuse(t, form, 0, true)?;
        t.eq("calls of the deleter after an import without contiguity", returned(0), 0)?;
    }
    Ok(())
}

/// A managed tensor that was refused can be imported with other requirements, and is given back once.
#[check(TEN_0016, TEN_0017)]
fn failed_import_can_be_repeated(t: &Trial) -> Verdict {
    for (round, form) in FORMS.into_iter().enumerate() {
        let mut producer = Producer { shape: vec![2, 3], strides: Some(vec![1, 2]), ..Producer::new() };
        producer.refuse(t, form, 0, true)?;
        t.eq("calls of the deleter after the import was refused", returned(0), round)?;
        t.clause(id::TEN_0017);
        let tensor = producer.import_with(t, form, 0, false)?;
        producer.compare_tensor(t, "the Tensor", &tensor)?;
        drop(tensor);
        t.eq("calls of the deleter", returned(0), round + 1)?;
        t.clause(id::TEN_0016);
    }
    Ok(())
}

/// The producer's deleter is called once, with its managed tensor, when the last reference to the Tensor goes.
#[check(TEN_0017)]
fn deleter_runs_once(t: &Trial) -> Verdict {
    for form in FORMS {
        with_every_kind(|producer| {
            let before = returned(0);
            let tensor = producer.import(t, form)?;
            t.eq("calls of the deleter before the release", returned(0) - before, 0)?;
            drop(tensor);
            t.eq("calls of the deleter after the release", returned(0) - before, 1)?;
            t.eq("argument of the deleter", LAST.load(Ordering::SeqCst), producer.address(form))?;
            t.eq("calls of a deleter with something else", STRAY.load(Ordering::SeqCst), 0)?;
            let handed_over = |producer: &Producer| format!("{:?}, {:?}", producer.plain, producer.versioned);
            let left = handed_over(producer);
            producer.fill();
            t.eq("what the producer handed over", left, handed_over(producer))
        })?;
    }
    Ok(())
}

/// The producer's deleter is not called before the last of ten references to the Tensor goes.
#[check(TEN_0017)]
fn deleter_waits_for_last_reference(t: &Trial) -> Verdict {
    for (round, form) in FORMS.into_iter().enumerate() {
        let mut producer = Producer::new();
        let tensor = producer.import(t, form)?;
        let others: Vec<Owned> = (0..9).map(|_| retained(t, &tensor)).collect::<Verdict<_>>()?;
        drop(tensor);
        for (released, other) in others.into_iter().enumerate() {
            t.eq(format_args!("calls of the deleter after {} of 10 releases", released + 1), returned(0), round)?;
            producer.compare_tensor(t, "the Tensor", &other)?;
        }
        t.eq("calls of the deleter after the last release", returned(0), round + 1)?;
    }
    Ok(())
}

/// Another thread than the importing one may read a Tensor and give up the last reference to it.
#[check(TEN_0017)]
fn released_on_another_thread(t: &Trial) -> Verdict {
    for (round, form) in FORMS.into_iter().enumerate() {
        let mut producer = Producer::new();
        let handle = Shared(producer.import(t, form)?.into_any().payload());
        t.threads(1, |t, _| {
            producer.compare(t, "the Tensor on another thread", &t.cell("DLTensor", handle.get())?)?;
            t.ok(t.api.TVMFFIObjectDecRef(handle.get()))
        })?;
        t.eq("calls of the deleter", returned(0), round + 1)?;
    }
    Ok(())
}

/// A managed tensor without a deleter is imported, exported and released.
#[check(TEN_0018)]
fn no_deleter(t: &Trial) -> Verdict {
    for form in FORMS {
        let mut producer = Producer::new();
        producer.fill();
        producer.plain.deleter = None;
        producer.versioned.deleter = None;
        let tensor = producer.import_filled(t, form, 0, false)?;
        producer.compare_tensor(t, "the Tensor", &tensor)?;
        let export = Export::of(t, form, &tensor)?;
        drop(tensor);
        export.give_back(t);
    }
    t.eq("calls of a deleter", returned(0), 0)
}

/// A weak reference to a Tensor keeps the header readable but does not keep the producer's memory.
#[check(TEN_0019)]
fn weak_references(t: &Trial) -> Verdict {
    const WEAK: u64 = 1 << 32;
    for (round, form) in FORMS.into_iter().enumerate() {
        let mut producer = Producer::new();
        let tensor = producer.import(t, form)?;
        let handle = tensor.handle();
        let deleter = t.header(handle)?.deleter;
        // SAFETY: the header was just read; clients count weak references in place, atomically.
        let count = unsafe { AtomicU64::from_ptr(handle.cast()) };
        count.fetch_add(WEAK, Ordering::Relaxed);
        t.eq("strong and weak count with a weak reference", t.counts(handle)?, (1, 2))?;
        drop(tensor);
        t.eq("calls of the producer's deleter with a weak reference left", returned(0), round + 1)?;
        t.eq("strong and weak count of the ended tensor", t.counts(handle)?, (0, 1))?;
        t.type_index_eq("type_index of the ended tensor", t.header(handle)?.type_index, kTVMFFITensor)?;
        if count.fetch_sub(WEAK, Ordering::AcqRel) == WEAK
            && let Some(deleter) = deleter
        {
            // SAFETY: the target's own deleter, asked to free the memory by whoever gave up the last weak reference.
            t.api.noted("the tensor's deleter(flags = 2)", || unsafe { deleter(handle, 2) });
        }
        t.eq("calls of the producer's deleter at last", returned(0), round + 1)?;
    }
    Ok(())
}

/// Threads may retain, export and release one Tensor at once, and its memory is given back once.
#[check(TEN_0038, patient = 2)]
fn threads(t: &Trial) -> Verdict {
    const ROUNDS: usize = 500;
    let mut producer = Producer::new();
    let tensor = producer.import(t, Form::Plain)?;
    let handle = Shared(tensor.into_any().payload());
    // Each thread has a reference of its own from the start; the check gives up its own before they are done.
    const THREADS: usize = 4;
    for _ in 0..THREADS {
        t.ok(t.api.TVMFFIObjectIncRef(handle.get()))?;
    }
    t.threads(THREADS, |t, number| {
        let inc = t.api.bare("TVMFFIObjectIncRef", |table| table.TVMFFIObjectIncRef);
        let dec = t.api.bare("TVMFFIObjectDecRef", |table| table.TVMFFIObjectDecRef);
        let export = t.api.bare("TVMFFITensorToDLPack", |table| table.TVMFFITensorToDLPack);
        t.api.note("TVMFFIObjectIncRef, TVMFFITensorToDLPack, TVMFFIObjectDecRef and deleters in a loop");
        for _ in 0..ROUNDS {
            let mut managed = std::ptr::null_mut();
            // SAFETY: this thread owns a reference, so the tensor lives; the export is given back once.
            let code = unsafe {
                inc(handle.get());
                let code = export(handle.get(), &mut managed);
                dec(handle.get());
                if code == 0
                    && let Some(deleter) = memory::read(managed).and_then(|managed| managed.deleter)
                {
                    deleter(managed);
                }
                code
            };
            t.eq("return value of TVMFFITensorToDLPack", code, 0)?;
        }
        if number == 0 {
            t.ok(t.api.TVMFFIObjectDecRef(handle.get()))?;
        }
        t.ok(t.api.TVMFFIObjectDecRef(handle.get()))
    })?;
    t.eq("calls of the producer's deleter", returned(0), 1)
}

/// A handle that threads share.
struct Shared(u64);

impl Shared {
    fn get(&self) -> TVMFFIObjectHandle {
        self.0 as TVMFFIObjectHandle
    }
}

/// A random sequence of imports, references, exports and releases gives each memory back once, and in time.
#[check(TEN_0017, TEN_0022)]
fn ownership_model(t: &Trial) -> Verdict {
    let step = (
        prop_oneof![
            1 => Just(Step::Import),
            1 => Just(Step::Retain),
            1 => Just(Step::Export),
            1 => Just(Step::ImportExport),
            2 => Just(Step::Release)
        ],
        any::<Index>(),
        any::<bool>(),
    );
    t.property(vec(step, 1..40), |steps| {
        let mut model = Model::new();
        for (step, index, versioned) in steps {
            model.take(t, *step, *index, Form::from(*versioned))?;
            model.compare(t)?;
        }
        model.end(t)
    })
}

/// Something that keeps a tensor alive.
enum Held {
    Handle(Box<Owned>),
    Export(Export),
}

/// What may be done to the tensors of a [`Model`].
#[derive(Clone, Copy, Debug)]
enum Step {
    Import,
    Retain,
    Export,
    ImportExport,
    Release,
}

/// Producers, everything that keeps the tensor of each alive, and how often each deleter ran before.
struct Model {
    producers: Vec<Producer>,
    held: Vec<(usize, Held)>,
    before: [usize; PRODUCERS],
}

impl Model {
    fn new() -> Self {
        // Producers do not move once their tensors are handed over.
        let producers = Vec::with_capacity(PRODUCERS);
        Self { producers, held: Vec::new(), before: std::array::from_fn(returned) }
    }

    /// Takes a step, if it makes sense for what `index` chooses.
    fn take(&mut self, t: &Trial, step: Step, index: Index, form: Form) -> Verdict {
        if let Step::Import = step {
            return self.import(t, form);
        }
        if self.held.is_empty() {
            return Ok(());
        }
        let at = index.index(self.held.len());
        match (step, &self.held[at]) {
            (Step::Retain, (number, Held::Handle(tensor))) => {
                let new = retained(t, tensor)?;
                self.held.push((*number, Held::Handle(Box::new(new))));
            }
            (Step::Export, (number, Held::Handle(tensor))) => {
                let new = Export::of(t, form, tensor)?;
                self.held.push((*number, Held::Export(new)));
            }
            (Step::ImportExport, (_, Held::Export(_))) => {
                if let (number, Held::Export(export)) = self.held.swap_remove(at) {
                    self.held.push((number, Held::Handle(Box::new(export.import(t)?))));
                }
            }
            (Step::Release, _) => match self.held.swap_remove(at).1 {
                Held::Handle(tensor) => drop(tensor),
                Held::Export(export) => export.give_back(t),
            },
            _ => {}
        }
        Ok(())
    }

    /// Imports the tensor of one more producer.
    fn import(&mut self, t: &Trial, form: Form) -> Verdict {
        let number = self.producers.len();
        if number < PRODUCERS {
            self.producers.push(Producer { number, ..Producer::new() });
            let tensor = self.producers[number].import(t, form)?;
            self.held.push((number, Held::Handle(Box::new(tensor))));
        }
        Ok(())
    }

    /// Expects that the deleter of each producer ran once if nothing keeps its tensor alive, and not at all otherwise.
    fn compare(&self, t: &Trial) -> Verdict {
        for producer in &self.producers {
            let number = producer.number;
            let held: Vec<&Held> = self.held.iter().filter(|(of, _)| *of == number).map(|(_, held)| held).collect();
            let exported = held.iter().any(|held| matches!(held, Held::Export(_)));
            t.clause(if exported { id::TEN_0022 } else { id::TEN_0017 });
            let what = format!("calls of deleter {number} with {} references and exports left", held.len());
            t.eq(what, returned(number) - self.before[number], usize::from(held.is_empty()))?;
        }
        Ok(())
    }

    /// Compares what is left with its producers, and releases it.
    fn end(mut self, t: &Trial) -> Verdict {
        while let Some((number, held)) = self.held.pop() {
            let producer = &self.producers[number];
            match held {
                Held::Handle(tensor) => producer.compare_tensor(t, "a Tensor that is left", &tensor)?,
                Held::Export(export) => {
                    producer.compare(t, "an export that is left", &export.reread(t)?)?;
                    export.give_back(t);
                }
            }
            self.compare(t)?;
        }
        Ok(())
    }
}

/// Tensors that are imported, exported and released leave no memory behind.
#[check(TEN_0037, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    for form in FORMS {
        t.no_growth("memory for tensors that are imported, exported and released", || {
            let mut producer = Producer { strides: None, ..Producer::new() };
            let tensor = producer.import(t, form)?;
            Export::of(t, form, &tensor)?.give_back(t);
            Ok(())
        })?;
    }
    Ok(())
}

/// Tensors that are refused leave no memory behind.
#[check(TEN_0037, patient = 2)]
fn refused_no_growth(t: &Trial) -> Verdict {
    t.no_growth("memory for tensors that are refused", || {
        Producer { strides: Some(vec![1, 1, 1]), ..Producer::new() }.refuse(t, Form::Plain, 0, true)
    })
}
