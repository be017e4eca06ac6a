// Tests of SessionModel.
