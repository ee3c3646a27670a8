import { join } from 'node:path'
import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { fixture } from '@vigia/testing/fixture'
import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadOrCreateKeys } from '../../../adapters/key-file.ts'
import { createSecretBox } from '../../../adapters/secret-box.ts'
import { askToken, isTaken, loginId, newAgent, refreshFields } from '../../../test/clients/oauth-flow.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import type { Account } from '../../../test/clouds/test-app.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { roomyDisk } from '../../../test/stand-ins/roomy-disk.ts'
import { type AuthenticateAgent, createAuthenticateAgent } from './authenticate-agent.ts'
import { createSigningKeys } from './signing-keys.ts'

/** Authenticates like another replica on the same database. */
let authenticateAgent: AuthenticateAgent
const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

beforeAll(async () => {
  const { db } = backstage
  const box = createSecretBox(loadOrCreateKeys(join(app.dataDir, 'cloud/chave'))[0])
  const keys = createSigningKeys({ db, clock: app.clock, box, log: pino({ level: 'silent' }), disk: roomyDisk })
  authenticateAgent = createAuthenticateAgent({ db, clock: app.clock, keys, disk: roomyDisk })
})

const from = { endereco: '127.0.0.1', pedido: 'teste' }
const who = (token: string) => authenticateAgent(token, app.url, from)
const renews = async (clientId: string, token: string) =>
  (await askToken(app, refreshFields(clientId, token))).status === 200

/** An agent of the account's administrator. */
async function agentOf({ empresaId }: Account, more: Readonly<Record<string, string>> = {}) {
  const username = `administrador-${empresaId}`
  const agent = await newAgent(app, { username, ...more })
  return { ...agent, username, id: await loginId(app.operator, username) }
}

/** Author and reason of the revocation of a client, from the audit log. */
async function takenBack(clientId: string) {
  const log = await app.operator.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?acao=revogar&limit=200')
  return log.flatMap(({ username, antes, depois }) =>
    antes?.client_id === clientId ? [[username, antes.username, depois?.motivo]] : [],
  )
}

describe('an agent', () => {
  it('acts as its login, with the canal of agents', async () => {
    const account = await app.account('Padaria')
    const agent = await agentOf(account)
    expect(await who(agent.access_token)).toEqual({
      caller: {
        usuarioId: agent.id,
        username: agent.username,
        papel: 'administrador',
        empresaId: account.empresaId,
        alcance: 'abaixo',
        escopo: new Set([account.empresaId]),
        placasOcultas: new Set(),
        efeitos: new Set(),
        origem: { canal: 'agente', cliente: `Agente de teste (${agent.clientId})`, ...from },
      },
      papelDoLogin: 'administrador',
      escopo: 'mcp',
      clientId: agent.clientId,
      autorizacaoId: expect.any(Number),
      expiraEm: expect.any(Number),
    })
  })

  it('with the scope for reading has the role usuario and the scope of the login', async () => {
    const account = await app.account('Rede')
    const agent = await agentOf(account, { scope: 'mcp:leitura' })
    const below = await app.account('Filial', account.admin)
    expect(await who(agent.access_token)).toMatchObject({
      caller: { papel: 'usuario', escopo: new Set([account.empresaId, below.empresaId]) },
      papelDoLogin: 'administrador',
      escopo: 'mcp:leitura',
    })
  })

  it('may only read with a token that was narrowed at a renewal', async () => {
    const agent = await newAgent(app)
    const { body } = await askToken(app, {
      ...refreshFields(agent.clientId, agent.refresh_token),
      scope: 'mcp:leitura',
    })
    expect(await who(body.access_token)).toMatchObject({ caller: { papel: 'usuario' }, escopo: 'mcp:leitura' })
    expect(await who(agent.access_token)).toMatchObject({ caller: { papel: 'administrador' }, escopo: 'mcp' })
  })

  it('is valid only on the host of its consent', async () => {
    const agent = await newAgent(app)
    const { port } = new URL(app.url)
    for (const base of [`https://127.0.0.1:${port}`, `http://localhost:${port}`, 'https://exemplo.br', ''])
      expect([base, await authenticateAgent(agent.access_token, base, from)]).toEqual([base, null])
  })
})

