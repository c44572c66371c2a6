"""Results to answers: one small pure module per question, and the steps that they share."""
