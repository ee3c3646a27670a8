import type { ParteTransmissao, RegistroTransmissao } from '@vigia/contracts/transmissao'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeReload, playlistTiming, writePlaylist } from './playlist.ts'
import { MOST_PARTS, PART_BYTES } from './segment-list.ts'
import { createStreamWindow, type StreamWindow } from './stream-window.ts'

const EPOCH_MS = 1_800_000_000_000
const PARTS = 4
const descricao = { codecs: 'avc1.4d401f', largura: 640, altura: 360, fps: 10, gop_ms: 2000 }
const inicio = (dados = 1, figures: object = {}): RegistroTransmissao => ({
  tipo: 'inicio',
  descricao: { ...descricao, ...figures },
  dados: Uint8Array.of(dados),
})

/** A part of 500 ms; four of them are a segment. */
const parte = (segmento: number, indice: number, fromMs = EPOCH_MS): ParteTransmissao => ({
  tipo: 'parte',
  chave: indice === 0,
  indice,
  segmento,
  duracao: 45_000,
  instante: fromMs + (segmento * PARTS + indice) * 500,
  dados: Uint8Array.of(segmento, indice),
})
const segmento = (number: number, fromMs?: number) =>
  Array.from({ length: PARTS }, (_, indice) => parte(number, indice, fromMs))

function windowOf(...registros: readonly RegistroTransmissao[]): StreamWindow {
  const window = createStreamWindow()
  for (const registro of registros) window.add(registro)
  return window
}

const summary = ({ segments }: StreamWindow) =>
  segments.map(({ msn, parts, complete, discontinuity, init }) => [
    msn,
    parts.length,
    `${complete ? 'complete' : 'open'}${discontinuity ? ' broken' : ''}`,
    init.id,
  ])

const timing = { target: 2, part: 0.525 }
const timingOf = ({ segments: [first, ...others] }: StreamWindow, partMs = 500) => {
  if (!first) throw new Error('no segment')
  return playlistTiming([first, ...others], partMs)
}
const linesOf = (window: StreamWindow) => writePlaylist(window, timing)?.split('\n') ?? []