describe('the login', () => {
  it('ends all authorizations when it is deactivated; reactivation restores none', async () => {
    const agent = await agentOf(await app.account('Desligada'))
    expect(await isTaken(app, agent.access_token)).toBe(true)
    await app.operator.expect(200, 'PATCH', `/api/v1/usuarios/${agent.id}`, { ativo: false })
    expect(await isTaken(app, agent.access_token)).toBe(false)
    await app.operator.expect(200, 'PATCH', `/api/v1/usuarios/${agent.id}`, { ativo: true })
    expect(await isTaken(app, agent.access_token)).toBe(false)
    expect(await renews(agent.clientId, agent.refresh_token)).toBe(false)
    expect(await takenBack(agent.clientId)).toEqual([['admin', agent.username, 'O login foi desativado.']])
  })

  it('has no agents while it is inactive in the database', async () => {
    const agent = await agentOf(await app.account('Apagada'))
    await backstage.db.updateTable('usuarios').set({ ativo: 0 }).where('id', '=', agent.id).execute()
    expect(await isTaken(app, agent.access_token)).toBe(false)
    expect(await renews(agent.clientId, agent.refresh_token)).toBe(false)
  })

  it('ends only its own authorizations when its password changes', async () => {
    const [agent, other] = [await agentOf(await app.account('Senha nova')), await newAgent(app)]
    await app.operator.expect(200, 'PATCH', `/api/v1/usuarios/${agent.id}`, { senha: 'uma senha bem diferente' })
    expect([await isTaken(app, agent.access_token), await isTaken(app, other.access_token)]).toEqual([false, true])
    expect(await renews(agent.clientId, agent.refresh_token)).toBe(false)
    expect(await takenBack(agent.clientId)).toEqual([['admin', agent.username, 'A senha do login mudou.']])
    expect(await takenBack(other.clientId)).toEqual([])
  })

  it('removes its agents when it is removed', async () => {
    const agent = await agentOf(await app.account('Removida'))
    await app.operator.expect(204, 'DELETE', `/api/v1/usuarios/${agent.id}`)
    expect(await isTaken(app, agent.access_token)).toBe(false)
    expect(await renews(agent.clientId, agent.refresh_token)).toBe(false)
    expect(await takenBack(agent.clientId)).toEqual([['admin', agent.username, 'O login foi removido.']])
  })

  it('keeps its agents when its role changes, and the new role applies at once', async () => {
    const agent = await agentOf(await app.account('Rebaixada'))
    const claims = () => JSON.parse(Buffer.from(agent.access_token.split('.')[1] ?? '', 'base64url').toString())
    await app.operator.expect(200, 'PATCH', `/api/v1/usuarios/${agent.id}`, { papel: 'usuario' })
    expect(claims().papel).toBe('administrador')
    expect(await who(agent.access_token)).toMatchObject({ caller: { papel: 'usuario' }, papelDoLogin: 'usuario' })
    expect(await renews(agent.clientId, agent.refresh_token)).toBe(true)
    expect(await takenBack(agent.clientId)).toEqual([])
  })
})

it('an authorization that the person revokes ends at once', async () => {
  const agent = await newAgent(app)
  const { autorizacaoId } = (await who(agent.access_token)) ?? {}
  await app.operator.expect(204, 'DELETE', `/api/v1/autorizacoes/${autorizacaoId}`)
  expect(await isTaken(app, agent.access_token)).toBe(false)
  expect(await renews(agent.clientId, agent.refresh_token)).toBe(false)
})

it('rejects a token whose row is missing or belongs to another authorization', async () => {
  const [agent, other] = [await newAgent(app), await newAgent(app)]
  const { jti } = JSON.parse(Buffer.from(agent.access_token.split('.')[1] ?? '', 'base64url').toString())
  const { autorizacaoId = 0 } = (await who(other.access_token)) ?? {}
  const row = () => backstage.db.updateTable('acessos_oauth').where('jti', '=', jti)
  await row().set({ autorizacao_id: autorizacaoId }).execute()
  expect(await who(agent.access_token)).toBeNull()
  await backstage.db.deleteFrom('acessos_oauth').where('jti', '=', jti).execute()
  expect(await who(agent.access_token)).toBeNull()
  expect(await who(other.access_token)).not.toBeNull()
})

it('rejects a token whose authorization is now for another resource', async () => {
  const agent = await newAgent(app)
  const { autorizacaoId = 0 } = (await who(agent.access_token)) ?? {}
  const recurso = 'https://outro.exemplo.br/mcp'
  await backstage.db.updateTable('autorizacoes_oauth').set({ recurso }).where('id', '=', autorizacaoId).execute()
  expect(await who(agent.access_token)).toBeNull()
})

it('stores the last use of an authorization at most once a minute', async () => {
  const agent = await newAgent(app)
  const usedAt = async () => {
    const { autorizacaoId = 0 } = (await who(agent.access_token)) ?? {}
    const row = backstage.db.selectFrom('autorizacoes_oauth').select('usada_em').where('id', '=', autorizacaoId)
    return Number((await row.executeTakeFirstOrThrow()).usada_em)
  }
  const first = await usedAt()
  app.clock.advance(30_000)
  expect(await usedAt()).toBe(first)
  app.clock.advance(31_000)
  expect(await usedAt()).toBeGreaterThan(first + 60_000)
})

it('a new host of the Empresa ends the authorizations of the previous host', async () => {
  const { empresaId } = await app.account('Mudança')
  await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${empresaId}`, { host: 'cameras.mudanca.exemplo.br' })
  const [agent, elsewhere] = [await newAgent(app), await newAgent(app)]
  const { autorizacaoId = 0 } = (await who(agent.access_token)) ?? {}
  const recurso = `http://cameras.mudanca.exemplo.br:${new URL(app.url).port}/mcp`
  await backstage.db.updateTable('autorizacoes_oauth').set({ recurso }).where('id', '=', autorizacaoId).execute()
  await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${empresaId}`, { host: null })
  const rows = await backstage.db
    .selectFrom('autorizacoes_oauth')
    .select('revogada_em')
    .where('id', '=', autorizacaoId)
    .execute()
  expect(rows).toEqual([{ revogada_em: expect.any(Number) }])
  expect(await takenBack(agent.clientId)).toEqual([['admin', 'admin', 'O endereço da Empresa mudou.']])
  expect(await isTaken(app, elsewhere.access_token)).toBe(true)
})
