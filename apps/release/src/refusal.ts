/** A condition that the person must correct first. The message is a Portuguese sentence that says how. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