describe('the window', () => {
  it('holds segments of parts, and the newest one is open', () => {
    expect(summary(windowOf(inicio(), ...segmento(0), parte(1, 0)))).toEqual([
      [0, 4, 'complete', 0],
      [1, 1, 'open', 0],
    ])
  })

  it('waits for an init segment and for the beginning of a segment', () => {
    expect(summary(windowOf(...segmento(0), inicio(), parte(1, 2), parte(1, 3), parte(2, 0)))).toEqual([
      [0, 1, 'open', 0],
    ])
  })

  it('ignores what the edge repeats after a reconnection', () => {
    const window = windowOf(inicio(), ...segmento(0), parte(1, 0), parte(1, 1))
    for (const one of [inicio(), parte(1, 0), parte(1, 1), parte(1, 2)]) window.add(one)
    expect(summary(window)).toEqual([
      [0, 4, 'complete', 0],
      [1, 3, 'open', 0],
    ])
  })

  it.each<[string, readonly RegistroTransmissao[], number]>([
    ['a gap', [{ tipo: 'lacuna' }, parte(2, 0)], 0],
    ['a missing part', [parte(1, 1), parte(1, 3), parte(2, 0)], 0],
    ['a missing segment', [parte(3, 0)], 0],
    ['other parameters', [inicio(2), parte(2, 0)], 1],
    ['a restarted edge', [inicio(), parte(0, 0, EPOCH_MS + 60_000)], 0],
  ])('marks a discontinuity after %s', (_name, registros, init) => {
    const window = windowOf(inicio(), ...segmento(0), parte(1, 0), ...registros)
    expect(summary(window).slice(1)).toEqual([
      [1, expect.any(Number), 'complete', 0],
      [2, 1, 'open broken', init],
    ])
  })

  it('continues its numbers in another epoch', () => {
    const window = windowOf(inicio(), ...segmento(7))
    window.restart()
    for (const one of [inicio(), ...segmento(0, EPOCH_MS + 60_000)]) window.add(one)
    expect(summary(window)).toEqual([
      [0, 4, 'complete', 0],
      [1, 4, 'open broken', 1],
    ])
    expect(window.firstMsn).toBe(1)
  })

  it('removes the oldest segments while the others last 8 s, and counts their discontinuities', () => {
    const registros = Array.from({ length: 12 }, (_, i): RegistroTransmissao[] => [
      ...(i === 3 ? [{ tipo: 'lacuna' } as const] : []),
      ...segmento(i),
    ])
    const window = windowOf(inicio(), ...registros.flat())
    expect(window.segments.map(({ msn }) => msn)).toEqual([8, 9, 10, 11])
    expect(window.removedDiscontinuities).toBe(1)
  })

  it('holds at most eight segments, however short they are', () => {
    const window = windowOf(inicio(), ...Array.from({ length: 12 }, (_, number) => parte(number, 0)))
    expect(window.segments.map(({ msn }) => msn)).toEqual([4, 5, 6, 7, 8, 9, 10, 11])
  })

  it('waits for the next segment beyond the largest number of parts', () => {
    const many = Array.from({ length: MOST_PARTS + 2 }, (_, indice) => parte(0, indice))
    expect(summary(windowOf(inicio(), ...many, parte(1, 0)))).toEqual([
      [0, MOST_PARTS, 'complete', 0],
      [1, 1, 'open broken', 0],
    ])
  })

  it('never holds more bytes than its limit, whatever arrives', () => {
    const one = fc.oneof(
      fc.constantFrom<RegistroTransmissao>(inicio(1), inicio(2), { tipo: 'lacuna' }, { tipo: 'fim' }),
      fc
        .record({ segmento: fc.nat(5), indice: fc.nat(3), bytes: fc.nat(120) })
        .map(({ segmento, indice, bytes }) => ({ ...parte(segmento, indice), dados: new Uint8Array(bytes) })),
    )
    fc.assert(
      fc.property(fc.array(one, { maxLength: 60 }), (registros) => {
        const window = createStreamWindow({ maxSegments: 3, maxBytes: 1_000 })
        for (const registro of registros) {
          window.add(registro)
          const { segments } = window
          const bytes = segments.reduce(
            (sum, { init, parts }) =>
              sum + init.dados.length + parts.reduce((of, { dados }) => of + dados.length + PART_BYTES, 0),
            0,
          )
          expect(bytes).toBeLessThanOrEqual(1_000)
          expect(window.heldBytes).toBe(bytes)
          expect(segments.length).toBeLessThanOrEqual(3)
          for (const [index, { msn, parts, complete }] of segments.entries()) {
            expect(msn).toBe((segments[0]?.msn ?? 0) + index)
            expect(parts.map(({ indice }) => indice)).toEqual(parts.map((_, i) => i))
            expect(complete || index === segments.length - 1).toBe(true)
          }
        }
      }),
    )
  })

  it('says that it waits for a keyframe after a repeated gap, and after parts without their beginning', () => {
    const window = windowOf(inicio(), { tipo: 'lacuna' })
    expect(window.lacks).toBeNull()
    window.add({ tipo: 'lacuna' })
    expect(window.lacks).toBe('quadro_chave')
    window.add(parte(0, 0))
    expect(window.lacks).toBeNull()
    for (const one of [{ tipo: 'lacuna' } as const, parte(0, 1), parte(0, 2)]) window.add(one)
    expect(window.lacks).toBe('quadro_chave')
  })

  it('says that a group is larger than its memory, until the next keyframe', () => {
    const window = createStreamWindow({ maxBytes: 3 * PART_BYTES })
    for (const one of [inicio(), ...segmento(0)]) window.add(one)
    expect([summary(window), window.lacks]).toEqual([[], null])
    for (const one of [parte(0, 4), parte(0, 5)]) window.add(one)
    expect(window.lacks).toBe('memoria')
    window.add(parte(1, 0))
    expect([summary(window), window.lacks]).toEqual([[[1, 1, 'open broken', 0]], null])
  })

  it('holds a group of 300 s in parts of 250 ms', () => {
    const parts = Array.from({ length: 1_200 }, (_, indice) => ({ ...parte(0, indice), duracao: 22_500 }))
    expect(summary(windowOf(inicio(), ...parts))).toEqual([[0, 1_200, 'open', 0]])
  })

  it('notifies its listeners of every change until they leave', () => {
    const window = windowOf(inicio())
    let calls = 0
    const leave = window.subscribe(() => calls++)
    window.add(parte(0, 0))
    window.add({ tipo: 'lacuna' })
    leave()
    window.add(parte(1, 0))
    expect(calls).toBe(2)
  })
})

