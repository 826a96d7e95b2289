//! What the program does, as those see it who run it: one program of many tests, which run side by side while some wait for
//! targets that hang. Faults, and what opens two libraries in the process of the test, are programs of their own.

mod audit;
mod browser;
mod cli;
mod compare;
mod copies;
mod cxx;
mod docs;
mod documents;
mod evidence;
mod formats;
mod generations;
mod hostile;
mod integrations;
mod kernel;
mod lacking;
mod library;
mod matrix;
mod program;
mod programs;
mod readme;
mod reference;
mod sanitized;
mod several;
mod spec;
mod targets;
mod upstream;
mod verdict;
mod watch;
mod whole;
