/** A budget of uses per key and time window, shared by replicas and kept across restarts. */
export interface RateLimit {
  /**
   * Counts one use of `key`.
   * @throws VigiaError `muitas_requisicoes`, with the seconds to wait, when the key is exhausted
   */
  consume(key: string): Promise<void>
}

/** A budget of failed attempts at a credential. */
export interface FailureLimit {
  /**
   * Runs `task`, which checks a credential. Its error `nao_autenticado` counts as a failed attempt of `name` from
   * `address`.
   * @throws VigiaError `muitas_requisicoes` after too many failures; errors of `task`
   */
  guard<T>(name: string, address: string, task: () => Promise<T>): Promise<T>
}

export interface RateLimits {
  /** Wrong passwords, at every interface with a password. */
  readonly login: FailureLimit
  /** Wrong codes of authenticator apps, after a correct password. */
  readonly codigo: FailureLimit
  /** Wrong recovery codes, after a correct password. */
  readonly recuperacao: FailureLimit
  /** Wrong activation codes of edges. */
  readonly ativacao: FailureLimit
  /** Renewals of sessions. */
  readonly renovacao: RateLimit
  /** Unknown tokens of invitations. */
  readonly conviteErrado: FailureLimit
  /** Created invitations. */
  readonly convite: RateLimit
  /** Discovery and connection tests of gravadores. */
  readonly sondagem: RateLimit
  /** Pictures of canais of a gravador that no camera reads yet. */
  readonly imagemCanal: RateLimit
  /** Lists of what recorders hold. */
  readonly listaGravacao: RateLimit
  /** Registrations of programs. */
  readonly registroOauth: RateLimit
  /** Rejected codes and tokens of agents. */
  readonly recusaOauth: RateLimit
  /** Consents of logins to agents. */
  readonly consentimento: RateLimit
  /** Test messages of canais. */
  readonly teste: RateLimit
  /** Simulations of a calibration. */
  readonly simulacao: RateLimit
  /** Audit records of a root Empresa. */
  readonly mudanca: RateLimit
  /** Messages of agents to /mcp. */
  readonly agente: RateLimit
  /** Ends the pruning and closes the store. */
  stop(): Promise<void>
}
