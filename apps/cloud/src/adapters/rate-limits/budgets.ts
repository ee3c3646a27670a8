/** Allowed uses in a window that starts with the first use. */
export interface Budget {
  readonly uses: number
  readonly windowS: number
  /** Error sentence when the budget is exhausted. */
  readonly detalhe: string
}

const tentativas = 'Muitas tentativas seguidas. Aguarde alguns minutos e tente outra vez.'

const codigos = 'Muitos códigos errados seguidos. Aguarde, ou use um código de recuperação.'

/** All rate limits. */
export const budgets = {
  /**
   * Wrong passwords of one name from one network. The budget exceeds normal typing errors and limits guessing to 2 per
   * minute.
   */
  loginPar: { uses: 10, windowS: 5 * 60, detalhe: tentativas },
  /**
   * Wrong passwords from one network over all names, against one guess for each of many names. An office behind one
   * address stays below this limit.
   */
  loginRede: { uses: 100, windowS: 15 * 60, detalhe: tentativas },
  /**
   * Time after a login during which the name is exempt from the budget of its network. Timers are limited to 24 days.
   */
  loginConhecido: { uses: 1, windowS: 21 * 24 * 3600, detalhe: tentativas },
  /**
   * Wrong codes of an authenticator app, of one login from one network. Three of a million codes are valid at a time.
   */
  codigoPar: { uses: 5, windowS: 15 * 60, detalhe: codigos },
  /**
   * Wrong codes of one login over all networks. With a known password, a guess succeeds with a probability of 6 in
   * 100,000 a day. Recovery codes are counted separately, so that the owner of the login is not locked out.
   */
  codigoLogin: { uses: 20, windowS: 24 * 3600, detalhe: codigos },
  /** Wrong recovery codes, of one login from one network. They have 80 random bits. */
  recuperacao: { uses: 10, windowS: 5 * 60, detalhe: tentativas },
  /** Wrong activation codes from one network. A code has 80 random bits; this limit only reduces load. */
  ativacao: { uses: 10, windowS: 5 * 60, detalhe: tentativas },
  /** Renewals of one session: a page renews it every half hour, and a browser may have dozens of tabs. */
  renovacao: { uses: 60, windowS: 10 * 60, detalhe: tentativas },
  /** Unknown tokens of invitations from one network. They have 256 random bits; this limit only reduces load. */
  conviteErrado: { uses: 20, windowS: 10 * 60, detalhe: tentativas },
  /** Invitations that one login creates. */
  convite: {
    uses: 60,
    windowS: 3600,
    detalhe: 'Muitos convites seguidos. Aguarde até uma hora e tente outra vez.',
  },
  /** Probes of one Empresa and of one login: enough to install dozens of gravadores, too few to scan a network. */
  sondagem: {
    uses: 60,
    windowS: 10 * 60,
    detalhe: 'Muitas buscas e testes de conexão seguidos. Aguarde alguns minutos e tente outra vez.',
  },
  /**
   * Pictures of canais, of one Empresa and of one login: two recorders with 64 canais. Each is one login at a recorder,
   * so that this limit also bounds the guessing of passwords.
   */
  imagemCanal: {
    uses: 128,
    windowS: 10 * 60,
    detalhe: 'Muitas imagens de canais seguidas. Aguarde alguns minutos; os canais podem ser adicionados sem imagem.',
  },
  /** Lists of recordings of one login and of one recorder, which reads its disk for each. */
  listaGravacao: {
    uses: 40,
    windowS: 10 * 60,
    detalhe: 'Muitas consultas seguidas às gravações. Aguarde alguns minutos e tente outra vez.',
  },
  /**
   * Registrations of programs from one network. This budget is large, because hosted agents of many users share an
   * address.
   */
  registroOauth: {
    uses: 100,
    windowS: 3600,
    detalhe: 'Muitos registros seguidos vindos desta rede. Aguarde até uma hora e tente outra vez.',
  },
  /** Rejected codes and tokens of agents from one network. They have 256 random bits; this limit only reduces load. */
  recusaOauth: { uses: 100, windowS: 5 * 60, detalhe: tentativas },
  /** Consent pages and codes of one login, because the audit log keeps each decision for ever. */
  consentimento: {
    uses: 600,
    windowS: 10 * 60,
    detalhe: 'Este login autorizou agentes vezes demais em pouco tempo. Aguarde alguns minutos e tente outra vez.',
  },
  /** Test messages of one canal and of one login: each may cost money or disturb its recipient. */
  teste: {
    uses: 20,
    windowS: 10 * 60,
    detalhe: 'Muitos envios de teste seguidos. Aguarde alguns minutos e tente outra vez.',
  },
  /** Simulations of one login: each reads up to thousands of candidates. */
  simulacao: {
    uses: 10,
    windowS: 60,
    detalhe: 'Muitas simulações seguidas. Aguarde um minuto e tente outra vez.',
  },
  /**
   * Audit records that the requests of one root Empresa leave. A program that registers an account of the largest size
   * stays below it, with a record for each camera and canal.
   */
  mudanca: {
    uses: 20_000,
    windowS: 3600,
    detalhe: 'Esta conta fez mudanças demais em pouco tempo. Nada foi mudado: aguarde até uma hora e tente outra vez.',
  },
  /** Messages to /mcp of one authorization. A normal agent sends a few per second, an agent in a loop hundreds. */
  agente: {
    uses: 300,
    windowS: 60,
    detalhe: 'Este agente mandou mensagens demais em pouco tempo. Espere e continue mais devagar.',
  },
} as const satisfies Record<string, Budget>

export type Budgets = Readonly<Record<keyof typeof budgets, Budget>>
