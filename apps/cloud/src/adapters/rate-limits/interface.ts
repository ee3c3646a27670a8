/** A budget of uses for each key, in a window of time; it holds across restarts and replicas. */
export interface RateLimit {
  /**
   * Counts one use of `key`.
   * @throws VigiaError `muitas_requisicoes`, with the seconds to wait, when the key has no use left.
   */
  consume(key: string): Promise<void>
}
