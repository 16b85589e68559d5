// A program that makes a daemon imports BusdDaemon, and the modules with its kinds. To register a
// kind it needs the host, and services such as libraries and clocks.

@_exported public import BusdHosting
@_exported public import BusdProtocol
