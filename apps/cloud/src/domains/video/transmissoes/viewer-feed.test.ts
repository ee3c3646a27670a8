import type { ParteTransmissao, RegistroTransmissao } from '@vigia/contracts/transmissao'
import { expect, it } from 'vitest'
import { countedWindow } from '../../../test/stand-ins/counted-window.ts'
import { MOST_WINDOW_BYTES } from './segment-list.ts'
import { createStreamWindow } from './stream-window.ts'
import { type FeedLimits, viewerFeed } from './viewer-feed.ts'

const descricao = { codecs: 'avc1.4d401f', largura: 640, altura: 360, fps: 10, gop_ms: 2000 }
const inicio = (dados = 255): RegistroTransmissao => ({ tipo: 'inicio', descricao, dados: Uint8Array.of(dados) })
const parte = (segmento: number, indice: number, bytes = 2): ParteTransmissao => ({
  tipo: 'parte',
  chave: indice === 0,
  indice,
  segmento,
  duracao: 45_000,
  instante: 1_800_000_000_000 + segmento * 2000 + indice * 500,
  dados: Uint8Array.from({ length: bytes }, (_, i) => (i === 0 ? segmento : indice)),
})
const segmento = (number: number) => [0, 1, 2, 3].map((indice) => parte(number, indice))

/** A feed of a window, and the number of its listeners. */
function open(registros: readonly RegistroTransmissao[], limits: FeedLimits = {}) {
  const window = createStreamWindow()
  const { counted, listeners } = countedWindow(window)
  const add = (...more: readonly RegistroTransmissao[]) => {
    for (const one of more) window.add(one)
  }
  add(...registros)
  const left = new AbortController()
  const feed = viewerFeed(counted, left.signal, limits)
  /** The next message: a text, the number of an init segment, or `segment.part`. */
  const read = async () => {
    const { value, done } = await feed.next()
    if (done || typeof value === 'string') return value
    return value.length === 1 ? value[0] : `${value[0]}.${value[1]}`
  }
  const take = async (count: number) => {
    const taken: unknown[] = []
    while (taken.length < count) taken.push(await read())
    return taken
  }
  return { add, left, read, take, listeners }
}

const header = JSON.stringify({ tipo: 'inicio', codecs: 'avc1.4d401f', largura: 640, altura: 360 })
const skip = JSON.stringify({ tipo: 'salto' })

it('begins with the newest segment and continues with each part', async () => {
  const { add, read, take, listeners } = open([inicio(), ...segmento(0), parte(1, 0), parte(1, 1)])
  expect(await take(4)).toEqual([header, 255, '1.0', '1.1'])
  const waiting = read()
  expect(listeners()).toBe(1)
  add(parte(1, 2), parte(1, 3), parte(2, 0))
  expect([await waiting, ...(await take(2))]).toEqual(['1.2', '1.3', '2.0'])
  expect(listeners()).toBe(0)
})

it('sends a new init segment before the parts that need it', async () => {
  const { add, take } = open([inicio(), parte(0, 0)])
  expect(await take(3)).toEqual([header, 255, '0.0'])
  add(inicio(254), parte(1, 0))
  expect(await take(3)).toEqual([header, 254, '1.0'])
})

it.each<[string, number, FeedLimits]>([
  ['2 s', 2, {}],
  ['its limit of bytes', 100, { maxBehindMs: 60_000, maxBehindBytes: 200 }],
])('skips to the next keyframe beyond %s', async (_name, bytes, limits) => {
  const { add, read, take } = open([inicio(), parte(0, 0)], limits)
  await take(3)
  const caughtUp = read()
  add(parte(0, 1))
  expect(await caughtUp).toBe('0.1')
  add(parte(0, 2), parte(0, 3), parte(1, 0, bytes), parte(1, 1, bytes), parte(1, 2, bytes))
  expect(await take(3)).toEqual([skip, '1.0', '1.1'])
})

it('waits for a keyframe when the newest one was read', async () => {
  const { add, read, take } = open([inicio(), parte(0, 0)])
  await take(3)
  const caughtUp = read()
  add(parte(0, 1))
  await caughtUp
  add(...[2, 3, 4, 5, 6].map((indice) => parte(0, indice)))
  expect(await read()).toBe(skip)
  const waiting = read()
  add(parte(0, 7), parte(1, 0))
  expect(await waiting).toBe('1.0')
})

it('begins with a group of 120 s, and reads on in it however far behind it is', async () => {
  const group = Array.from({ length: 240 }, (_, indice) => parte(0, indice))
  const { add, read, take } = open([inicio(), ...group.slice(0, 200)])
  await take(2)
  expect((await take(200)).at(-1)).toBe('0.199')
  const caughtUp = read()
  add(...group.slice(200, 201))
  expect(await caughtUp).toBe('0.200')
  add(...group.slice(201))
  expect((await take(39)).at(-1)).toBe('0.239')
})

it('says once that no part can follow before a keyframe', async () => {
  const { add, read } = open([{ tipo: 'lacuna' }])
  const waiting = read()
  add({ tipo: 'lacuna' })
  expect(JSON.parse(String(await waiting))).toEqual({
    tipo: 'espera',
    detail: expect.stringContaining('sem quadro-chave'),
  })
  const next = read()
  add({ tipo: 'lacuna' }, inicio(), parte(0, 0))
  expect(await next).toBe(header)
})

it('says that the group under way is larger than the memory, and goes on at the next keyframe', async () => {
  const { add, read, take } = open([inicio(), parte(0, 0)])
  await take(3)
  const waiting = read()
  add(...[1, 2].map((indice) => parte(0, indice, MOST_WINDOW_BYTES / 2)), parte(0, 3), parte(0, 4))
  expect(JSON.parse(String(await waiting))).toEqual({ tipo: 'espera', detail: expect.stringContaining('32 MiB') })
  add(parte(1, 0))
  expect(await take(2)).toEqual([skip, '1.0'])
})

it('ends for a viewer that never catches up, with its reason', async () => {
  const { add, take, read } = open([inicio(), parte(0, 0)], { maxSkips: 2 })
  await take(3)
  add(...segmento(1), ...segmento(2))
  expect(await take(2)).toEqual([skip, '2.0'])
  add(...segmento(3), ...segmento(4))
  expect(await take(2)).toEqual([skip, '4.0'])
  add(...segmento(5), ...segmento(6))
  expect(await read()).toBe('lento')
})

it('ends with the stream and with the viewer, and leaves no listener', async () => {
  const ended = open([inicio(), parte(0, 0)])
  await ended.take(3)
  ended.add({ tipo: 'fim' })
  expect(await ended.read()).toBe('fim')
  const { left, take, read, listeners } = open([inicio(), parte(0, 0)])
  await take(3)
  const waiting = read()
  left.abort()
  expect(await waiting).toBe('saiu')
  expect(listeners()).toBe(0)
})
