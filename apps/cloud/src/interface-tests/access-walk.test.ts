import type { Alcance } from '@vigia/contracts/alcance'
import { type Papel, papeis } from '@vigia/contracts/usuarios'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import { isEffect } from '../http/effects.ts'
import { isWebSocket, type Route, roleMayCall } from '../http/route.ts'
import { type Asked, ask } from '../test/clients/ask.ts'
import { openBackstage } from '../test/clouds/backstage.ts'
import { type Account, ADMIN, SENHA, startTestApp } from '../test/clouds/test-app.ts'
import { LOOPBACK_ALLOWED, ownRecords } from '../test/records/own-records.ts'
import { bodyOf, fetchDocument } from '../test/walks/api-document.ts'

const app = fixture(() => startTestApp(LOOPBACK_ALLOWED))
const backstage = fixture(() => openBackstage(app))
const document = fixture(() => fetchDocument(app))
const acima = fixture(() => app.account('Integradora'))
const conta = fixture(() => app.account('Loja', acima.admin))
const outra = fixture(() => app.account('Farmácia'))
const vigilante = fixture(() => app.vigilante(conta))
const records = fixture(() => ownRecords(backstage, conta))

beforeAll(async () => {
  for (const { empresaId } of [acima, conta])
    await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${empresaId}`, { limite_cameras: 1000 })
})

const nameOf = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`
/** Takes a login; the others are public, or take the credential of an edge. */
const isClosed = ({ acesso }: Route) => acesso !== 'publico' && acesso !== 'edge'
const hasId = ({ path }: Route) => path.includes('{')
/** Ends the session of the request. */
const leaves = ({ path }: Route) => path.endsWith('/logout')
/** Ends the token of the request: a walk would lose it. */
const spends = (route: Route) => leaves(route) || route.path.endsWith('/auth/renovar')
/** Takes the administrador of the Empresa above. */
const aboveOnly = ({ method, path }: Route) => method === 'delete' && path === '/api/v1/empresas/{empresa_id}'
/** Settings of the whole installation. */
const operatorOnly = ({ path }: Route) => /^\/api\/v1\/(remetentes|relogio)(\/|$)/.test(path)
/** Concerns records of the caller's login alone, so nobody else has access to those of another. */
const ownOnly = (route: Route) => route.path.startsWith('/api/v1/me/') && hasId(route)

/** Sends a request about a record of `conta`, with the example body of the reference. */
async function walk(route: Route, token: string | null, path?: string): Promise<Asked> {
  const body = bodyOf(document, route)
  const value = body && (await records.example(body.examples[0] ?? {}))
  return ask(`${app.url}${path ?? (await records.path(route.path))}`, route.method, token, body, value)
}

/** Calls `problemOf` for each route and reports all problems. */
async function walkAll(routes: readonly Route[], problemOf: (route: Route) => Promise<string | null>) {
  expect(routes.length).toBeGreaterThan(0)
  const problems: string[] = []
  for (const route of routes) {
    const problem = await problemOf(route)
    if (problem !== null) problems.push(`${nameOf(route)}: ${problem}`)
  }
  expect(problems).toEqual([])
}

const mayCall = (papel: Papel, { acesso }: Route) =>
  acesso !== 'publico' && acesso !== 'edge' && roleMayCall(acesso, papel)
/** Takes an administrador above or the operator, or without an Empresa in the query stands for the caller's own. */
const ofOwnEmpresa = (route: Route) =>
  aboveOnly(route) || operatorOnly(route) || ['criarEmpresa', 'exportarPlacas'].includes(route.operacao)

/** The token of a new login of that Empresa with this reach. */
async function reaching(papel: Papel, { empresaId: empresa_id }: Account, alcance: Alcance): Promise<string> {
  const username = `${papel} ${empresa_id} ${alcance}`
  await app.operator.expect(201, 'POST', '/api/v1/usuarios', { username, senha: SENHA, papel, empresa_id, alcance })
  return (await app.signIn(username)).token
}

/** The answer of each route about a record that does not exist. */
const missing = new Map<Route, string>()
async function missingBody(route: Route, token: string): Promise<string> {
  const { status, body } = await walk(route, token, route.path.replaceAll(/\{\w+\}/g, '999999'))
  return status === 404 ? JSON.stringify(body) : `${status}, not 404`
}

/** Each record of `conta` must be as missing for that login as one that does not exist. */
const walkOutside = (papel: Papel, token: string) =>
  walkAll(
    // A WebSocket answers other requests alike; transmissoes.test.ts has its refusals.
    app.routes.filter(
      (route) =>
        mayCall(papel, route) && hasId(route) && !operatorOnly(route) && !isWebSocket(route) && !ownOnly(route),
    ),
    async (route) => {
      const foreign = await walk(route, token)
      const body = missing.get(route) ?? (await missingBody(route, token))
      missing.set(route, body)
      return unless(foreign.status === 404 && JSON.stringify(foreign.body) === body, foreign)
    },
  )

const describeAnswer = ({ status, body }: Asked) => `${status} ${JSON.stringify(body)?.slice(0, 300)}`
const unless = (holds: boolean, asked: Asked) => (holds ? null : describeAnswer(asked))
const refusals = [401, 403, 404]
const isByEffect = ({ status, body }: Asked) =>
  status === 403 && /chave de integração/.test((body as { detail: string }).detail)

/** Routes that refuse every API key (decisions, Keys), besides those with an effect (effects-walk.test.ts). */
const keyRefused = [
  /^DELETE \/api\/v1\/empresas\/\{empresa_id\}$/,
  / \/api\/v1\/(me|auth|usuarios|convites|quiosques|chaves|autorizacoes|remetentes|relogio|push|verificador-externo)(\/|$)/,
  / \/logout$/,
  /^POST .*\/(ptz|gravacoes)$/,
  / \/api\/v1\/gravacoes\//,
]
/** Takes the cookie of the browser that becomes the screen; quiosques.test.ts has its success. */
const takesCookie = ({ operacao }: Route) => operacao === 'criarQuiosque'

describe('every registered route', () => {
  it('is public only where a session cannot be required', () => {
    const open = app.routes.filter(({ acesso }) => acesso === 'publico').map(nameOf)
    expect(open.sort()).toEqual([
      'DELETE /mcp',
      'GET /.well-known/jwks.json',
      'GET /.well-known/oauth-authorization-server',
      'GET /.well-known/oauth-protected-resource',
      'GET /.well-known/oauth-protected-resource/mcp',
      'GET /api/v1/cameras/{camera_id}/hls/{assinatura}/{arquivo}',
      'GET /api/v1/docs',
      'GET /api/v1/docs/{arquivo}',
      'GET /api/v1/imagens/{assinatura}',
      'GET /api/v1/openapi.json',
      'GET /api/v1/replicas/transmissoes/{camera_id}/{fluxo}',
      'GET /healthz',
      'GET /mcp',
      'GET /oauth/authorize',
      'GET /pki/crl.pem',
      'GET /readyz',
      'POST /api/v1/auth/login',
      'POST /api/v1/auth/token',
      'POST /api/v1/convites/aceitar',
      'POST /api/v1/convites/ver',
      'POST /api/v1/edges/ativar',
      'POST /login',
      'POST /login/codigo',
      'POST /mcp',
      'POST /oauth/authorize',
      'POST /oauth/authorize/codigo',
      'POST /oauth/authorize/decisao',
      'POST /oauth/register',
      'POST /oauth/revoke',
      'POST /oauth/token',
    ])
  })

  it('requires the role of administrador for every change, except the work of a vigilante', () => {
    const writes = app.routes.filter(
      ({ method, acesso }) => method !== 'get' && acesso !== 'publico' && acesso !== 'edge',
    )
    const namesOf = (wanted: Route['acesso']) => writes.filter(({ acesso }) => acesso === wanted).map(nameOf)
    // Routes that concern only the caller's login, and the order of a clip to watch.
    expect(namesOf('sessao')).toEqual([
      'POST /api/v1/auth/renovar',
      'DELETE /api/v1/me/sessoes/{id}',
      'POST /api/v1/me/senha',
      'POST /api/v1/me/segundo-fator',
      'PATCH /api/v1/me/preferencias',
      'POST /api/v1/events/{event_id}/clip',
      'POST /api/v1/me/inscricoes',
      'DELETE /api/v1/me/inscricoes/{inscricao_id}',
      'POST /api/v1/me/inscricoes/{inscricao_id}/teste',
    ])
    // The work of a vigilante.
    expect(namesOf('trabalho')).toEqual([
      'POST /api/v1/passagens/{id}/saida',
      'POST /api/v1/passagens/{id}/correcao',
      'POST /api/v1/cameras/{camera_id}/silenciar',
      'POST /api/v1/cameras/{camera_id}/ptz',
      'POST /api/v1/cameras/{camera_id}/gravacoes',
      'DELETE /api/v1/gravacoes/{id}',
      'POST /api/v1/incidentes/{incidente_id}/atendimento',
      'POST /api/v1/incidentes/{incidente_id}/assumir',
      'POST /api/v1/livro',
    ])
  })

  it('without a login: 401 with WWW-Authenticate, except on public routes', async () => {
    await walkAll(
      app.routes.filter(({ path }) => !path.startsWith('/api/v1/docs/')),
      async (route) => {
        const asked = await walk(route, null)
        if (leaves(route)) return unless(asked.status === 303 && asked.headers.get('location') === '/login', asked)
        // The token of an agent is no session.
        if (route.acesso === 'publico') return unless((asked.status === 401) === (route.path === '/mcp'), asked)
        const said = /^Bearer/.test(asked.headers.get('www-authenticate') ?? '')
        return unless(
          asked.status === 401 && said && typeof (asked.body as { detail: unknown }).detail === 'string',
          asked,
        )
      },
    )
  })

  it.each([
    ['usuario', ['sessao'], () => conta.usuario.token],
    ['vigilante', ['sessao', 'trabalho'], () => vigilante.token],
  ])(
    'a %s has access to its Empresa (%j), and gets a 403 for the rest, for any body and any record',
    async (...row) => {
      const [, open, tokenOf] = row
      const closed = app.routes.filter((route) => isClosed(route) && !spends(route) && !ownOnly(route))
      await walkAll(closed, async (route) => {
        const token = tokenOf()
        if (open.includes(route.acesso)) {
          const asked = await walk(route, token)
          return unless(!(await isRefusal(route, asked, token)), asked)
        }
        const nonsense = route.method === 'get' ? null : { mediaType: 'application/json', schema: {}, examples: [] }
        const missing = route.path.replaceAll(/\{\w+\}/g, '999999')
        const asked = await ask(`${app.url}${missing}`, route.method, token, nonsense, ['nada'])
        return unless(asked.status === 403, asked)
      })
    },
  )

  it('an administrador of another Empresa gets the 404 of a record that does not exist', async () => {
    await walkOutside('administrador', outra.admin.token)
  })

  it.each(papeis)('a %s whose reach has the Empresa has the access of its papel', async (papel) => {
    // Its own Empresa is another one, except for `abaixo`, which begins above.
    const within = [await reaching(papel, outra, [conta.empresaId])]
    if (papel !== 'administrador') within.push(await reaching(papel, acima, 'abaixo'))
    for (const token of within)
      await walkAll(
        app.routes.filter(
          (route) =>
            mayCall(papel, route) && !spends(route) && !ownOnly(route) && !takesCookie(route) && !ofOwnEmpresa(route),
        ),
        async (route) => {
          const asked = await walk(route, token)
          return unless(asked.status !== 500 && !(await isRefusal(route, asked, token)), asked)
        },
      )
  })

  it.each(papeis)('a %s whose reach has not the Empresa gets the 404 of a missing record', async (papel) => {
    const [own, below] = [await reaching(papel, conta, [outra.empresaId]), await reaching(papel, acima, 'propria')]
    for (const token of [own, below]) await walkOutside(papel, token)
  })

  it('an administrador of another Empresa cannot refer to records of this one in a body either', async () => {
    const naming = app.routes.filter((route) => {
      const [example] = bodyOf(document, route)?.examples ?? []
      return (
        ['escrita', 'trabalho'].includes(route.acesso) &&
        !hasId(route) &&
        JSON.stringify(example ?? {}).includes('_id":')
      )
    })
    await walkAll(naming, async (route) => {
      const asked = await walk(route, outra.admin.token)
      return unless(asked.status === 404, asked)
    })
  })

  it.each([
    ['its own administrador', () => conta.admin.token, (route: Route) => aboveOnly(route) || operatorOnly(route)],
    ['an administrador of the Empresa above', () => acima.admin.token, operatorOnly],
    ['the operator', () => app.operator.token, () => false],
  ])('%s has access to all routes', async (_name, token, without) => {
    await walkAll(
      app.routes.filter(
        (route) => isClosed(route) && !spends(route) && !ownOnly(route) && !takesCookie(route) && !without(route),
      ),
      async (route) => {
        const asked = await walk(route, token())
        return unless(asked.status !== 500 && !(await isRefusal(route, asked, token())), asked)
      },
    )
  })

  const keyed = (route: Route) => !isEffect(route.efeito) && !keyRefused.some((pattern) => pattern.test(nameOf(route)))

  it.each([
    ['escrita', () => true],
    ['leitura', ({ acesso }: Route) => acesso === 'sessao'],
  ] as const)('an API key (%s) has access, except to routes that refuse keys', async (escopo, allows) => {
    const body = { nome: `passeio-${escopo}`, escopo, empresa_id: conta.empresaId }
    const { chave } = await acima.admin.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', body)
    await walkAll(app.routes.filter(isClosed), async (route) => {
      const asked = await walk(route, chave)
      // The example has the effect that the change decides about (effects-walk.test.ts).
      if (Array.isArray(route.efeito) && isByEffect(asked)) return null
      if (keyed(route) && allows(route))
        return unless(asked.status !== 500 && !(await isRefusal(route, asked, chave)), asked)
      const said = keyed(route) ? /só de leitura/ : /chave de integração/
      return unless(asked.status === 403 && said.test((asked.body as { detail: string }).detail), asked)
    })
  })

  it('an API key is no agent: /mcp answers 401', async () => {
    const body = { nome: 'agente', escopo: 'escrita', empresa_id: conta.empresaId }
    const { chave } = await acima.admin.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', body)
    await walkAll(
      app.routes.filter(({ path }) => path === '/mcp'),
      async (route) => {
        const asked = await walk(route, chave)
        return unless(asked.status === 401, asked)
      },
    )
  })

  it('allows every caller to log out', async () => {
    const enter = [
      () => app.signIn(ADMIN.username, ADMIN.password),
      () => app.signIn(`usuario-${conta.empresaId}`, SENHA),
    ]
    for (const signIn of enter) {
      await walkAll(app.routes.filter(leaves), async (route) => {
        const asked = await walk(route, (await signIn()).token)
        return unless(asked.status === 303, asked)
      })
    }
  })
})

/**
 * true: access was refused. A 404 with a reason other than "no such record" (no picture, camera offline) means access.
 */
async function isRefusal(route: Route, asked: Asked, token: string): Promise<boolean> {
  if (asked.status !== 404 || !hasId(route)) return refusals.includes(asked.status)
  const missing = await walk(route, token, route.path.replaceAll(/\{\w+\}/g, '999999'))
  return JSON.stringify(missing.body) === JSON.stringify(asked.body)
}
