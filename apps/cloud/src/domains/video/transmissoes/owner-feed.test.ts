import type { Causa } from '@vigia/contracts/causa'
import { decodeRegistro, type RegistroTransmissao } from '@vigia/contracts/transmissao'
import { expect, it } from 'vitest'
import { ownerFeed } from './owner-feed.ts'
import type { StreamEnd } from './stream-state.ts'
import { createStreamWindow } from './stream-window.ts'

const box = (type: string) => Uint8Array.from(Buffer.from(`\0\0\0\x08${type}`.padEnd(128, '\0'), 'latin1'))
const descricao = { codecs: 'avc1.4d401f', largura: 640, altura: 360, fps: 10, gop_ms: 1000 }
const inicio: RegistroTransmissao = { tipo: 'inicio', descricao, dados: box('ftyp') }
const parte = (segmento: number, indice: number): RegistroTransmissao => ({
  tipo: 'parte',
  chave: indice === 0,
  indice,
  segmento,
  duracao: 45_000,
  dados: box('moof'),
  instante: 1_800_000_000_000 + segmento * 1000 + indice * 500,
})

/** The feed of a window with these records, and of another epoch after them. */
function open(before: readonly RegistroTransmissao[], after: readonly RegistroTransmissao[] = []) {
  const window = createStreamWindow()
  for (const one of before) window.add(one)
  if (after.length > 0) window.restart()
  for (const one of after) window.add(one)
  const ending = new AbortController()
  let end: StreamEnd | null = null
  let causa: Causa | null = null
  const seat = {
    window,
    partMs: 250,
    ended: ending.signal,
    leave() {},
    get end() {
      return end
    },
    get causa() {
      return causa
    },
  }
  const feed = ownerFeed(seat, new AbortController().signal)
  const read = async () => {
    const { value, done } = await feed.next()
    if (done || typeof value === 'string') return value
    const registro = decodeRegistro(value)
    return registro?.tipo === 'parte' ? `${registro.segmento}.${registro.indice}` : registro?.tipo
  }
  const take = async (count: number) => {
    const taken: unknown[] = []
    while (taken.length < count) taken.push(await read())
    return taken
  }
  const stop = (reason: StreamEnd | null, seen: Causa | null) => {
    end = reason
    causa = seen
    ending.abort()
  }
  return { window, take, stop }
}

const partLength = '{"tipo":"inicio","parte_ms":250}'

it('begins with the newest complete segment', async () => {
  const { take } = open([inicio, parte(0, 0), parte(1, 0), parte(1, 1), parte(2, 0)])
  expect(await take(5)).toEqual([partLength, 'inicio', '1.0', '1.1', '2.0'])
})

it('sends no segment of an earlier epoch', async () => {
  const { take } = open([inicio, parte(0, 0), parte(1, 0)], [inicio, parte(0, 0)])
  expect(await take(3)).toEqual([partLength, 'inicio', '0.0'])
})

it('sends a gap to a slow reader, and its next keyframe', async () => {
  const { window, take } = open([inicio, parte(0, 0)])
  await take(3)
  // The reader has caught up when it waits for the next part.
  const next = take(1)
  window.add(parte(0, 1))
  expect(await next).toEqual(['0.1'])
  for (let segmento = 1; segmento < 6; segmento++) window.add(parte(segmento, 0))
  expect(await take(2)).toEqual(['lacuna', '5.0'])
})

it.each([
  ['a failure of the stream', 'sem_conexao_livre', null, ['{"tipo":"fim","falha":"sem_conexao_livre"}', 'fim']],
  [
    'the answer of the device',
    'fluxo_inexistente',
    { motivo: 'nao_encontrado', complemento: null },
    ['{"tipo":"fim","falha":"fluxo_inexistente","causa":{"motivo":"nao_encontrado","complemento":null}}', 'fim'],
  ],
  ['nothing when another replica owns it', null, null, ['fim']],
] as const)('ends with %s', async (_name, reason, causa, want) => {
  const { take, stop } = open([inicio, parte(0, 0)])
  await take(3)
  stop(reason, causa)
  expect(await take(want.length)).toEqual(want)
})

it('passes on that the edge has ended the stream', async () => {
  const { take } = open([inicio, parte(0, 0), { tipo: 'fim' }])
  expect((await take(5)).slice(2)).toEqual(['0.0', 'fim', 'fim'])
})
