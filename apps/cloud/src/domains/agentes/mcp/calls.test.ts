import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { VigiaError } from '@vigia/contracts/errors'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineRoute } from '../../../http/route.ts'
import { type McpStand, startMcpStand, tokenOf } from '../../../test/clouds/mcp-stand.ts'
import { createCancellations } from './cancellation.ts'
import { createInFlight } from './in-flight.ts'
import { defineTool } from './tool.ts'

/** Calls that the long route has received, by the name in the input. */
const calls = new Map<string, { ended: 'solta' | 'abortada' | null; release: () => void }>()
const trabalhar = defineRoute({
  method: 'post',
  path: '/api/v1/cameras',
  operacao: 'trabalhar',
  acesso: 'sessao',
  efeito: null,
  resumo: 'x',
  json: z.object({ nome: z.string() }),
  respostas: { 200: z.object({ nome: z.string() }) },
  handler: async ({ json: { nome }, request: { signal, progress } }) => {
    for (const done of [1, 2, 2, 1, 3]) progress?.(done, 4, `passo ${done}`)
    if (nome === 'rápida') return { status: 200, body: { nome } }
    const call = { ended: null as 'solta' | 'abortada' | null, release: () => {} }
    calls.set(nome, call)
    await new Promise<void>((resolve) => {
      call.release = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    call.ended = signal.aborted ? 'abortada' : 'solta'
    if (signal.aborted) throw new VigiaError('indisponivel', { detalhe: 'Interrompida.' })
    return { status: 200, body: { nome } }
  },
})
const tools = [
  defineTool({
    nome: 'trabalhar',
    titulo: 'Trabalhar',
    descricao: 'Demora.',
    entrada: z.strictObject({ nome: z.string().describe('Nome') }),
    saida: z.object({ nome: z.string().describe('Nome') }),
    operacoes: ['trabalhar'],
    anotacoes: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async (json, ctx) => ({ dados: await ctx.json<{ nome: string }>('trabalhar', { json }) }),
  }),
]

let stand: McpStand
beforeEach(async () => {
  calls.clear()
  stand = await startMcpStand({ catalogue: { tools }, routes: [trabalhar] })
})
afterEach(() => stand.stop())

const begun = (nome: string) => waitFor(`call ${nome} to begin`, () => calls.get(nome))
const ended = (nome: string) => waitFor(`call ${nome} to end`, () => calls.get(nome)?.ended)

/** A client of the revisions before 2026-07-28. */
async function connect(token = tokenOf('usuario')): Promise<Client> {
  const client = new Client({ name: 'teste', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${stand.url}/mcp`), { requestInit }) as Transport)
  return client
}

/** A request of 2026-07-28. */
const modern = (method: string, params: object, init: RequestInit & { meta?: object } = {}) => {
  const name = (params as { name?: string }).name
  return fetch(`${stand.url}/mcp`, {
    ...init,
    method: 'POST',
    headers: {
      authorization: `Bearer ${tokenOf('usuario')}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name && { 'mcp-name': name }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'teste', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
          ...init.meta,
        },
      },
    }),
  })
}

describe('progress', () => {
  it('reaches a client that asked for it, with increasing values', async () => {
    const client = await connect()
    const seen: unknown[] = []
    const result = client.callTool({ name: 'trabalhar', arguments: { nome: 'a' } }, undefined, {
      onprogress: ({ progress, total, message }) => seen.push([progress, total, message]),
    })
    const call = await begun('a')
    await waitFor('three steps, while the call goes on', () => seen.length === 3)
    call.release()
    expect((await result).structuredContent).toMatchObject({ nome: 'a' })
    expect(seen).toEqual([1, 2, 3].map((done) => [done, 4, `passo ${done}`]))
    await client.close()
  })

  it('reaches the client in both revisions', async () => {
    const answer = await modern(
      'tools/call',
      { name: 'trabalhar', arguments: { nome: 'rápida' } },
      { meta: { progressToken: 'x' } },
    )
    const messages = (await answer.text()).split('\n').filter((line) => line.startsWith('data: '))
    expect(messages.map((line) => JSON.parse(line.slice(6)).params?.progress)).toEqual([1, 2, 3, undefined])
  })
})

