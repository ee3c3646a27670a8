import { BlockList } from 'node:net'
import { VigiaError } from '@vigia/contracts/errors'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { Caller } from './caller.ts'
import { newApp } from './new-app.ts'
import { createReadiness } from './readiness.ts'
import { type Answer, defineRoute, type Route } from './route.ts'

const base = { method: 'get', path: '/x', operacao: 'x', resumo: 'x' } as const
const mount = (...routes: Route[]) =>
  newApp({
    routes,
    authenticate: async () => null,
    authenticateEdge: async () => {
      throw new VigiaError('nao_autenticado', { detalhe: 'Sem credencial.' })
    },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    trustedProxies: new BlockList(),
    readiness: createReadiness(),
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

  it('gives public handlers no caller, and all handlers parsed input', () => {
    const open = { ...base, respostas: { 204: null } } as const
    defineRoute({
      ...open,
      acesso: 'publico',
      efeito: null,
      handler: ({ caller, json }) => {
        expectTypeOf(caller).toEqualTypeOf<null>()
        expectTypeOf(json).toEqualTypeOf<undefined>()
        return { status: 204 }
      },
    })
    defineRoute({
      ...open,
      acesso: 'sessao',
      efeito: null,
      query: z.object({ limit: z.string().transform(Number) }),
      handler: ({ caller, query }) => {
        expectTypeOf(caller).toEqualTypeOf<Caller>()
        expectTypeOf(query.limit).toEqualTypeOf<number>()
        return { status: 204 }
      },
    })
    // @ts-expect-error a route must declare `acesso`
    const unsaid = defineRoute({ ...open, efeito: null, handler: () => ({ status: 204 }) })
    expect(() => mount(unsaid)).toThrow(/without acesso/)
    // @ts-expect-error a route must declare `efeito`
    const noEffect = defineRoute({ ...open, acesso: 'escrita', handler: () => ({ status: 204 }) })
    expect(() => mount(noEffect)).toThrow(/without efeito/)
  })

  it('is rejected at startup when it is ambiguous', () => {
    const handler = () => ({ status: 204 }) as const
    const open = { ...base, acesso: 'publico', efeito: null, respostas: { 204: null }, handler } as const
    expect(() => mount(defineRoute(open), defineRoute(open))).toThrow(/declared twice/)
    expect(() => mount(defineRoute({ ...open, json: body, form: body }))).toThrow(/one kind of body/)
  })
})

const env = { incoming: { socket: { remoteAddress: '127.0.0.1' } } }

it('closes the stream after a HEAD', async () => {
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
    efeito: null,
    respostas: { 200: { midia: 'text/event-stream' } },
    handler: () => new Response(stream(), { headers: { 'content-type': 'text/event-stream' } }),
  })
  expect((await mount(route).request('/x', { method: 'HEAD' }, env)).status).toBe(200)
  expect(cancelled).toBe(true)
})

describe('a failure inside a handler', () => {
  const failing = (handler: () => never) =>
    mount(defineRoute({ ...base, acesso: 'publico', efeito: null, respostas: { 204: null }, handler }))

  it('is a 500 with an id and without its cause', async () => {
    const app = failing(() => {
      throw new Error('SQLITE: senha=segredo', { cause: 'at /srv/vigia/db.ts' })
    })
    const answer = await app.request('/x', {}, env)
    expect(answer.status).toBe(500)
    const text = await answer.text()
    expect(JSON.parse(text)).toEqual({ detail: expect.any(String), id: answer.headers.get('x-request-id') })
    expect(text).not.toMatch(/segredo|SQLITE|srv/)
  })

  it('includes an answer with fields outside its schema', async () => {
    const leaking = { n: 1, senha_hash: 'x' }
    const route = defineRoute({
      ...base,
      acesso: 'publico',
      efeito: null,
      respostas: { 200: z.object({ n: z.int() }) },
      handler: () => ({ status: 200, body: leaking }),
    })
    expect((await mount(route).request('/x', {}, env)).status).toBe(500)
  })
})

describe('an undeclared answer', () => {
  const statusOf = async (declared: Partial<Route>, answer: () => unknown) => {
    const route = {
      ...base,
      acesso: 'publico',
      efeito: null,
      respostas: { 204: null },
      ...declared,
      handler: answer,
    } as unknown as Route
    return (await mount(route).request('/x', {}, env)).status
  }
  const text = (type: string, status = 200) => new Response('x', { status, headers: { 'content-type': type } })

  it('is a 500 in tests: another status, another media type, an undeclared body', async () => {
    expect(await statusOf({}, () => ({ status: 204 }))).toBe(204)
    expect(await statusOf({}, () => ({ status: 201, body: {} }))).toBe(500)
    expect(await statusOf({}, () => ({ status: 204, body: {} }))).toBe(500)
    const picture = { respostas: { 200: { midia: 'image/jpeg' } } }
    expect(await statusOf(picture, () => text('image/jpeg; x=1'))).toBe(200)
    expect(await statusOf(picture, () => text('text/html'))).toBe(500)
    expect(await statusOf(picture, () => text('image/jpeg', 206))).toBe(500)
    expect(await statusOf(picture, () => ({ status: 200, body: 'x' }))).toBe(500)
  })

  it('is a 500 in tests: an error that neither the declaration nor `erros` has', async () => {
    const refuse = () => {
      throw new VigiaError('conflito', { detalhe: 'Já existe.' })
    }
    expect(await statusOf({ erros: [409] }, refuse)).toBe(409)
    expect(await statusOf({}, refuse)).toBe(500)
  })
})
