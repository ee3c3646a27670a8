import { type Efeito, efeitos, textoEfeito } from '@vigia/contracts/efeitos'
import { VigiaError } from '@vigia/contracts/errors'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import { subtreeIds } from '../db/empresas.ts'
import { callRoute } from '../http/call-route.ts'
import type { Caller } from '../http/caller.ts'
import { isEffect } from '../http/effects.ts'
import type { RequestInfo, Route } from '../http/route.ts'
import { ask } from '../test/clients/ask.ts'
import { type Client, clientOf } from '../test/clients/client.ts'
import { openBackstage } from '../test/clouds/backstage.ts'
import { SENHA, startTestApp } from '../test/clouds/test-app.ts'
import { declared, none } from '../test/declared-effects.ts'
import { LOOPBACK_ALLOWED, ownRecords } from '../test/records/own-records.ts'
import { bodyOf, fetchDocument } from '../test/walks/api-document.ts'
import { effectCases } from '../test/walks/effect-cases.ts'

/** A key that may write. */
let chave: Client
let usuarioId: number

const app = fixture(() => startTestApp(LOOPBACK_ALLOWED))
const backstage = fixture(() => openBackstage(app))
const document = fixture(() => fetchDocument(app))
const acima = fixture(() => app.account('Integradora'))
const conta = fixture(() => app.account('Loja', acima.admin))
const records = fixture(() => ownRecords(backstage, conta))

