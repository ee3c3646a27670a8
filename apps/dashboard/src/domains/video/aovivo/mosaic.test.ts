import { VigiaError } from '@vigia/contracts/errors'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMosaic, type Mosaic } from './mosaic.ts'

/** The cloud: each request stays open until it is aborted or the test ends it. */
interface Request {
  readonly path: string
  readonly signal: AbortSignal
  send(cameraId: number, extra?: string): void
  end(error?: Error): void
}

let requests: Request[]
let urls: Set<string>
let mosaic: Mosaic
const lost = { sessions: 0, cameras: 0 }
const backoff = { minMs: 5, maxMs: 10 }

beforeEach(() => {
  requests = []
  urls = new Set()
  Object.assign(lost, { sessions: 0, cameras: 0 })
  let number = 0
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    number += 1
    urls.add(`blob:${number}`)
    return `blob:${number}`
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void urls.delete(url))
  mosaic = createMosaic({
    stream: (path, onBytes, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        const text = (value: string) => onBytes(new TextEncoder().encode(value))
        text('--quadro\r\n')
        requests.push({
          path,
          signal,
          send: (id, extra = '') => text(`Content-Length: 2\r\nX-Camera-Id: ${id}\r\n${extra}\r\nok\r\n--quadro\r\n`),
          end: (error) => (error ? reject(error) : resolve()),
        })
      }),
    onSessionEnded: () => void lost.sessions++,
    onUnknownCamera: () => void lost.cameras++,
    gatherMs: 1,
    backoff,
  })
})
afterEach(() => {
  mosaic.stop()
  vi.restoreAllMocks()
})

const asked = (count: number) =>
  vi.waitFor(() => {
    const last = requests.at(-1)
    if (requests.length !== count || !last) throw new Error(`${requests.length} requests`)
    return last
  })

describe('the mosaic', () => {
  it('lists cameras in which something moved in the last minute, at most fifteen, the latest ones', async () => {
    const ids = Array.from({ length: 20 }, (_, i) => i + 1)
    mosaic.show(ids, null)
    const first = await asked(1)
    const changed = vi.fn()
    mosaic.subscribeMoving(changed)
    first.send(1)
    expect([mosaic.moving(), changed.mock.calls.length]).toEqual([[], 0])
    const clock = vi.spyOn(Date, 'now')
    for (const id of ids) {
      clock.mockReturnValue(1_000_000 + id)
      first.send(id, 'X-Movimento: 1\r\n')
    }
    expect(mosaic.moving()).toEqual(ids.slice(5))
    const before = mosaic.moving()
    first.send(7)
    expect(mosaic.moving()).toBe(before)
    clock.mockReturnValue(1_060_018.5)
    first.send(7)
    expect(mosaic.moving()).toEqual([19, 20])
    mosaic.show([20], null)
    expect(mosaic.moving()).toEqual([20])
  })

  it('fetches only the cameras on the screen, over one connection', async () => {
    mosaic.show([3, 1], 3)
    mosaic.show([3, 1, 2], 3)
    const first = await asked(1)
    expect(first.path).toBe('/miniaturas?cameras=1,2,3&grande=3')
    const changed = vi.fn()
    mosaic.subscribe(1, changed)
    first.send(1)
    first.send(9)
    expect([changed.mock.calls.length, mosaic.still(1)?.url, mosaic.still(9)]).toEqual([1, 'blob:1', null])
    mosaic.show([2], null)
    const second = await asked(2)
    expect([second.path, first.signal.aborted, mosaic.still(1)]).toEqual(['/miniaturas?cameras=2', true, null])
    mosaic.show([], null)
    await vi.waitFor(() => expect(second.signal.aborted).toBe(true))
    expect(requests.length).toBe(2)
  })

  it('keeps at most two pictures of a camera, and none after its end', async () => {
    mosaic.show([1], null)
    const request = await asked(1)
    for (let n = 0; n < 20; n += 1) request.send(1)
    expect([...urls]).toEqual(['blob:19', 'blob:20'])
    mosaic.stop()
    expect(urls.size).toBe(0)
  })

  it('reconnects after an end and after a failure', async () => {
    mosaic.show([1], null)
    ;(await asked(1)).end()
    ;(await asked(2)).end(new VigiaError('indisponivel', { detalhe: 'fora' }))
    ;(await asked(3)).end(new VigiaError('nao_encontrado', { detalhe: 'Câmera não encontrada.' }))
    const last = await asked(4)
    expect(lost).toEqual({ sessions: 0, cameras: 1 })
    last.end(new VigiaError('nao_autenticado', { detalhe: 'Entre.' }))
    await vi.waitFor(() => expect(lost.sessions).toBe(1))
    expect(requests.length).toBe(4)
  })
})
