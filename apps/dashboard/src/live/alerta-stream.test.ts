import { backoffMs } from '@vigia/runtime/backoff'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fixtureEvento, fixtureVeredito } from '../test/evento-fixture.ts'
import { fixtureIncidente } from '../test/incidente-fixture.ts'
import { fixtureQueda } from '../test/queda-fixture.ts'
import {
  type AlertaStream,
  type AlertaStreamOptions,
  createAlertaStream,
  MAX_PENDING,
  RECONNECT,
} from './alerta-stream.ts'

/** A fake server: it records each request and returns the next one of `answers` as a web stream. */
function fakeServer(answers: ((signal: AbortSignal) => Response)[]) {
  const requests: Headers[] = []
  const fetch = (async (_url: unknown, init: RequestInit) => {
    requests.push(new Headers(init.headers))
    const answer = answers.shift()
    if (!answer || !init.signal) throw new TypeError('network down')
    return answer(init.signal)
  }) as typeof globalThis.fetch
  return { fetch, requests }
}

const sse =
  (text: string, { open = false } = {}) =>
  (signal: AbortSignal): Response =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(text))
          if (!open) return controller.close()
          signal.addEventListener('abort', () => controller.error(signal.reason))
        },
      }),
      { headers: { 'content-type': 'text/event-stream; charset=utf-8' } },
    )

const status = (code: number) => () => new Response('{"detail":"não"}', { status: code })
const alerta = (id: number) => {
  const evento = fixtureEvento({ id, veredito: fixtureVeredito('confirmado') })
  return `id: ${id}\nevent: alerta\ndata: ${JSON.stringify(evento)}\n\n`
}

let stream: AlertaStream | null = null
afterEach(() => stream?.stop())

function open(fetch: typeof globalThis.fetch, over: Partial<AlertaStreamOptions> = {}): string[] {
  const log: string[] = []
  stream = createAlertaStream({
    url: 'http://central/sse',
    fetch,
    wait: () => Promise.resolve(),
    onState: (state) => log.push(state),
    onEvento: (evento) => log.push(`evento ${evento.id}`),
    onIncidente: (incidente) => log.push(`incidente ${incidente.id}`),
    onCamera: (camera) => log.push(`camera ${camera.id} ${camera.status}`),
    onQueda: (queda) => log.push(`queda ${queda.id} ${queda.fim ?? 'aberta'}`),
    onGap: () => log.push('lacuna'),
    ...over,
  })
  stream.start()
  return log
}

