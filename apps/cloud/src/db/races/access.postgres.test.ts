import { randomBytes, randomUUID } from 'node:crypto'
import { fixture } from '@vigia/testing/fixture'
import { pino } from 'pino'
import { beforeAll, it } from 'vitest'
import { newToken, tokenHash } from '../../adapters/bearer-token.ts'
import { createSecretBox } from '../../adapters/secret-box.ts'
import { insertClient } from '../../domains/agentes/oauth/clients-store.ts'
import { askConsent, decideConsent } from '../../domains/agentes/oauth/consent.ts'
import { exchangeGrant } from '../../domains/agentes/oauth/exchange-grant.ts'
import { insertRefresh } from '../../domains/agentes/oauth/grants-store.ts'
import { type AuthorizationRequest, issueCode } from '../../domains/agentes/oauth/issue-code.ts'
import { addKeyAfter } from '../../domains/agentes/oauth/keys-store.ts'
import { registerClient } from '../../domains/agentes/oauth/register-client.ts'
import { createSigningKeys } from '../../domains/agentes/oauth/signing-keys.ts'
import { addVapidAfter } from '../../domains/mensagens/push/store.ts'
import { logIn } from '../../domains/pessoas/sessoes/log-in.ts'
import { changeUsuario } from '../../domains/pessoas/usuarios/change-usuario.ts'
import { createPasswords } from '../../domains/pessoas/usuarios/passwords.ts'
import { insertUsuario } from '../../domains/pessoas/usuarios/store.ts'
import { newPkce } from '../../test/clients/oauth-flow.ts'
import { operatorCaller } from '../../test/clients/operator-caller.ts'
import { roomyDisk } from '../../test/stand-ins/roomy-disk.ts'
import { expectCured, openTwoPools, together } from '../../test/walks/races.ts'
import { lockName } from '../locks.ts'
import type { Database } from '../open.ts'
import { transact } from '../transaction.ts'
import { findUsuario } from '../usuarios.ts'

const BASE = 'http://127.0.0.1'
const REDIRECT = `${BASE}:1/`
const from = { endereco: '127.0.0.1', pedido: 'teste' }
const origem = { canal: 'painel', cliente: null, ...from } as const
const clock = { now: () => Date.now() }
const log = pino({ level: 'silent' })
const unlimited = { consume: async () => {} }
const box = createSecretBox(randomBytes(32))
const passwords = createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 })
const { challenge, verifier } = newPkce()
const request: AuthorizationRequest = {
  clientId: 'c',
  redirectUri: REDIRECT,
  codeChallenge: challenge,
  state: '',
  recurso: `${BASE}/mcp`,
  escopo: 'mcp',
}

let operators: number[]
const pools = fixture(openTwoPools)

beforeAll(async () => {
  const login = { senha_hash: 'x', papel: 'administrador', empresa_id: null, criado_em: 1 } as const
  operators = []
  for (const username of ['admin', 'ana'])
    operators.push((await insertUsuario(pools.one, { ...login, username, username_chave: username })).id)
  await insertClient(pools.one, {
    client_id: 'c',
    nome: null,
    redirect_uris_json: '[]',
    criado_em: Date.now(),
    usado_em: Date.now(),
  })
})

const oauth = (db: Database) => ({
  db,
  clock,
  log,
  publicBase: async () => BASE,
  registrationLimit: unlimited,
  grantLimit: unlimited,
  keys: createSigningKeys({ db: pools.one, clock, log, box, disk: roomyDisk }),
})
const code = () =>
  transact(pools.one, async (tx) => {
    await lockName(tx, 'clientes_oauth')
    return issueCode({ tx, clock }, operatorCaller, request)
  })
const first = () => operators[0] ?? 0
const second = () => operators[1] ?? 0
const reader = async () => {
  const usuario = await findUsuario(pools.one, second())
  if (!usuario) throw new Error('no login')
  return usuario
}
/** The number of rows above one. */
const beyondOne = async (table: 'chaves_oauth' | 'chaves_vapid') =>
  (await pools.one.selectFrom(table).select('id').execute()).length - 1

it('3: a code is exchanged once, and a used refresh token once more', async () => {
  await expectCured(pools, {
    row: '3',
    rounds: 10,
    round: async (one, two) => {
      const deps = [one, two].map(oauth)
      const shared = { client_id: 'c', redirect_uri: REDIRECT }
      const redeemed = { ...shared, grant_type: 'authorization_code', code: await code(), code_verifier: verifier }
      const refresh_token = newToken()
      const { autorizacao_id } = await pools.one
        .selectFrom('codigos_oauth')
        .select('autorizacao_id')
        .where('codigo_hash', '=', tokenHash(await code()) ?? '')
        .executeTakeFirstOrThrow()
      await insertRefresh(pools.one, {
        token_hash: tokenHash(refresh_token) ?? '',
        autorizacao_id,
        criada_em: Date.now(),
        expira_em: Date.now() + 60_000,
        usada_em: Date.now(),
      })
      const renewed = { ...shared, grant_type: 'refresh_token', refresh_token }
      let twice = 0
      for (const form of [redeemed, renewed]) {
        const answers = await together(...deps.map((dep) => () => exchangeGrant(dep, { form, base: BASE, from })))
        twice += answers.filter((answer) => 'access_token' in answer).length - 1
      }
      return twice
    },
  })
})

