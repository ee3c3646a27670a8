import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import type { Route } from '../http/route.ts'
import { type Asked, ask } from '../test/clients/ask.ts'
import { openBackstage } from '../test/clouds/backstage.ts'
import { SENHA, startTestApp } from '../test/clouds/test-app.ts'
import { LOOPBACK_ALLOWED, type OwnRecords, ownRecords } from '../test/records/own-records.ts'
import { bodyOf, fetchDocument } from '../test/walks/api-document.ts'

/** Routes other than GET that write no audit record, each with the reason. */
const silent: Readonly<Record<string, string>> = {
  'POST /api/v1/gravadores/descobrir': 'looks at a device and stores nothing',
  'POST /api/v1/gravadores/imagem': 'looks at a device and stores nothing',
  'POST /api/v1/edges/{id}/varredura': 'no edge runs here; scan-network.test.ts has the record',
  'POST /api/v1/empresas/{empresa_id}/encerrar-demonstracao':
    'the example is no demonstration; end-demonstration.test.ts has the record',
  'POST /api/v1/cameras/testar-conexao': 'looks at a device and stores nothing',
  'POST /api/v1/cameras/{camera_id}/simular-calibracao': 'answers from stored candidates and changes nothing',
  'POST /api/v1/cameras/{camera_id}/reiniciar':
    'no edge runs here to restart a camera; covered by diagnose-edge.test.ts',
  'POST /api/v1/events/{event_id}/clip': 'the example has no clip; fetch-clipe.test.ts has the record',
  'POST /api/v1/cameras/{camera_id}/ptz': 'the example is no ONVIF camera; ptz.test.ts has the record',
  'POST /api/v1/notificacoes/{canal_id}/entregas/{entrega_id}/reenviar':
    'the example is of another canal; resend-entregas.test.ts has the record',
  'POST /api/v1/notificacoes/{canal_id}/entregas/reenviar':
    'a new canal has no abandoned delivery; resend-entregas.test.ts has the record',
  'POST /api/v1/me/segundo-fator': 'the example only begins; segundo-fator.test.ts has the record of its confirmation',
  'POST /api/v1/auth/renovar': 'extends a session that the sign-in recorded; every open page does so each half hour',
  'POST /api/v1/quiosques': 'takes the cookie of its browser; quiosques.test.ts has the record of its end',
  'POST /api/v1/me/senha': 'the example has a wrong password; own-sessions.test.ts has the record',
  'PATCH /api/v1/me/preferencias': 'phrases and layouts of the own screens; nobody else sees them',
  'DELETE /api/v1/me/sessoes/{id}': 'the example is of another login; own-sessions.test.ts has the record',
  'DELETE /api/v1/me/inscricoes/{inscricao_id}': 'the example is of another login; push.test.ts has the record',
  'POST /api/v1/me/inscricoes/{inscricao_id}/teste': 'the example is of another login; push.test.ts has the record',
  'DELETE /api/v1/empresas/{empresa_id}': 'the example has a wrong password; remove-empresa.test.ts has the record',
  'POST /api/v1/relogio/confirmacao': 'is for the operator; relogio.test.ts has the record',
  'PATCH /api/v1/remetentes': 'is for the operator; remetentes.test.ts has the record',
  'POST /api/v1/remetentes/{tipo}/teste': 'is for the operator, and sends a message',
  'PATCH /api/v1/verificador-externo/{empresa_id}':
    'the example switches off what is off; verificador-externo.test.ts has the record',
  'DELETE /api/v1/events/{event_id}/preservar': 'the example has no hold; retencao.test.ts has the record',
  'POST /api/v1/empresas/{empresa_id}/retencao/contagem': 'counts and changes nothing',
  'POST /api/v1/convites/ver': 'shows an invitation and changes nothing',
  'POST /oauth/register': 'anybody may, and nothing follows from it; a person who allows the program is on record',
  'POST /oauth/token': 'exchanges what was recorded when a person allowed it',
  'POST /oauth/revoke': 'the example is no token: nothing is taken back',
  'POST /mcp': 'its tools call the other routes, whose records name the agent',
  'DELETE /mcp': 'there are no sessions to end',
}

/** Administrador of the parent Empresa of the records, with all rights except those of the operator. */
let records: OwnRecords