describe('the playlist', () => {
  it('lists segments, parts and the next part', () => {
    const window = windowOf(inicio(), ...segmento(0), { tipo: 'lacuna' }, parte(1, 0))
    expect(linesOf(window)).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:9',
      '#EXT-X-TARGETDURATION:2',
      '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.575',
      '#EXT-X-PART-INF:PART-TARGET=0.525',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-MEDIA-SEQUENCE:0',
      '#EXT-X-DISCONTINUITY-SEQUENCE:0',
      '#EXT-X-MAP:URI="init-0.mp4"',
      '#EXT-X-PROGRAM-DATE-TIME:2027-01-15T08:00:00.000Z',
      '#EXT-X-PART:DURATION=0.50000,URI="p0.0.mp4",INDEPENDENT=YES',
      '#EXT-X-PART:DURATION=0.50000,URI="p0.1.mp4"',
      '#EXT-X-PART:DURATION=0.50000,URI="p0.2.mp4"',
      '#EXT-X-PART:DURATION=0.50000,URI="p0.3.mp4"',
      '#EXTINF:2.00000,',
      's0.mp4',
      '#EXT-X-DISCONTINUITY',
      '#EXT-X-PROGRAM-DATE-TIME:2027-01-15T08:00:02.000Z',
      '#EXT-X-PART:DURATION=0.50000,URI="p1.0.mp4",INDEPENDENT=YES',
      '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="p1.1.mp4"',
      '',
    ])
  })

  it('has no segment before the first part, and ends with the stream', () => {
    expect(writePlaylist(windowOf(inicio()), timing)).toBeNull()
    expect(linesOf(windowOf(inicio(), ...segmento(0), { tipo: 'fim' })).at(-2)).toBe('#EXT-X-ENDLIST')
  })

  it('names a new init segment where it begins', () => {
    const lines = linesOf(windowOf(inicio(), ...segmento(0), inicio(2), ...segmento(1)))
    expect(lines.filter((line) => line.startsWith('#EXT-X-MAP'))).toEqual([
      '#EXT-X-MAP:URI="init-0.mp4"',
      '#EXT-X-MAP:URI="init-1.mp4"',
    ])
  })

  it.each([
    [10, 500, 2000, { target: 2, part: 0.525 }],
    [15, 250, 8000, { target: 8, part: 0.28 }],
    [25, 500, 1000, { target: 2, part: 0.546 }],
    [1, 250, 2100, { target: 3, part: 1.05 }],
    [null, 500, null, { target: 300, part: 0.525 }],
  ])('has targets for %s pictures a second, parts of %s ms, keyframes every %s ms', (fps, partMs, gop_ms, want) => {
    const window = windowOf(inicio(1, { fps, gop_ms }), parte(0, 0))
    expect(timingOf(window, partMs)).toEqual(want)
  })

  it('measures an unknown interval of keyframes in the first whole group', () => {
    const unknown = inicio(1, { gop_ms: null })
    const eight = Array.from({ length: 16 }, (_, indice) => parte(0, indice))
    expect(timingOf(windowOf(unknown, ...eight)).target).toBe(300)
    expect(timingOf(windowOf(unknown, ...eight, parte(1, 0))).target).toBe(8)
  })

  it('has the longest target for a stream with long groups, and the parts of its open segment only', () => {
    const group = (segmento: number) => Array.from({ length: 240 }, (_, indice) => parte(segmento, indice))
    const lines = linesOf(windowOf(inicio(), ...group(0), ...group(1).slice(0, 30)))
    expect(lines.filter((line) => line.startsWith('#EXT-X-PART:'))).toHaveLength(30)
    expect(lines).toContain('#EXTINF:120.00000,')
    expect(timingOf(windowOf(inicio(), ...group(0))).target).toBe(300)
    expect(timingOf(windowOf(inicio(), ...group(0), ...segmento(1))).target).toBe(300)
  })

  it('answers a blocking reload when it holds the part', () => {
    const window = windowOf(inicio(), ...segmento(0), parte(1, 0))
    const judge = (msn?: number, part?: number) => judgeReload(window, { msn, part })
    expect([judge(), judge(0), judge(0, 3), judge(0, 9), judge(1, 0)]).toEqual(Array(5).fill('agora'))
    expect([judge(1), judge(1, 1), judge(2, 0), judge(3)]).toEqual(Array(4).fill('esperar'))
    expect([judge(undefined, 1), judge(4)]).toEqual(['recusar', 'recusar'])
    window.add({ tipo: 'lacuna' })
    expect([judge(1), judge(1, 0), judge(1, 1)]).toEqual(['agora', 'agora', 'esperar'])
  })
})
