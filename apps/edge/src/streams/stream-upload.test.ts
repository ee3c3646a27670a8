import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeRegistro, type RegistroTransmissao } from '@vigia/contracts/transmissao'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createStreamUpload, type StreamUpload } from './stream-upload.ts'
import { createUplinkBudget } from './uplink-budget.ts'

let server: Server
let wss: WebSocketServer
let uploads: StreamUpload[]
/** Received records, as `inicio`, `segment.part`, `lacuna` or `fim`, and the tokens of the connections. */
let received: string[]
let tokens: (string | undefined)[]
let sockets: WebSocket[]
let refuseWith: number | null

beforeEach(async () => {
  ;[uploads, received, tokens, sockets, refuseWith] = [[], [], [], [], null]
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  wss = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    tokens.push(request.headers.authorization)
    if (refuseWith !== null) return socket.end(`HTTP/1.1 ${refuseWith} X\r\nContent-Length: 0\r\n\r\n`)
    wss.handleUpgrade(request, socket, head, (opened) => {
      sockets.push(opened)
      opened.on('message', (data: Buffer) => received.push(nameOf(decodeRegistro(data))))
    })
  })
})
afterEach(() => {
  for (const upload of uploads) upload.end()
  for (const socket of sockets) socket.terminate()
  server.close()
  server.closeAllConnections()
})

const nameOf = (registro: RegistroTransmissao | null): string =>
  registro?.tipo === 'parte' ? `${registro.segmento}.${registro.indice}` : (registro?.tipo ?? 'unreadable')

const box = (type: string, bytes: number): Buffer => {
  const content = Buffer.alloc(8 + bytes)
  content.write(type, 4, 'latin1')
  return content
}
const header: RegistroTransmissao = {
  tipo: 'inicio',
  descricao: { codecs: 'avc1.4d401f', largura: 640, altura: 360, fps: 10, gop_ms: 1000 },
  dados: box('ftyp', 8),
}
const part = (segmento: number, indice: number, bytes = 100): RegistroTransmissao => ({
  ...({ tipo: 'parte', chave: indice === 0, indice, segmento, duracao: 22_500, instante: 1 } as const),
  dados: box('moof', bytes),
})

function upload({ isLineFree = (): boolean => true, onRefused = () => {} } = {}): StreamUpload {
  const { port } = server.address() as AddressInfo
  const made = createStreamUpload({
    cloudUrl: `http://127.0.0.1:${port}`,
    path: '/x?epoca=1',
    token: 'um',
    onRefused,
    seat: createUplinkBudget({ uplinkMbits: null, isLineFree }).join('aberta', () => {}),
    pauseMs: () => 20,
  })
  uploads.push(made)
  return made
}
async function arrived(...names: readonly string[]): Promise<void> {
  await waitFor('the records', () => received.length >= names.length)
  expect(received).toEqual(names)
}

describe('an upload of a stream', () => {
  it('begins a new connection with the header and the newest segment, and the newest token', async () => {
    const one = upload()
    for (const registro of [header, part(0, 0), part(0, 1)]) one.add(registro)
    await arrived('inicio', '0.0', '0.1')
    one.renew('dois')
    for (const registro of [part(1, 0), part(1, 1)]) one.add(registro)
    await arrived('inicio', '0.0', '0.1', '1.0', '1.1')
    received.length = 0
    sockets[0]?.terminate()
    await waitFor('the next connection', () => sockets.length === 2)
    one.add(part(1, 2))
    await arrived('inicio', '1.0', '1.1', '1.2')
    one.end()
    await arrived('inicio', '1.0', '1.1', '1.2', 'fim')
    expect(tokens).toEqual(['Bearer um', 'Bearer dois'])
  })

  it('leaves parts out up to the next keyframe while an event waits for the line', async () => {
    let isFree = true
    const one = upload({ isLineFree: () => isFree })
    await waitFor('the connection', () => sockets.length === 1)
    one.add(header)
    one.add(part(0, 0))
    isFree = false
    one.add(part(0, 1))
    isFree = true
    one.add(part(0, 2))
    one.add(part(1, 0))
    await arrived('inicio', '0.0', 'lacuna', '1.0')
    expect(one.dropped).toBe(2)
  })

  it('sends all of a group of 120 s, which comes at once, as fast as the uplink allows', async () => {
    const one = upload()
    await waitFor('the connection', () => sockets.length === 1)
    one.add(header)
    // 4.8 MB: more than an unknown uplink may have under way.
    const names = Array.from({ length: 480 }, (_, indice) => `0.${indice}`)
    for (let indice = 0; indice < 480; indice++) one.add(part(0, indice, 10_000))
    await arrived('inicio', ...names)
    one.add(part(0, 480))
    await arrived('inicio', ...names, '0.480')
    expect(one.dropped).toBe(0)
  })

  it('goes on in a long group after an event, without a gap', async () => {
    let isFree = true
    const one = upload({ isLineFree: () => isFree })
    await waitFor('the connection', () => sockets.length === 1)
    one.add(header)
    for (let indice = 0; indice < 60; indice++) one.add(part(0, indice))
    isFree = false
    for (let indice = 60; indice < 70; indice++) one.add(part(0, indice))
    isFree = true
    one.add(part(0, 70))
    await arrived('inicio', ...Array.from({ length: 71 }, (_, indice) => `0.${indice}`))
    expect(one.dropped).toBe(0)
  })

  it('keeps little in memory when the cloud does not read', async () => {
    const one = upload()
    await waitFor('the connection', () => sockets.length === 1)
    sockets[0]?.pause()
    one.add(header)
    for (let segmento = 0; segmento < 40; segmento++)
      for (let indice = 0; indice < 4; indice++) one.add(part(segmento, indice, 200_000))
    // 32 MB were given; the system takes some of them.
    expect(one.dropped).toBeGreaterThan(100)
  })

  it.each([401, 410])('ends when the cloud refuses it with %i', async (status) => {
    refuseWith = status
    const refused = Promise.withResolvers<void>()
    upload({ onRefused: refused.resolve })
    await refused.promise
    expect(tokens).toHaveLength(1)
  })

  it('ends when the cloud has ended it, and tries again after another failure', async () => {
    refuseWith = 503
    const refused = Promise.withResolvers<void>()
    upload({ onRefused: refused.resolve })
    await waitFor('attempts', () => tokens.length >= 2)
    refuseWith = null
    await waitFor('the connection', () => sockets.length === 1)
    sockets[0]?.close(4410)
    await refused.promise
  })
})
