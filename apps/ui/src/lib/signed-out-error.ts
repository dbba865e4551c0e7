// Says that a request was not sent because nobody is signed in any more.

export class SignedOutError extends Error {
  override readonly name = "SignedOutError";

  constructor() {
    super("Your session has ended.");
  }
}
