//! The harness: runs checks on a target and survives whatever that does.
//!
//! A run, top down:
//! - [`plan`]: which checks are asked for, and which of them a target with these capabilities has to pass;
//! - [`options`]: how they are run;
//! - [`asked`]: what is asked of a target before anything is known of it;
//! - [`requirement`]: what the target is held to beside the clauses: releases, capabilities, another library;
//! - [`standing`]: what it has and has to have, from which follows what the absence of something means;
//! - [`generation`]: the generation of the ABI that the target speaks, where that is not the one that is judged;
//! - [`in_file`]: what the file of the target shows, without running it;
//! - [`runner`]: asks the target what it has, and has the checks run (`steps`, [`no_run`], [`older`] are what comes of it); [`interrupt`] ends it;
//! - `crew`: the workers, one thread for each, and which checks they are handed (`left`);
//! - [`folder`], [`scratch`]: the run's own folder; [`instrumented`]: what processes of a target need that is built with a sanitizer;
//! - [`worker_handle`]: a worker as this process sees it: started, given jobs, killed;
//! - [`process`]: what happens in workers and their children, in which the target is opened and the checks run;
//! - [`outcome`], [`wreck`], [`sanitizer_report`], [`rerun`]: from what happened in a child to what is reported of its check;
//! - [`errands`], [`kernels`]: jobs that are no checks; calls of functions that libraries export, and what they broke;
//! - [`program`]: the C program that repeats a failure;
//! - [`layouts`]: which failures follow from a struct that lies in memory otherwise; [`lacking`]: and from a part that is missing;
//! - [`known`]: which of the failures are known and tolerated.

pub mod asked;
mod crew;
mod errands;
pub mod folder;
pub mod generation;
mod in_file;
pub mod instrumented;
pub mod interrupt;
pub mod kernels;
pub mod known;
pub mod lacking;
mod layouts;
mod left;
pub mod no_run;
pub mod older;
pub mod options;
mod outcome;
pub mod plan;
pub mod process;
mod program;
pub mod requirement;
mod rerun;
pub mod runner;
mod sanitizer_report;
mod scratch;
mod standing;
mod steps;
mod worker_handle;
mod wreck;
