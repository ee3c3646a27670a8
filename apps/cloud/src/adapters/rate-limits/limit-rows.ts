import { defineLimits, type LimitRow, none } from '@vigia/contracts/limit-rows'
import { type Budget, type Budgets, budgets } from './budgets.ts'

type Per = 'login' | 'network' | 'Empresa and login' | 'authorization' | 'session' | 'canal and login'
interface Counted {
  readonly what: string
  readonly per: Per
  readonly test: string
}

/** Each budget with the test that exceeds it. */
const counted = {
  loginPar: {
    what: 'wrong passwords of one name',
    per: 'network',
    test: 'block a name at an address after ten attempts, even with the right password, until the window ends',
  },
  loginRede: {
    what: 'wrong passwords of all names',
    per: 'network',
    test: 'blocks a network that tries one password on many names, but not a known login there',
  },
  codigoPar: {
    what: 'wrong codes of one login',
    per: 'network',
    test: 'blocks a network after five wrong codes and the login after twenty; a recovery code still works',
  },
  codigoLogin: {
    what: 'wrong codes',
    per: 'login',
    test: 'blocks a network after five wrong codes and the login after twenty; a recovery code still works',
  },
  recuperacao: {
    what: 'wrong recovery codes of one login',
    per: 'network',
    test: 'is exhausted per key, with the time to wait, and renewed after its window',
  },
  ativacao: {
    what: 'wrong activation codes',
    per: 'network',
    test: 'expires the code after 24 hours and limits the rate of guesses',
  },
  renovacao: { what: 'renewals', per: 'session', test: 'of one session is limited' },
  conviteErrado: {
    what: 'wrong invitations',
    per: 'network',
    test: 'for an unknown token, and guesses are limited by network',
  },
  convite: {
    what: 'invitations, which live for 72 hours',
    per: 'login',
    test: 'are limited to 60 invitations an hour',
  },
  sondagem: {
    what: 'probes of devices',
    per: 'Empresa and login',
    test: 'counts against the limits of the Empresa and the login until they are used up',
  },
  imagemCanal: {
    what: 'pictures of canais',
    per: 'Empresa and login',
    test: 'is exhausted per key, with the time to wait, and renewed after its window',
  },
  listaGravacao: {
    what: 'lists of recordings',
    per: 'login',
    test: 'refuses a wrong period, another account, and too many lists',
  },
  registroOauth: { what: 'registrations of programs', per: 'network', test: 'is limited per network' },
  recusaOauth: {
    what: 'refused codes and tokens of agents',
    per: 'network',
    test: 'limits the failures of one network, but still accepts valid requests',
  },
  consentimento: {
    what: 'consents',
    per: 'login',
    test: 'limits the consents of one login, so that it cannot fill the audit log',
  },
  teste: {
    what: 'test messages',
    per: 'canal and login',
    test: 'of a canal refuses every caller with the time to wait, and sends nothing',
  },
  simulacao: { what: 'simulations', per: 'login', test: 'runs ten times a minute and login' },
  agente: {
    what: 'messages of an agent (MCP)',
    per: 'authorization',
    test: 'is limited in messages, and every message of a batch counts',
  },
} as const satisfies Readonly<Record<Exclude<keyof Budgets, 'loginConhecido' | 'mudanca'>, Counted>>

const who: Readonly<Record<Per, string>> = {
  network: 'everybody',
  login: 'login, key',
  'Empresa and login': 'login, key',
  authorization: 'agent',
  session: 'login',
  'canal and login': 'login, key',
}

function rowOf({ what, per, test }: Counted, { uses, windowS }: Budget): LimitRow {
  const cell = { limit: `${uses} in ${windowS} s of one ${per.replace(' and ', ' or of one ')}`, test }
  const perEmpresa = per === 'Empresa and login'
  return {
    what: `Rate: ${what}`,
    who: who[per],
    item: none('one use'),
    connection: cell,
    edge: none('an edge sends none'),
    empresa: perEmpresa ? cell : none('its logins and agents are limited'),
    root: none('as for an Empresa'),
    installation: none('counted by caller, so that no caller exhausts the budget of another'),
  }
}

/** Requests with a budget. `loginConhecido` exempts a name, and bounds nothing. `mudanca`: `audit/limit-rows.ts`. */
export const limitRows = defineLimits(
  Object.entries(counted).map(([name, row]) => rowOf(row, budgets[name as keyof typeof counted])),
)