beforeAll(async () => {
  for (const { empresaId } of [acima, conta])
    await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${empresaId}`, { limite_cameras: 1000 })
  const body = { nome: 'escrita', escopo: 'escrita', empresa_id: acima.empresaId }
  const made = await acima.admin.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', body)
  chave = clientOf(app.url, made.chave)
  usuarioId = (await acima.admin.expect<{ id: number }>(200, 'GET', '/api/v1/me')).id
})

const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method.toUpperCase()} ${path}`

/** An agent of the administrador of `acima` with these effects. */
async function agent(allowed: readonly Efeito[]): Promise<Caller> {
  return {
    usuarioId,
    username: `administrador-${acima.empresaId}`,
    papel: 'administrador',
    empresaId: acima.empresaId,
    alcance: 'abaixo',
    escopo: await subtreeIds(backstage.db, acima.empresaId),
    placasOcultas: new Set(),
    efeitos: new Set(allowed),
    origem: { canal: 'agente', cliente: 'Teste (abc)', endereco: '127.0.0.1', pedido: 'teste' },
  }
}

const request: RequestInfo = {
  id: 'teste',
  method: 'POST',
  raw: new Request('http://localhost/'),
  header: () => undefined,
  signal: new AbortController().signal,
  remoteAddress: '127.0.0.1',
  https: false,
  token: null,
  disconnect: () => {},
}

/** The sentence of a refusal by access; null: allowed, whatever else the route answers. */
async function refusalOf(route: Route, caller: Caller, path: string, json: unknown): Promise<string | null> {
  const values = path.slice(1).split('/')
  const names = route.path.slice(1).split('/')
  const params = Object.fromEntries(
    names.flatMap((name, i) => (name.startsWith('{') ? [[name.slice(1, -1), values[i] ?? '']] : [])),
  )
  try {
    await callRoute(route, caller, { params, ...(json !== undefined && { json }) }, request, false)
    return null
  } catch (error) {
    return error instanceof VigiaError && error.code === 'proibido' ? error.detalhe : null
  }
}

const rowOf = (route: Route): string => {
  const { efeito } = route
  const said = Array.isArray(efeito) ? efeito.map((one) => `${one}?`).join(' ') : efeito
  return `${nameOf(route)} · ${said}`
}

describe('the table of effects', () => {
  it('has every route with an effect, and every one that keys never reach', () => {
    const rows = app.routes.filter(({ efeito }) => efeito !== null).map(rowOf)
    expect(rows.sort()).toEqual([...declared].sort())
  })

  it('has the reason of every other route that changes something', () => {
    const open = app.routes.filter(
      ({ efeito, method, acesso }) => efeito === null && method !== 'get' && acesso !== 'publico' && acesso !== 'edge',
    )
    expect(open.map(nameOf).sort()).toEqual(Object.keys(none).sort())
  })
})

/** Calls `problemOf` for each route with a fixed effect and reports all problems. */
async function walk(problemOf: (route: Route, efeito: Efeito) => Promise<string | null>) {
  const problems: string[] = []
  let count = 0
  for (const route of app.routes) {
    const { efeito } = route
    if (!isEffect(efeito)) continue
    count += 1
    const problem = await problemOf(route, efeito)
    if (problem !== null) problems.push(`${nameOf(route)}: ${problem}`)
  }
  expect(count).toBeGreaterThan(15)
  expect(problems).toEqual([])
}

async function requestOf(route: Route) {
  const body = bodyOf(document, route)
  const json = body && (await records.example(body.examples[0] ?? {}))
  return { path: await records.path(route.path), body, json: json ?? undefined }
}

describe('a route with an effect', () => {
  it('refuses a key, and names what it does and what to do', async () => {
    await walk(async (route, efeito) => {
      const { path, body, json } = await requestOf(route)
      const asked = await ask(`${app.url}${path}`, route.method, chave.token, body, json)
      const { detail } = asked.body as { detail: string }
      const said = [route.resumo, textoEfeito[efeito].titulo.toLowerCase(), 'Entre no painel']
      return asked.status === 403 && said.every((part) => detail.includes(part)) ? null : `${asked.status} ${detail}`
    })
  })

  it('refuses an agent without the tick, and one with all others, and names the permission', async () => {
    await walk(async (route, efeito) => {
      const { path, json } = await requestOf(route)
      for (const allowed of [[], efeitos.filter((one) => one !== efeito)]) {
        const said = await refusalOf(route, await agent(allowed), path, json)
        if (!said?.includes(`“${textoEfeito[efeito].titulo}”`)) return `${said}`
      }
      return null
    })
  })

  it('lets an agent with the tick pass', async () => {
    await walk(async (route, efeito) => {
      const { path, json } = await requestOf(route)
      const said = await refusalOf(route, await agent([efeito]), path, json)
      // A quiosque is made by its own browser only, and the clock is the operator's.
      return said === null || ['criarQuiosque', 'confirmarRelogio'].includes(route.operacao) ? null : said
    })
  })
})

describe('a change whose effect depends on what is asked for', () => {
  const empresa = (below: string) => async () => `/api/v1/empresas/${conta.empresaId}${below}`

  const routeOf = (method: string, path: string) => {
    const route = app.routes.find(
      (one) =>
        one.method === method.toLowerCase() &&
        new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path) &&
        one.efeito !== 'so_login',
    )
    if (!route) throw new Error(`no route ${method} ${path}`)
    return route
  }

  it.each(effectCases(() => ({ app, conta, records })))('$name: $efeito', async ({ efeito, method, path, json }) => {
    const prepare = async () => [await path(), typeof json === 'function' ? json() : json] as const
    const byAgent = async (allowed: readonly Efeito[]) => {
      const [at, body] = await prepare()
      return refusalOf(routeOf(method, at), await agent(allowed), at, body)
    }
    if (efeito !== null) expect(routeOf(method, await path()).efeito).toContain(efeito)
    const refused = await byAgent([])
    if (efeito === null) expect(refused).toBeNull()
    else expect(refused).toContain(`“${textoEfeito[efeito].titulo}”`)
    const byKey = await chave.send<{ detail: string }>(method, ...(await prepare()))
    if (efeito === null) expect(byKey.status).toBeLessThan(300)
    else expect(byKey).toMatchObject({ status: 403, body: { detail: expect.stringContaining('chave de integração') } })
    if (efeito !== null) {
      expect(await byAgent(efeitos.filter((one) => one !== efeito))).not.toBeNull()
      expect(await byAgent([efeito])).toBeNull()
    }
    expect((await acima.admin.send(method, ...(await prepare()))).status).toBeLessThan(300)
  })

  it('a second factor that is no longer required is a grant, and keys reach neither', async () => {
    const path = await empresa('')()
    const route = routeOf('PATCH', path)
    const json = { exigir_segundo_fator: false }
    await backstage.db
      .updateTable('empresas')
      .set({ exigir_segundo_fator: 1 })
      .where('id', '=', conta.empresaId)
      .execute()
    expect(await refusalOf(route, await agent(['destroys', 'reveals']), path, json)).toContain('“Dar acesso”')
    expect((await chave.send('PATCH', path, json)).status).toBe(403)
    expect(await refusalOf(route, await agent(['grants']), path, json)).toBeNull()
  })

  it.each([
    ['less space of an Empresa', { limite_bytes: 200_000_000_000 }, { limite_bytes: 199_000_000_000 }, 'destroys'],
    ['more space of an Empresa', { limite_bytes: 200_000_000_000 }, { limite_bytes: 201_000_000_000 }, null],
    ['no limit of space of an Empresa', { limite_bytes: 200_000_000_000 }, { limite_bytes: null }, null],
    ['the local edge switched on', { usa_edge_local: false }, { usa_edge_local: true }, 'grants'],
    ['the local edge switched off', { usa_edge_local: true }, { usa_edge_local: false }, null],
  ] as const)('of the operator: %s', async (_name, before, json, efeito) => {
    const path = await empresa('')()
    const route = routeOf('PATCH', path)
    await app.operator.expect(200, 'PATCH', path, before)
    const operator = async (allowed: readonly Efeito[]): Promise<Caller> => ({
      ...(await agent(allowed)),
      empresaId: null,
      escopo: 'tudo',
    })
    const refused = await refusalOf(route, await operator([]), path, json)
    if (efeito === null) return expect(refused).toBeNull()
    expect(refused).toContain(`“${textoEfeito[efeito].titulo}”`)
    expect(await refusalOf(route, await operator([efeito]), path, json)).toBeNull()
  })

  it('a canal of people with plates is a new reveal; one of a program has them', async () => {
    const mail = { empresa_id: conta.empresaId, tipo: 'email', destino: 'a@exemplo.com.br', placas: true }
    const webhook = { empresa_id: conta.empresaId, tipo: 'webhook', destino: 'http://127.0.0.9:1/x', placas: true }
    expect((await chave.send('POST', '/api/v1/notificacoes', mail)).status).toBe(403)
    expect((await chave.send('POST', '/api/v1/notificacoes', webhook)).status).toBe(201)
  })
})

it('a login of a person keeps every effect of its role', async () => {
  const login = await app.signIn(`administrador-${conta.empresaId}`, SENHA)
  await login.expect(204, 'DELETE', await records.path('/api/v1/cameras/{camera_id}'))
})
