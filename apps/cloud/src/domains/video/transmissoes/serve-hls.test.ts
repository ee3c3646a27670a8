import type { ParteTransmissao, RegistroTransmissao } from '@vigia/contracts/transmissao'
import { expect, it } from 'vitest'
import { countedWindow } from '../../../test/stand-ins/counted-window.ts'
import { MOST_WINDOW_BYTES } from './segment-list.ts'
import { serveHls } from './serve-hls.ts'
import { createStreamWindow } from './stream-window.ts'

const descricao = { codecs: 'avc1.4d401f', largura: 640, altura: 360, fps: 10, gop_ms: 2000 }
const inicio: RegistroTransmissao = { tipo: 'inicio', descricao, dados: Uint8Array.of(7) }
const parte = (segmento: number, indice: number, bytes = 2): ParteTransmissao => ({
  tipo: 'parte',
  chave: indice === 0,
  indice,
  segmento,
  duracao: 45_000,
  instante: 1_800_000_000_000 + segmento * 1000 + indice * 500,
  dados: Uint8Array.from({ length: bytes }, (_, i) => (i === 0 ? segmento : indice)),
})

/** Segment 0 is complete; of segment 1 the first part has arrived. */
function streamOf(target = 2) {
  const window = createStreamWindow()
  for (const one of [inicio, parte(0, 0), parte(0, 1), parte(1, 0)]) window.add(one)
  const { counted, listeners } = countedWindow(window)
  const left = new AbortController()
  const get = (file: string, reload: { msn?: number; part?: number } = {}, signal = left.signal) =>
    serveHls({ window: counted, timing: { target, part: 0.525 } }, { file, ...reload, signal })
  return { window, get, left, listeners }
}

const bytes = async (response: Response) => [...new Uint8Array(await response.arrayBuffer())]

it('serves the playlist, the init segment, segments and parts', async () => {
  const { get } = streamOf()
  const playlist = await get('principal.m3u8')
  expect(playlist.headers.get('content-type')).toBe('application/vnd.apple.mpegurl')
  expect(playlist.headers.get('cache-control')).toBe('no-store')
  expect(await playlist.text()).toContain('\ns0.mp4\n')
  expect(await bytes(await get('init-0.mp4'))).toEqual([7])
  expect(await bytes(await get('s0.mp4'))).toEqual([0, 0, 0, 1])
  const part = await get('p1.0.mp4')
  expect(Object.fromEntries(part.headers)).toMatchObject({
    'cache-control': 'private, max-age=60',
    'content-type': 'video/mp4',
    'referrer-policy': 'no-referrer',
  })
  expect(await bytes(part)).toEqual([1, 0])
})

it.each([
  'init-1.mp4',
  'init-0.1.mp4',
  's1.mp4',
  's2.mp4',
  's0.1.mp4',
  'p0.mp4',
  'p0.2.mp4',
  'p1.2.mp4',
  'p2.0.mp4',
  '',
  'x0.mp4',
  's-1.mp4',
  's0.mp4x',
  '../s0.mp4',
  's9999999999.mp4',
])('refuses %s', async (file) => {
  const { get, listeners } = streamOf()
  await expect(get(file)).rejects.toMatchObject({ code: 'nao_encontrado' })
  expect(listeners()).toBe(0)
})

it('holds a request for the next part until it arrives', async () => {
  const { window, get, listeners } = streamOf()
  const playlist = get('principal.m3u8', { msn: 1, part: 1 })
  const part = get('p1.1.mp4')
  expect(listeners()).toBe(2)
  window.add(parte(1, 1))
  expect(await (await playlist).text()).toContain('URI="p1.1.mp4"\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI="p1.2.mp4"')
  expect(await bytes(await part)).toEqual([1, 1])
  expect(listeners()).toBe(0)
})

it('answers 404 for a hinted part when the next segment begins in its place', async () => {
  const { window, get } = streamOf()
  const part = get('p1.1.mp4')
  window.add(parte(2, 0))
  await expect(part).rejects.toMatchObject({ code: 'nao_encontrado' })
})

it('refuses a reload too far ahead, or of a part without a segment', async () => {
  const { get } = streamOf()
  expect((await get('principal.m3u8', { msn: 4 })).status).toBe(400)
  expect((await get('principal.m3u8', { part: 0 })).status).toBe(400)
})

it.each<[string, readonly RegistroTransmissao[], string]>([
  ['the camera sends no keyframe', [{ tipo: 'lacuna' }, { tipo: 'lacuna' }], 'sem quadro-chave'],
  [
    'the group is larger than the memory',
    [...[0, 1].map((indice) => parte(0, indice, MOST_WINDOW_BYTES / 2)), parte(0, 2), parte(0, 3)],
    '32 MiB',
  ],
])('says that %s, when no part can come before a keyframe', async (_name, registros, sentence) => {
  const window = createStreamWindow()
  for (const one of [inicio, ...registros]) window.add(one)
  const stream = { window, timing: { target: 300, part: 0.525 } }
  await expect(serveHls(stream, { file: 'principal.m3u8', signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'indisponivel',
    detalhe: expect.stringContaining(sentence),
  })
})

it('gives up after three target durations, when the viewer leaves, and at the end of the stream', async () => {
  const { window, get, left, listeners } = streamOf(0.02)
  await expect(get('principal.m3u8', { msn: 1, part: 1 })).rejects.toMatchObject({ code: 'indisponivel', tentarEmS: 2 })
  const slow = streamOf()
  const waiting = slow.get('p1.1.mp4')
  slow.left.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'indisponivel' })
  left.abort()
  window.add({ tipo: 'fim' })
  expect(await (await get('principal.m3u8', { msn: 2 })).text()).toContain('#EXT-X-ENDLIST')
  expect([listeners(), slow.listeners()]).toEqual([0, 0])
})
