// Declarations of BrowserFlow.
