// Tests of BrowserFlow.
