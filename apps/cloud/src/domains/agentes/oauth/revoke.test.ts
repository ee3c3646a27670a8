import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { form, send } from '../../../test/clients/client.ts'
import { askToken, isTaken, newAgent, newClient, refreshFields } from '../../../test/clients/oauth-flow.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

const revoke = (fields: Readonly<Record<string, string>>) =>
  send<{ error?: string } | null>(`${app.url}/oauth/revoke`, form(fields))
const renews = async (clientId: string, token: string) =>
  (await askToken(app, refreshFields(clientId, token))).status === 200

it.each(['access_token', 'refresh_token'] as const)('the %s ends both tokens with any hint', async (which) => {
  const agent = await newAgent(app)
  const { status, body, headers } = await revoke({
    token: agent[which],
    client_id: agent.clientId,
    token_type_hint: which === 'access_token' ? 'refresh_token' : 'outro',
  })
  expect([status, body, headers.get('cache-control')]).toEqual([200, null, 'no-store'])
  expect(await isTaken(app, agent.access_token)).toBe(false)
  expect(await renews(agent.clientId, agent.refresh_token)).toBe(false)
})

it('is audited without a login, in the Empresa of the login', async () => {
  const { empresaId } = await app.account('Encerrada')
  const agent = await newAgent(app, { username: `administrador-${empresaId}` })
  for (let i = 0; i < 2; i += 1) await revoke({ token: agent.refresh_token, client_id: agent.clientId })
  const rows = await backstage.db
    .selectFrom('auditoria')
    .selectAll()
    .where('acao', '=', 'revogar')
    .where('empresa_id', '=', empresaId)
    .execute()
  expect(rows).toMatchObject([{ usuario_id: null, canal: 'agente', objeto: 'autorizacao_oauth' }])
  expect(JSON.stringify(rows)).not.toContain(agent.refresh_token)
})

it('a foreign, unknown or expired token changes nothing and gives the same answer', async () => {
  const agent = await newAgent(app)
  const other = await newClient(app)
  const [head = '', payload = ''] = agent.access_token.split('.')
  for (const fields of [
    { token: agent.access_token, client_id: other },
    { token: agent.refresh_token, client_id: other },
    { token: agent.refresh_token, client_id: 'outro' },
    { token: `${head}.${payload}.${'A'.repeat(342)}`, client_id: agent.clientId },
    { token: 'x', client_id: agent.clientId },
  ])
    expect(await revoke(fields)).toMatchObject({ status: 200, body: null })
  expect(await isTaken(app, agent.access_token)).toBe(true)
  expect(await renews(agent.clientId, agent.refresh_token)).toBe(true)
})

it('answers 422 for a missing field and 401 for a client secret', async () => {
  for (const fields of [{ token: 'x' }, { client_id: 'x' }])
    expect(await revoke(fields)).toMatchObject({ status: 422, body: { error: 'invalid_request' } })
  expect(await revoke({ token: 'x', client_id: 'x', client_secret: 'x' })).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  })
})
