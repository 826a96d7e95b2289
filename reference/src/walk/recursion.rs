//! Recursion over values, on an explicit stack from a few levels on, so that data of any depth fits a stack of any size.

use crate::{
    border::error::{Error, Result},
    system::{memory::RoomFor, stack},
};

/// How many levels deep data may be nested; the releases walk as many.
pub const MAX_DEPTH: usize = 1 << 20;

/// How many levels of most data there are at the most.
pub const USUAL_DEPTH: usize = 16;

/// How many levels are nested calls where less of the stack than this is left for the others.
const NESTED_ON_SMALL_STACK: usize = 4;
const STACK_FOR_OTHERS: usize = 512 << 10;

/// A computation that is defined by recursion: the result of a value is made of the results of its children.
pub trait Fold {
    /// What is visited.
    type Input;
    /// What comes out of a visit.
    type Output;
    /// A value whose children are being visited.
    type Frame;
    /// The name of the computation in its errors.
    const NAME: &'static str;
    /// How many levels are nested calls: faster where results are words, and slower where they are values, which are moved more.
    const NESTED: usize = 0;

    /// Looks at a value: its result, or a frame if that depends on children.
    fn visit(&mut self, input: Self::Input) -> Result<Visit<Self::Frame, Self::Output>>;
    /// The child to be visited next; none when there are no more, or when they do not matter any more.
    fn next(&mut self, frame: &mut Self::Frame) -> Result<Option<Self::Input>>;
    /// Takes in the result of the child that was visited last.
    fn feed(&mut self, frame: &mut Self::Frame, output: Self::Output) -> Result<()>;
    /// The result of a value all of whose children have been visited.
    fn finish(&mut self, frame: Self::Frame) -> Result<Self::Output>;
    /// Forgets a value whose visit was cut short by an error.
    fn abandon(&mut self, _frame: Self::Frame) {}
}

/// What is known of a value after a look at it.
pub enum Visit<Frame, Output> {
    /// Its children come first.
    Enter(Frame),
    /// All of it.
    Done(Output),
}

/// Runs the computation for a value.
///
/// # Errors
/// What the computation fails with, and `ValueError` for data that is nested more than [`MAX_DEPTH`] levels deep.
pub fn fold<F: Fold>(computation: &mut F, input: F::Input) -> Result<F::Output> {
    match computation.visit(input) {
        Ok(Visit::Done(output)) => Ok(output),
        Ok(Visit::Enter(frame)) if F::NESTED > 0 => nested(computation, frame, 1),
        Ok(Visit::Enter(frame)) => on_stack(computation, frame, 0),
        Err(error) => Err(error),
    }
}

/// Visits the children of a value, which is so many levels deep, and takes their results together.
fn nested<F: Fold>(computation: &mut F, mut frame: F::Frame, depth: usize) -> Result<F::Output> {
    match inside(computation, &mut frame, depth) {
        Ok(()) => computation.finish(frame),
        Err(error) => {
            computation.abandon(frame);
            Err(error)
        }
    }
}

#[inline]
fn inside<F: Fold>(computation: &mut F, frame: &mut F::Frame, depth: usize) -> Result<()> {
    while let Some(child) = computation.next(frame)? {
        let output = match computation.visit(child) {
            Ok(Visit::Done(output)) => output,
            Ok(Visit::Enter(child)) if is_nested::<F>(depth) => nested(computation, child, depth + 1)?,
            Ok(Visit::Enter(child)) => on_stack(computation, child, depth)?,
            Err(error) => return Err(error),
        };
        computation.feed(frame, output)?;
    }
    Ok(())
}

/// Whether what is inside of a value so many levels deep is visited by nested calls.
#[inline]
fn is_nested<F: Fold>(depth: usize) -> bool {
    depth < F::NESTED && (depth != NESTED_ON_SMALL_STACK || stack::has(STACK_FOR_OTHERS))
}

/// As [`nested`], on a stack below so many levels of nested calls.
#[inline]
fn on_stack<F: Fold>(computation: &mut F, frame: F::Frame, above: usize) -> Result<F::Output> {
    let mut stack = Vec::new();
    let result = run(computation, frame, above, &mut stack);
    while let Some(frame) = stack.pop() {
        computation.abandon(frame);
    }
    result
}

#[inline]
fn run<F: Fold>(computation: &mut F, frame: F::Frame, above: usize, stack: &mut Vec<F::Frame>) -> Result<F::Output> {
    if let Err(error) = stack.room_for(1) {
        computation.abandon(frame);
        return Err(error.into());
    }
    stack.push(frame);
    loop {
        let top = stack.len() - 1;
        match computation.next(&mut stack[top])? {
            Some(child) => {
                // Before there is a frame, which goes to the stack at once: it is slow to move a moment after it was written in parts.
                stack.room_for(1)?;
                match computation.visit(child) {
                    Ok(Visit::Enter(frame)) => stack.push(frame),
                    Ok(Visit::Done(output)) => computation.feed(&mut stack[top], output)?,
                    Err(error) => return Err(error),
                }
                if stack.len() + above > MAX_DEPTH {
                    return Err(too_deep(F::NAME));
                }
            }
            None => {
                let Some(frame) = stack.pop() else { unreachable!("nothing has left the stack since") };
                let output = computation.finish(frame)?;
                let Some(frame) = stack.last_mut() else { return Ok(output) };
                computation.feed(frame, output)?;
            }
        }
    }
}

#[cold]
fn too_deep(name: &str) -> Error {
    Error::new("ValueError", format!("{name}: maximum stack depth ({MAX_DEPTH}) exceeded"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts down from a number, whose depth is that number, so many levels of it by nested calls.
    #[derive(Default)]
    struct Countdown<const NESTED: usize> {
        abandoned: usize,
    }

    impl<const NESTED: usize> Fold for Countdown<NESTED> {
        type Input = usize;
        type Output = usize;
        type Frame = (usize, usize);
        const NAME: &'static str = "Countdown";
        const NESTED: usize = NESTED;

        fn visit(&mut self, number: usize) -> Result<Visit<Self::Frame, usize>> {
            Ok(if number == 0 { Visit::Done(0) } else { Visit::Enter((number, 0)) })
        }

        fn next(&mut self, (number, _): &mut Self::Frame) -> Result<Option<usize>> {
            Ok(std::mem::take(number).checked_sub(1))
        }

        fn feed(&mut self, (_, result): &mut Self::Frame, output: usize) -> Result<()> {
            *result = output;
            Ok(())
        }

        fn finish(&mut self, (_, result): Self::Frame) -> Result<usize> {
            Ok(result + 1)
        }

        fn abandon(&mut self, _: Self::Frame) {
            self.abandoned += 1;
        }
    }

    #[test]
    fn depth_is_bounded_and_every_frame_is_given_up() {
        count_down::<0>();
        count_down::<1>();
        count_down::<USUAL_DEPTH>();
    }

    fn count_down<const NESTED: usize>() {
        let mut countdown = Countdown::<NESTED>::default();
        assert_eq!(fold(&mut countdown, 0).unwrap(), 0);
        assert_eq!(fold(&mut countdown, MAX_DEPTH).unwrap(), MAX_DEPTH);
        assert_eq!(countdown.abandoned, 0);
        let error = fold(&mut countdown, MAX_DEPTH + 1).unwrap_err();
        assert_eq!(error.to_string(), "ValueError: Countdown: maximum stack depth (1048576) exceeded");
        assert_eq!(countdown.abandoned, MAX_DEPTH + 1);
    }
}
