import type { ParteTransmissao, RegistroTransmissao } from '@vigia/contracts/transmissao'
import { expect, it } from 'vitest'
import { createHlsStreams } from './hls-streams.ts'
import { serveHls } from './serve-hls.ts'
import { newStream, seatOf } from './stream-state.ts'

const PART_S = 0.25
const inicio = (gop_ms: number | null): RegistroTransmissao => ({
  tipo: 'inicio',
  descricao: { codecs: 'avc1.4d401f', largura: 640, altura: 360, fps: 20, gop_ms },
  dados: Uint8Array.of(7),
})
const parte = (segmento: number, indice: number): ParteTransmissao => ({
  tipo: 'parte',
  chave: indice === 0,
  indice,
  segmento,
  duracao: PART_S * 90_000,
  instante: 1_800_000_000_000 + (segmento * 1_000 + indice) * PART_S * 1_000,
  dados: Uint8Array.of(segmento, indice),
})
/** The parts of a group that lasts this long. */
const group = (segmento: number, seconds: number) =>
  Array.from({ length: seconds / PART_S }, (_, indice) => parte(segmento, indice))

/** A stream whose players ask for the playlist at a clock. */
function open(firstMs?: number) {
  const stream = newStream({ cameraId: 1, fluxo: 'principal' }, 1, PART_S * 1000)
  let at = 0
  const hls = createHlsStreams(
    { watch: () => seatOf(stream, 'aberta', stream.ending.signal) },
    { now: () => at, ...(firstMs !== undefined && { firstMs }) },
  )
  const signal = new AbortController().signal
  const get = async (file: string) => {
    const played = await hls.open({ id: 1, edgeId: 1 }, 'principal', signal)
    return await serveHls(played, { file, signal })
  }
  const playlist = async () => {
    const text = await (await get('principal.m3u8')).text()
    const value = (tag: string) =>
      [...text.matchAll(new RegExp(`#${tag}:([0-9.]+)`, 'g'))].map(([, found]) => Number(found))
    const longest = Math.max(0, ...value('EXTINF').map(Math.round))
    const [target = 0] = value('EXT-X-TARGETDURATION')
    expect(longest).toBeLessThanOrEqual(target)
    return { target, ended: text.includes('#EXT-X-ENDLIST'), infs: value('EXTINF'), text }
  }
  const add = (...registros: readonly RegistroTransmissao[]) => {
    for (const one of registros) stream.window.add(one)
  }
  const pass = (ms: number) => {
    at += ms
  }
  return { add, get, playlist, pass }
}

it('keeps the target of a playlist, which ends when a group outgrows it; the next one allows long groups', async () => {
  const { add, get, playlist, pass } = open()
  add(inicio(2_000), ...group(0, 2), ...group(1, 2.25), parte(2, 0))
  const first = await playlist()
  expect(first).toMatchObject({ target: 2, ended: false, infs: [2, 2.25] })
  const longer = group(2, 60)
  for (const one of longer.slice(1, 9)) {
    add(one)
    expect(await playlist()).toMatchObject({ target: 2, ended: false })
  }
  // 2.5 s, rounded 3 s.
  add(...longer.slice(9))
  const last = await playlist()
  expect(last).toMatchObject({ target: 2, ended: true, infs: [2, 2.25, 2.25] })
  expect(last.text).not.toContain('p2.9.mp4')
  expect([...new Uint8Array(await (await get('s2.mp4')).arrayBuffer())]).toHaveLength(2 * 9)
  pass(14_999)
  expect((await playlist()).text).toBe(last.text)
  pass(1)
  expect(await playlist()).toMatchObject({ target: 300, ended: false, infs: [2, 2.25] })
  add(parte(3, 0))
  expect(await playlist()).toMatchObject({ target: 300, ended: false, infs: [2, 2.25, 60] })
})

it('begins a playlist with the first whole group if the edge does not know the interval of keyframes', async () => {
  const { add, playlist } = open()
  add(inicio(null), ...group(0, 4))
  const first = playlist()
  add(parte(1, 0))
  expect(await first).toMatchObject({ target: 4, ended: false, infs: [4] })
})

it('allows long groups if no group is whole in time', async () => {
  const { add, playlist } = open(0)
  add(inicio(null), ...group(0, 4))
  expect(await playlist()).toMatchObject({ target: 300, ended: false, infs: [] })
})
