import { BlockList } from 'node:net'
import { OpenAPIHono } from '@hono/zod-openapi'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { startTestApp, type TestApp } from '../test/test-app.ts'
import type { Caller } from './caller.ts'
import { newApp } from './new-app.ts'
import { openApiPath } from './openapi.ts'
import { type Answer, defineRoute, type Route } from './route.ts'

const base = { method: 'get', path: '/x', resumo: 'x' } as const
const mount = (...routes: Route[]) =>
  newApp({
    routes,
    authenticate: async () => null,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    trustedProxies: new BlockList(),
    stopping: new AbortController().signal,
    fallback: () => null,
    checkAnswers: true,
  })

describe('a declaration', () => {
  const body = z.object({ n: z.int() })

  it('binds the answer to its status and schema', () => {
    type Declared = Answer<{ 200: typeof body; 204: null; 206: { midia: 'image/jpeg' } }>
    type Status<S> = Extract<Declared, { status: S }>
    expectTypeOf<Status<200>['body']>().toEqualTypeOf<{ n: number }>()
    expectTypeOf<Response>().toExtend<Declared>()
    expectTypeOf<{ status: 201 }>().not.toExtend<Declared>()
    expectTypeOf<{ status: 200; body: { n: string } }>().not.toExtend<Declared>()
  })

  it('gives a public handler no caller, and parsed input to all', () => {
    const open = { ...base, respostas: { 204: null } } as const
    defineRoute({
      ...open,
      acesso: 'publico',
      handler: ({ caller, json }) => {
        expectTypeOf(caller).toEqualTypeOf<null>()
        expectTypeOf(json).toEqualTypeOf<undefined>()
        return { status: 204 }
      },
    })
    defineRoute({
      ...open,
      acesso: 'sessao',
      query: z.object({ limit: z.string().transform(Number) }),
      handler: ({ caller, query }) => {
        expectTypeOf(caller).toEqualTypeOf<Caller>()
        expectTypeOf(query.limit).toEqualTypeOf<number>()
        return { status: 204 }
      },
    })
    // @ts-expect-error a route says who may call it
    const unsaid = defineRoute({ ...open, handler: () => ({ status: 204 }) })
    expect(() => mount(unsaid)).toThrow(/without acesso/)
  })

  it('is refused at the start when it is ambiguous', () => {
    const handler = () => ({ status: 204 }) as const
    const open = { ...base, acesso: 'publico', respostas: { 204: null }, handler } as const
    expect(() => mount(defineRoute(open), defineRoute(open))).toThrow(/declared twice/)
    expect(() => mount(defineRoute({ ...open, json: body, form: body }))).toThrow(/one kind of body/)
  })
})

const env = { incoming: { socket: { remoteAddress: '127.0.0.1' } } }

it('does not leave a stream open for a HEAD', async () => {
  let cancelled = false
  const stream = () =>
    new ReadableStream({
      cancel() {
        cancelled = true
      },
    })
  const route = defineRoute({
    ...base,
    acesso: 'publico',
    respostas: { 200: { midia: 'text/event-stream' } },
    handler: () => new Response(stream()),
  })
  expect((await mount(route).request('/x', { method: 'HEAD' }, env)).status).toBe(200)
  expect(cancelled).toBe(true)
})

describe('a failure inside a handler', () => {
  const failing = (handler: () => never) =>
    mount(defineRoute({ ...base, acesso: 'publico', respostas: { 204: null }, handler }))

  it('is a 500 with an id and nothing of its cause', async () => {
    const app = failing(() => {
      throw new Error('SQLITE: senha=segredo', { cause: 'at /srv/vigia/db.ts' })
    })
    const answer = await app.request('/x', {}, env)
    expect(answer.status).toBe(500)
    const text = await answer.text()
    expect(JSON.parse(text)).toEqual({ detail: expect.any(String), id: answer.headers.get('x-request-id') })
    expect(text).not.toMatch(/segredo|SQLITE|srv/)
  })

  it('catches an answer that holds more than its schema', async () => {
    const leaking = { n: 1, senha_hash: 'x' }
    const route = defineRoute({
      ...base,
      acesso: 'publico',
      respostas: { 200: z.object({ n: z.int() }) },
      handler: () => ({ status: 200, body: leaking }),
    })
    expect((await mount(route).request('/x', {}, env)).status).toBe(500)
  })
})

describe('the API document', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.stop())

  it('can be made of every route', () => {
    const document = new OpenAPIHono()
    for (const route of app.routes) document.openAPIRegistry.registerPath(openApiPath(route))
    const { paths = {} } = document.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'x', version: '1' } })
    const documented = Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((m) => `${m} ${path}`))
    expect(documented.sort()).toEqual(app.routes.map(({ method, path }) => `${method} ${path}`).sort())
  })
})
