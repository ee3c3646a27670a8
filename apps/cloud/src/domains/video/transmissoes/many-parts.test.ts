import type { ParteTransmissao, RegistroTransmissao } from '@vigia/contracts/transmissao'
import { expect, it } from 'vitest'
import { createStreamWindow } from './stream-window.ts'
import { viewerFeed } from './viewer-feed.ts'

const PARTS = 147_000
/** Far above the need of running sums, far below that of a sum over the window for each part (30 s). */
const MOST_CPU_MS = 3_000

const descricao = { codecs: 'avc1.4d401f', largura: 640, altura: 360, fps: 10, gop_ms: 2000 }
const inicio: RegistroTransmissao = { tipo: 'inicio', descricao, dados: Uint8Array.of(1) }
const dados = new Uint8Array(32)

/** Small parts in segments of `length` parts. */
const parte = (number: number, length: number): ParteTransmissao => ({
  tipo: 'parte',
  chave: number % length === 0,
  indice: number % length,
  segmento: Math.floor(number / length),
  duracao: 90,
  instante: 1_800_000_000_000 + number,
  dados,
})

/** CPU time of this thread, ms. */
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

it.each([1, 900, 60_000])('takes 147,000 small parts in segments of %s parts without summing them again', (length) => {
  const window = createStreamWindow()
  window.add(inicio)
  const begun = cpuMs()
  for (let number = 0; number < PARTS; number++) window.add(parte(number, length))
  expect(cpuMs() - begun).toBeLessThan(MOST_CPU_MS)
})

it('feeds a viewer with each of many parts without summing the others again', async () => {
  const window = createStreamWindow()
  window.add(inicio)
  for (let number = 0; number < 8 * 900; number++) window.add(parte(number, 900))
  const leaving = new AbortController()
  const feed = viewerFeed(window, leaving.signal)
  const begun = cpuMs()
  let number = 8 * 900
  for (let read = 0; read < 20_000; read++) {
    window.add(parte(number++, 900))
    await feed.next()
  }
  expect(cpuMs() - begun).toBeLessThan(MOST_CPU_MS)
  leaving.abort()
})
