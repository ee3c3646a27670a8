/** A budget of uses for each key, in a window of time; it holds across restarts and replicas. */
export interface RateLimit {
  /**
   * Counts one use of `key`.
   * @throws VigiaError `muitas_requisicoes`, with the seconds to wait, when the key has no use left.
   */
  consume(key: string): Promise<void>
}

/** A budget of failed tries, for whoever checks a credential. */
export interface FailureLimit {
  /**
   * Runs `task`, which checks a credential; when it throws `nao_autenticado`, that is a failed try of `name` from
   * `address`.
   * @throws VigiaError `muitas_requisicoes` after too many; what `task` throws.
   */
  guard<T>(name: string, address: string, task: () => Promise<T>): Promise<T>
}

export interface RateLimits {
  /** Wrong passwords, at every door that takes one. */
  readonly login: FailureLimit
  /** Wrong codes of authenticator apps, after a right password. */
  readonly codigo: FailureLimit
  /** Wrong recovery codes, after a right password. */
  readonly recuperacao: FailureLimit
  /** Wrong activation codes of edges. */
  readonly ativacao: FailureLimit
  /** Discovery and connection tests of recorders. */
  readonly sondagem: RateLimit
  /** Registrations of agents' programs. */
  readonly registroOauth: RateLimit
  /** Refused codes and tokens of agents. */
  readonly recusaOauth: RateLimit
  /** Consents of logins to agents. */
  readonly consentimento: RateLimit
  /** Test messages of notification channels. */
  readonly teste: RateLimit
  /** Messages of agents to /mcp. */
  readonly agente: RateLimit
  /** Ends the pruning and closes the store. */
  stop(): void
}
