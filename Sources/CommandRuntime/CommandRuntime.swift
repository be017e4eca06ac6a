// Declarations of CommandRuntime.
