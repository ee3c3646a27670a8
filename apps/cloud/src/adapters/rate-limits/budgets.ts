/** How often something may be done, in a window that begins with its first use (seconds). */
export interface Budget {
  readonly uses: number
  readonly windowS: number
  /** What a person reads beyond it. */
  readonly detalhe: string
}

const tentativas = 'Muitas tentativas seguidas. Aguarde alguns minutos e tente outra vez.'

const codigos = 'Muitos códigos errados seguidos. Aguarde, ou use um código de recuperação.'

/** Every number of the limits. */
export const budgets = {
  /** Wrong passwords of one name from one network: a person who mistypes never gets there; guessing stays at 2 a minute. */
  loginPar: { uses: 10, windowS: 5 * 60, detalhe: tentativas },
  /** Wrong passwords from one network over all names: one guess for each of many names. An office behind one address stays below. */
  loginRede: { uses: 100, windowS: 15 * 60, detalhe: tentativas },
  /** How long a name that has signed in from a network is spared the budget of that network. Timers end at 24 days. */
  loginConhecido: { uses: 1, windowS: 21 * 24 * 3600, detalhe: tentativas },
  /** Wrong codes of an authenticator app, of one login from one network: three of a million codes are right at a time. */
  codigoPar: { uses: 5, windowS: 15 * 60, detalhe: codigos },
  /**
   * Wrong codes of one login over all networks. With a known password, a guess succeeds with a probability of 6 in 100,000
   * a day. Recovery codes are counted apart, so that the owner of the login is not locked out.
   */
  codigoLogin: { uses: 20, windowS: 24 * 3600, detalhe: codigos },
  /** Wrong recovery codes, of one login from one network. They have 80 random bits. */
  recuperacao: { uses: 10, windowS: 5 * 60, detalhe: tentativas },
  /** Wrong activation codes from one network. A code has 80 random bits; this only keeps the noise down. */
  ativacao: { uses: 10, windowS: 5 * 60, detalhe: tentativas },
  /** Probes, of one Empresa and of one login: enough to install a site with dozens of recorders, too few to search a network. */
  sondagem: {
    uses: 60,
    windowS: 10 * 60,
    detalhe: 'Muitas buscas e testes de conexão seguidos. Aguarde alguns minutos e tente outra vez.',
  },
  /** Registrations of agents' programs from one network: the services behind which many people's agents run share an address. */
  registroOauth: {
    uses: 100,
    windowS: 3600,
    detalhe: 'Muitos registros seguidos vindos desta rede. Aguarde até uma hora e tente outra vez.',
  },
  /** Refused codes and tokens of agents from one network. They have 256 random bits; this only keeps the noise down. */
  recusaOauth: { uses: 100, windowS: 5 * 60, detalhe: tentativas },
  /** Consent pages and codes, of one login: each decision stays in the audit log for good. */
  consentimento: {
    uses: 600,
    windowS: 10 * 60,
    detalhe: 'Este login autorizou agentes vezes demais em pouco tempo. Aguarde alguns minutos e tente outra vez.',
  },
  /** Test messages, of one channel and of one login: each may cost money or annoy somebody. */
  teste: {
    uses: 20,
    windowS: 10 * 60,
    detalhe: 'Muitos envios de teste seguidos. Aguarde alguns minutos e tente outra vez.',
  },
  /** Messages to /mcp, of one authorization: an agent at work sends a few a second at most, one in a loop hundreds. */
  agente: {
    uses: 300,
    windowS: 60,
    detalhe: 'Este agente mandou mensagens demais em pouco tempo. Espere e continue mais devagar.',
  },
} as const satisfies Record<string, Budget>

export type Budgets = Readonly<Record<keyof typeof budgets, Budget>>
