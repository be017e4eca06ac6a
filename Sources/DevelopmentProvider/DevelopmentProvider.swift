// Declarations of DevelopmentProvider.
