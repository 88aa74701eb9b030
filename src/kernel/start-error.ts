/**
 * Why the service can't start (or can't go on), as one sentence for the person at the terminal: what is wrong and what
 * to do. The starting program prints the message without a stack and exits with code 1.
 */
export class StartError extends Error {
  override readonly name = "StartError";
}