describe('a call ends', () => {
  it('when its client sends notifications/cancelled (2025-11-25)', async () => {
    const client = await connect()
    const abort = new AbortController()
    const cancelled = client.callTool({ name: 'trabalhar', arguments: { nome: 'a' } }, undefined, {
      signal: abort.signal,
    })
    await begun('a')
    abort.abort('chega')
    await expect(cancelled).rejects.toThrow('chega')
    expect(await ended('a')).toBe('abortada')
    await waitFor('its line in the log', () => stand.log().some(({ resultado }) => resultado === 'cancelada'))
    await client.close()
  })

  it('not when another authorization sends notifications/cancelled or when two calls share the id', async () => {
    const call = (nome: string, autorizacao: number) =>
      stand.post(
        { jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'trabalhar', arguments: { nome } } },
        { authorization: `Bearer ${tokenOf('usuario', 'mcp', autorizacao)}` },
      )
    const cancel = (autorizacao: number, requestId: unknown) =>
      stand.post(
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } },
        { authorization: `Bearer ${tokenOf('usuario', 'mcp', autorizacao)}` },
      )
    const answers = [call('a', 1), call('b', 1), call('c', 2)]
    await Promise.all(['a', 'b', 'c'].map(begun))
    for (const [autorizacao, id] of [
      [1, 'x'],
      [3, 'x'],
      [2, 'y'],
      [2, { x: 1 }],
      [2, undefined],
    ] as const)
      expect([400, 202]).toContain((await cancel(autorizacao, id)).status)
    expect([...calls.values()].map(({ ended }) => ended)).toEqual([null, null, null])
    await cancel(2, 'x')
    expect(await ended('c')).toBe('abortada')
    for (const nome of ['a', 'b']) calls.get(nome)?.release()
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('when its connection closes, in both revisions', async () => {
    const abort = new AbortController()
    const left = [
      modern('tools/call', { name: 'trabalhar', arguments: { nome: 'nova' } }, { signal: abort.signal }),
      fetch(`${stand.url}/mcp`, {
        method: 'POST',
        signal: abort.signal,
        headers: {
          authorization: `Bearer ${tokenOf('usuario')}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'trabalhar', arguments: { nome: 'antiga' } },
        }),
      }),
    ].map((answer) => answer.then((response) => response.text()).catch((error: Error) => error.name))
    await Promise.all([begun('nova'), begun('antiga')])
    abort.abort()
    expect(await Promise.all(left)).toEqual(['AbortError', 'AbortError'])
    expect([await ended('nova'), await ended('antiga')]).toEqual(['abortada', 'abortada'])
  })

  it('when the server stops, with a complete answer', async () => {
    const call = await modern(
      'tools/call',
      { name: 'trabalhar', arguments: { nome: 'a' } },
      { meta: { progressToken: 1 } },
    )
    expect(call.headers.get('content-type')).toBe('text/event-stream')
    await begun('a')
    const stopped = stand.stop()
    expect(await call.text()).toContain('A chamada foi cancelada.')
    expect(await ended('a')).toBe('abortada')
    await stopped
  })

  it('at once when it subscribes to list changes, which the server never sends', async () => {
    const filter = { toolsListChanged: true, resourcesListChanged: true, resourceSubscriptions: ['vigia://camera/1'] }
    const answer = await modern('subscriptions/listen', { notifications: filter })
    const messages = (await answer.text()).split('\n').filter((line) => line.startsWith('data: '))
    expect(messages.map((line) => JSON.parse(line.slice(6)))).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
      { result: { resultType: 'complete' } },
    ])
  })
})

describe('one authorization', () => {
  it('is limited in concurrent calls', async () => {
    const post = (nome: string, autorizacao = 1) =>
      stand.post(
        { jsonrpc: '2.0', id: nome, method: 'tools/call', params: { name: 'trabalhar', arguments: { nome } } },
        { authorization: `Bearer ${tokenOf('usuario', 'mcp', autorizacao)}` },
      )
    const names = Array.from({ length: 16 }, (_, i) => `n${i}`)
    const open = names.map((nome) => post(nome))
    await Promise.all(names.map(begun))
    const refused = await post('demais')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await post('rápida', 2)).status).toBe(200)
    for (const nome of names) calls.get(nome)?.release()
    for (const answer of await Promise.all(open)) await answer.text()
    expect((await post('rápida')).status).toBe(200)
  })

  it('is limited in messages, and every message of a batch counts', async () => {
    const used: string[] = []
    const limited = await startMcpStand({
      limit: {
        consume: async (key) => {
          if (used.push(key) > 3) throw new VigiaError('muitas_requisicoes', { detalhe: 'Devagar.', tentarEmS: 30 })
        },
      },
    })
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const batch = await limited.post([ping, ping, ping, ping])
    expect([batch.status, batch.headers.get('retry-after'), await batch.json()]).toEqual([
      429,
      '30',
      { detail: 'Devagar.' },
    ])
    expect(new Set(used)).toEqual(new Set(['autorizacao:1']))
    await limited.stop()
  })

  it('may send a batch in the revisions with batches', async () => {
    const one = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'trabalhar', arguments: { nome: 'rápida' } },
    })
    const answer = await stand.post([one(1), one(2), { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} }])
    const messages = (await answer.text()).split('\n').filter((line) => line.startsWith('data: '))
    expect(messages.map((line) => JSON.parse(line.slice(6)))).toMatchObject([
      { id: 1, result: { structuredContent: { nome: 'rápida' } } },
      { id: 2, result: { structuredContent: { nome: 'rápida' } } },
    ])
  })

  it('leaks no memory in a thousand calls', async () => {
    setFlagsFromString('--expose-gc')
    const gc = runInNewContext('gc') as () => void
    const quiet = await startMcpStand({ catalogue: { tools }, routes: [trabalhar], keepLog: false })
    const heap = async () => {
      for (let i = 0; i < 4; i += 1) {
        gc()
        await new Promise((resolve) => setImmediate(resolve))
      }
      return process.memoryUsage().heapUsed
    }
    const round = async (count: number) => {
      const params = { name: 'trabalhar', arguments: { nome: 'rápida' } }
      for (let id = 0; id < count; id += 1) {
        const answer = await quiet.post({ jsonrpc: '2.0', id, method: 'tools/call', params })
        if (!(await answer.text()).includes('structuredContent')) throw new Error(`call ${id}: ${answer.status}`)
      }
    }
    await round(300)
    const [before, resources] = [await heap(), process.getActiveResourcesInfo().length]
    await round(1_000)
    // A leaked listener costs 5,000 bytes per call, a leaked server hundreds of thousands.
    expect(((await heap()) - before) / 1_000).toBeLessThan(2_000)
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(resources + 2)
    await quiet.stop()
  })
})

it('releases the slot of a finished call', () => {
  const cancellations = createCancellations()
  const [a, b] = [cancellations.begin(1, 1), cancellations.begin(1, 1)]
  cancellations.begin(1, '1').end()
  a.end()
  cancellations.cancel(1, 1)
  expect([a.signal.aborted, b.signal.aborted]).toEqual([false, true])
  b.end()
  const open = createInFlight(1)
  const leave = open.enter(7)
  expect(() => open.enter(7)).toThrow('muitas_requisicoes')
  leave()
  leave()
  open.enter(7)()
  expect([cancellations.size, open.size]).toEqual([0, 0])
})