const app = fixture(() => startTestApp(LOOPBACK_ALLOWED))
const backstage = fixture(() => openBackstage(app))
const document = fixture(() => fetchDocument(app))
const acima = fixture(() => app.account('Integradora'))

beforeAll(async () => {
  const conta = await app.account('Loja', acima.admin)
  records = ownRecords(backstage, conta)
  for (const { empresaId } of [acima, conta])
    await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${empresaId}`, { limite_cameras: 1000 })
})

const nameOf = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`
/** Ends the session of the request. */
const leaves = ({ path }: Route) => path.endsWith('/logout')
/** Ends the token of the request: a walk would lose it. */
const spends = (route: Route) => leaves(route) || route.path.endsWith('/auth/renovar')
/** Takes pictures of people out of the product, which is recorded although nothing changes. */
const takesOut = ({ path }: Route) => /\/(exportar|exportacao|clip)$/.test(path)
/** Uploads have no author: the token belongs to an order of the cloud. */
const ofEdge = ({ acesso }: Route) => acesso === 'edge'
const changes = (route: Route) => !ofEdge(route) && (route.method !== 'get' || leaves(route) || takesOut(route))

/** Sends a request about a new record, with the example body of the reference. */
async function walk(route: Route): Promise<Asked> {
  const body = bodyOf(document, route)
  const value = body && (await records.example(body.examples[0] ?? {}))
  const path = await records.path(route.path)
  const token = route.acesso === 'publico' ? null : spends(route) ? await freshToken() : acima.admin.token
  return ask(`${app.url}${path}`, route.method, token, body, value)
}

const freshToken = async () => (await app.signIn(`administrador-${acima.empresaId}`, SENHA)).token

/** Audit records of that request. */
const recordedOf = ({ headers }: Asked) =>
  backstage.db
    .selectFrom('auditoria')
    .selectAll()
    .where('pedido', '=', headers.get('x-request-id') ?? '')
    .execute()

const describeAnswer = ({ status, body }: Asked) => `${status} ${JSON.stringify(body)?.slice(0, 300)}`

it('every route that changes data writes an audit record with its author and its request', async () => {
  const problems: string[] = []
  for (const route of app.routes.filter(changes)) {
    if (nameOf(route) in silent) continue
    const asked = await walk(route)
    const [first] = await recordedOf(asked)
    if (asked.status >= 400 || !first) problems.push(`${nameOf(route)}: ${describeAnswer(asked)}, no record`)
    else if (route.acesso !== 'publico' && (first.username === null || first.canal !== 'api' || !first.endereco))
      problems.push(`${nameOf(route)}: ${JSON.stringify(first)}`)
  }
  expect(problems).toEqual([])
})

it('routes that only read write no record, nor do the declared exceptions', async () => {
  const routes = app.routes
    .filter((route) => !changes(route) || nameOf(route) in silent)
    .filter(({ path }) => !path.startsWith('/api/v1/docs/'))
  const problems: string[] = []
  for (const route of routes) {
    const asked = await walk(route)
    if (asked.headers.get('x-request-id') === null) problems.push(`${nameOf(route)}: no X-Request-Id`)
    const recorded = await recordedOf(asked)
    if (recorded.length > 0) problems.push(`${nameOf(route)}: ${JSON.stringify(recorded)}`)
  }
  expect(problems).toEqual([])
})

it('every exception is an existing route', () => {
  const names = app.routes.map(nameOf)
  expect(Object.keys(silent).filter((name) => !names.includes(name))).toEqual([])
})

it('a refused change writes no record', async () => {
  const before = await newest()
  const refusals = [
    await app.operator.send('POST', '/api/v1/empresas', {}),
    await acima.usuario.send('POST', '/api/v1/empresas', { nome: 'Outra' }),
    await acima.admin.send('PATCH', '/api/v1/empresas/1000000', { nome: 'Outra' }),
    await acima.admin.send('PATCH', `/api/v1/empresas/${acima.empresaId}`, { limite_cameras: 5 }),
    await acima.admin.send('POST', '/api/v1/usuarios', { username: `usuario-${acima.empresaId}`, senha: SENHA }),
  ]
  expect(refusals.map(({ status }) => status)).toEqual([422, 403, 404, 403, 409])
  await expect(app.signIn(`administrador-${acima.empresaId}`, 'errada-demais')).rejects.toThrow('401')
  expect(await newest()).toBe(before)
})

const newest = async () =>
  (await app.operator.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?limit=1'))[0]?.id
