// Tests of FileSupport.
