import { backoffMs } from '@vigia/runtime/backoff'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fixtureEvento, fixtureVeredito } from '../alertas/evento-fixture.ts'
import { fixtureQueda } from '../quedas/queda-fixture.ts'
import { type AlertStream, type AlertStreamOptions, createAlertStream, RECONNECT } from './alert-stream.ts'

/** A server side made of web streams: each request gets the next answer of `answers`; what it sent is recorded. */
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

let stream: AlertStream | null = null
afterEach(() => stream?.stop())

function open(fetch: typeof globalThis.fetch, over: Partial<AlertStreamOptions> = {}): string[] {
  const log: string[] = []
  stream = createAlertStream({
    url: 'http://central/sse',
    fetch,
    wait: () => Promise.resolve(),
    onState: (state) => log.push(state),
    onEvento: (evento, confirmed) => log.push(`${confirmed ? 'alerta' : 'evento'} ${evento.id}`),
    onCamera: (camera) => log.push(`camera ${camera.id} ${camera.status}`),
    onQueda: (queda) => log.push(`queda ${queda.id} ${queda.fim ?? 'aberta'}`),
    onGap: () => log.push('lacuna'),
    ...over,
  })
  stream.start()
  return log
}

describe('alert stream', () => {
  it('hands on alerts, events, cameras and outages, and says that it is live', async () => {
    const camera = {
      id: 3,
      empresa_id: 1,
      nome: 'Pátio',
      status: 'offline',
      status_detalhe: null,
      ultimo_frame_em: null,
    }
    const text = `${alerta(7)}event: evento\ndata: ${JSON.stringify(fixtureEvento({ id: 8 }))}\n\nevent: camera\ndata: ${JSON.stringify(camera)}\n\nevent: queda\ndata: ${JSON.stringify(fixtureQueda({ id: 4 }))}\n\n`
    const log = open(fakeServer([sse(text, { open: true })]).fetch)
    await vi.waitFor(() =>
      expect(log).toEqual([
        'conectando',
        'ao_vivo',
        'lacuna',
        'alerta 7',
        'evento 8',
        'camera 3 offline',
        'queda 4 aberta',
      ]),
    )
  })

  it('reconnects after a loss, says where it was, and asks for the lists again', async () => {
    const server = fakeServer([sse(alerta(7)), status(503), sse('', { open: true })])
    const log = open(server.fetch)
    const first = ['conectando', 'ao_vivo', 'lacuna', 'alerta 7', 'reconectando', 'reconectando']
    await vi.waitFor(() => expect(log).toEqual([...first, 'ao_vivo', 'lacuna']))
    expect(server.requests.map((headers) => headers.get('last-event-id'))).toEqual([null, '7', '7'])
  })

  // 403: the login has to turn its second factor on.
  it.each([401, 403])('stops for good when the session has ended, or may do no more (%i)', async (refusal) => {
    const server = fakeServer([sse(alerta(7)), status(refusal), sse(alerta(8))])
    const log = open(server.fetch)
    await vi.waitFor(() => expect(log.at(-1)).toBe('expirada'))
    expect(server.requests).toHaveLength(2)
  })

  it('takes an answer that is no event stream for a loss, not for live', async () => {
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

  it('gives up on a server that takes the request and never answers', async () => {
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

  it('asks for the lists when one of our messages cannot be read, and goes on', async () => {
    const text = `event: alerta\ndata: {"id":\n\nevent: camera\ndata: {}\n\nevent: novidade\ndata: x\n\n${alerta(9)}`
    const log = open(fakeServer([sse(text, { open: true })]).fetch)
    await vi.waitFor(() => expect(log).toEqual(['conectando', 'ao_vivo', 'lacuna', 'lacuna', 'lacuna', 'alerta 9']))
  })

  it('says nothing more after it was stopped, and starts again when asked', async () => {
    const server = fakeServer([sse('', { open: true }), sse(alerta(7), { open: true })])
    const log = open(server.fetch)
    await vi.waitFor(() => expect(log).toEqual(['conectando', 'ao_vivo', 'lacuna']))
    stream?.stop()
    await new Promise((resolve) => setTimeout(resolve))
    expect(log).toHaveLength(3)
    stream?.start()
    await vi.waitFor(() => expect(log.at(-1)).toBe('alerta 7'))
  })

  it('tries at once when hurried', async () => {
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
    await vi.waitFor(() => expect(log.at(-1)).toBe('alerta 7'))
  })

  it('waits longer and longer for a server that accepts and hangs up at once', async () => {
    const waits: number[] = []
    const wait = (attempt: number) => Promise.resolve(waits.push(attempt)).then(() => undefined)
    const log = open(fakeServer([sse(''), sse(''), sse(''), status(401)]).fetch, { wait })
    await vi.waitFor(() => expect(log.at(-1)).toBe('expirada'))
    expect(waits).toEqual([0, 1, 2])
  })

  it('waits longer each time, 15 s at most', () => {
    const longest = [0, 1, 2, 3, 4, 50].map((attempt) => backoffMs(attempt, RECONNECT, () => 1))
    expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
  })
})
