// Tests of CommandRuntime.
