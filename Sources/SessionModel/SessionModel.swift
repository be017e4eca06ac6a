// Declarations of SessionModel.