describe('alert stream', () => {
  it('delivers alerts, events, cameras, quedas and incidentes, and reports the live state', async () => {
    const camera = {
      id: 3,
      empresa_id: 1,
      nome: 'Pátio',
      status: 'offline',
      status_detalhe: null,
      ultimo_frame_em: null,
      silencio: null,
    }
    const message = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    const text = [
      alerta(7),
      message('evento', fixtureEvento({ id: 8 })),
      message('camera', camera),
      message('queda', fixtureQueda({ id: 4 })),
      message('incidente', fixtureIncidente({ id: 5 })),
    ].join('')
    const log = open(fakeServer([sse(text, { open: true })]).fetch)
    await vi.waitFor(() =>
      expect(log).toEqual([
        'conectando',
        'ao_vivo',
        'lacuna',
        'evento 7',
        'evento 8',
        'camera 3 offline',
        'queda 4 aberta',
        'incidente 5',
      ]),
    )
  })

  it('reconnects after a loss with the last id, and requests the lists again', async () => {
    const server = fakeServer([sse(alerta(7)), status(503), sse('', { open: true })])
    const log = open(server.fetch)
    const first = ['conectando', 'ao_vivo', 'lacuna', 'evento 7', 'reconectando', 'reconectando']
    await vi.waitFor(() => expect(log).toEqual([...first, 'ao_vivo', 'lacuna']))
    expect(server.requests.map((headers) => headers.get('last-event-id'))).toEqual([null, '7', '7'])
  })

  // 403: the login must turn on its second factor.
  it.each([401, 403])('stops permanently when the session has ended or has no access (%i)', async (refusal) => {
    const server = fakeServer([sse(alerta(7)), status(refusal), sse(alerta(8))])
    const log = open(server.fetch)
    await vi.waitFor(() => expect(log.at(-1)).toBe('expirada'))
    expect(server.requests).toHaveLength(2)
  })

  it('treats an answer that is no event stream as a loss', async () => {
    const server = fakeServer([() => new Response('<html>', { headers: { 'content-type': 'text/html' } }), status(401)])
    const log = open(server.fetch)
    await vi.waitFor(() => expect(log).toEqual(['conectando', 'reconectando', 'expirada']))
  })

  it('treats a silent connection as dead', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const server = fakeServer([sse(': oi\n\n', { open: true }), status(401)])
    const log = open(server.fetch, { silenceMs: 30 })
    await vi.waitFor(() => expect(log).toEqual(['conectando', 'ao_vivo', 'lacuna', 'reconectando', 'expirada']))
    warn.mockRestore()
  })

  it('aborts a request that the server accepts and never answers', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    let asked = 0
    const fetch = ((_url: unknown, { signal }: RequestInit) => {
      asked += 1
      if (asked > 1) return Promise.resolve(new Response(null, { status: 401 }))
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    }) as typeof globalThis.fetch
    const log = open(fetch, { silenceMs: 30 })
    await vi.waitFor(() => expect(log).toEqual(['conectando', 'reconectando', 'expirada']))
    warn.mockRestore()
  })

  it('requests the lists after an unreadable message, and continues', async () => {
    const text = `event: alerta\ndata: {"id":\n\nevent: camera\ndata: {}\n\nevent: novidade\ndata: x\n\n${alerta(9)}`
    const log = open(fakeServer([sse(text, { open: true })]).fetch)
    await vi.waitFor(() => expect(log).toEqual(['conectando', 'ao_vivo', 'lacuna', 'lacuna', 'lacuna', 'evento 9']))
  })

  it('reads messages that arrive byte by byte, with any line end', async () => {
    const text = `:ping\r\n\r\n${alerta(7).replaceAll('\n', '\r\n')}${alerta(8).replaceAll('\n', '\r')}${alerta(9)}`
    const bytes = new TextEncoder().encode(text.replaceAll('Pátio', 'Pátio ação'))
    const answer = () =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
            controller.close()
          },
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      )
    const server = fakeServer([answer, status(401)])
    const log = open(server.fetch)
    await vi.waitFor(() => expect(log.at(-1)).toBe('expirada'))
    expect(log.filter((line) => line.startsWith('evento'))).toEqual(['evento 7', 'evento 8', 'evento 9'])
    expect(server.requests[1]?.get('last-event-id')).toBe('9')
  })

  it.each([
    ['line', `data: ${'x'.repeat(MAX_PENDING)}`],
    ['message', `data: ${'x'.repeat(MAX_PENDING / 2)}\n`.repeat(3)],
  ])('closes a connection with an endless %s', async (_kind, endless) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const log = open(fakeServer([sse(endless, { open: true }), status(401)]).fetch)
    await vi.waitFor(() => expect(log).toEqual(['conectando', 'ao_vivo', 'lacuna', 'reconectando', 'expirada']))
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  it('reports nothing after stop, and can be started again', async () => {
    const server = fakeServer([sse('', { open: true }), sse(alerta(7), { open: true })])
    const log = open(server.fetch)
    await vi.waitFor(() => expect(log).toEqual(['conectando', 'ao_vivo', 'lacuna']))
    stream?.stop()
    await new Promise((resolve) => setTimeout(resolve))
    expect(log).toHaveLength(3)
    stream?.start()
    await vi.waitFor(() => expect(log.at(-1)).toBe('evento 7'))
  })

  it('retries immediately after hurry()', async () => {
    const server = fakeServer([sse(''), sse(alerta(7), { open: true })])
    const waits: number[] = []
    const wait = (attempt: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        waits.push(attempt)
        signal.addEventListener('abort', () => resolve())
      })
    const log = open(server.fetch, { wait })
    await vi.waitFor(() => expect(waits).toEqual([0]))
    stream?.hurry()
    await vi.waitFor(() => expect(log.at(-1)).toBe('evento 7'))
  })

  it('opens a new connection after reconnect()', async () => {
    const server = fakeServer([sse(alerta(7), { open: true }), sse(alerta(8), { open: true })])
    const log = open(server.fetch)
    await vi.waitFor(() => expect(log.at(-1)).toBe('evento 7'))
    stream?.reconnect()
    await vi.waitFor(() => expect(log.slice(-4)).toEqual(['reconectando', 'ao_vivo', 'lacuna', 'evento 8']))
  })

  it('increases its delay for a server that accepts and closes immediately', async () => {
    const waits: number[] = []
    const wait = (attempt: number) => Promise.resolve(waits.push(attempt)).then(() => undefined)
    const log = open(fakeServer([sse(''), sse(''), sse(''), status(401)]).fetch, { wait })
    await vi.waitFor(() => expect(log.at(-1)).toBe('expirada'))
    expect(waits).toEqual([0, 1, 2])
  })

  it('increases its delay up to 15 s', () => {
    const longest = [0, 1, 2, 3, 4, 50].map((attempt) => backoffMs(attempt, RECONNECT, () => 1))
    expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
  })
})