it('4: one active operator is left', async () => {
  await expectCured(pools, {
    row: '4',
    rounds: 20,
    round: async (one, two) => {
      await pools.one.updateTable('usuarios').set({ ativo: 1 }).execute()
      const off = (db: Database, by: number, id: number) => () =>
        changeUsuario({ db, clock, passwords, sessionEnded: () => {} }, { ...operatorCaller, usuarioId: by }, id, {
          ativo: false,
        })
      await together(off(one, first(), second()), off(two, second(), first()))
      const active = await pools.one.selectFrom('usuarios').select('id').where('ativo', '=', 1).execute()
      await pools.one.updateTable('usuarios').set({ ativo: 1 }).execute()
      return active.length === 0 ? 1 : 0
    },
  })
})

it('7: one signing key and one VAPID key are added', async () => {
  await expectCured(pools, {
    row: '7',
    rounds: 20,
    round: async (one, two) => {
      await pools.one.deleteFrom('chaves_oauth').execute()
      await pools.one.deleteFrom('chaves_vapid').execute()
      const signing = (db: Database) => () =>
        addKeyAfter(db, 0, { kid: randomUUID(), publica_json: '{}', criada_em: 1, assina_desde: 1 }, String)
      await together(signing(one), signing(two))
      const vapid = (db: Database) => () => addVapidAfter(db, 0, { publica: randomUUID(), criada_em: 1 }, String)
      await together(vapid(one), vapid(two))
      return (await beyondOne('chaves_oauth')) + (await beyondOne('chaves_vapid'))
    },
  })
  await pools.one.deleteFrom('chaves_oauth').execute()
})

it('8: at most 10,000 clients, and 10 consent pages of a login', async () => {
  const client = { nome: null, redirect_uris_json: '[]', criado_em: Date.now(), usado_em: null }
  const free = 9_999 - (await pools.one.selectFrom('clientes_oauth').select('id').execute()).length
  const clients = Array.from({ length: free }, () => ({ ...client, client_id: randomUUID() }))
  await pools.one.insertInto('clientes_oauth').values(clients).execute()
  await expectCured(pools, {
    row: '8, agents',
    rounds: 10,
    round: async (one, two) => {
      const add = (db: Database) => () =>
        registerClient(oauth(db), { redirect_uris: [`${BASE}/volta`], client_name: 'novo' }, from)
      await together(add(one), add(two))
      const known = await pools.one.selectFrom('clientes_oauth').select(['id', 'nome']).orderBy('id').execute()
      const gone = known.filter(({ nome }) => nome === 'novo').map(({ id }) => id)
      await pools.one.deleteFrom('clientes_oauth').where('id', 'in', gone).execute()
      const kept = known.length - gone.length
      if (kept < 9_999)
        await pools.one
          .insertInto('clientes_oauth')
          .values({ ...client, client_id: randomUUID() })
          .execute()

      const usuario = await reader()
      await together(...[one, two, one, two].map((db) => () => askConsent({ db, clock }, usuario, request, null)))
      const open = await pools.one.selectFrom('consentimentos_oauth').select('bilhete_hash').execute()
      return (known.length > 10_000 ? 1 : 0) + (open.length > 10 ? 1 : 0)
    },
  })
  await pools.one.deleteFrom('clientes_oauth').where('client_id', '<>', 'c').execute()
})

it('9: no session and no agent outlives a change of the password', async () => {
  await expectCured(pools, {
    row: '9',
    rounds: 12,
    round: async (one, two) => {
      const usuario = await reader()
      // Without the time of a hash, so that the transactions begin together.
      const instant = { hash: async () => randomUUID(), verify: async () => false }
      const change = (db: Database) => () =>
        changeUsuario({ db, clock, passwords: instant, sessionEnded: () => {} }, operatorCaller, usuario.id, {
          senha: 'outra senha qualquer',
        })
      const entered = { canal: 'painel', pedido: 'teste', address: '127.0.0.1', host: 'a', agente: undefined } as const
      const deps = { db: two, clock, sessaoMaxMs: 60_000 }
      await together<unknown>(change(one), () => logIn(deps, { usuario, fator: null }, entered))
      const sessions = await pools.one.selectFrom('sessoes').select('id').where('usuario_id', '=', usuario.id).execute()
      await pools.one.deleteFrom('sessoes').execute()

      const again = await reader()
      const bilhete = await askConsent({ db: pools.one, clock }, again, request, null)
      await together<unknown>(change(one), () =>
        decideConsent({ db: two, clock }, { bilhete, decisao: 'autorizar' }, BASE, origem),
      )
      const agents = await pools.one
        .selectFrom('autorizacoes_oauth')
        .select('id')
        .where('usuario_id', '=', usuario.id)
        .where('revogada_em', 'is', null)
        .execute()
      await pools.one.deleteFrom('autorizacoes_oauth').where('usuario_id', '=', usuario.id).execute()
      return sessions.length + agents.length
    },
  })
})
