import type { RegistroTransmissao } from '@vigia/contracts/transmissao'
import { expect, it } from 'vitest'
import type { CaptureChild } from './child.ts'
import { createStreamOrders } from './stream-orders.ts'

const LACUNA: RegistroTransmissao = { tipo: 'lacuna' }
const PARTE: RegistroTransmissao = {
  ...({ tipo: 'parte', chave: true, indice: 0, segmento: 0, duracao: 1, instante: 0 } as const),
  dados: new Uint8Array(1),
}

it('knows which streams of a camera wait for a keyframe, and since when', () => {
  let at = 0
  const orders = createStreamOrders(() => at)
  const child = { send() {} } as unknown as CaptureChild
  const target = { onRecord() {}, onEnded() {} }
  const end = orders.start(child, { id: 'a', cameraId: 7, fluxo: 'principal', partMs: 250 }, target)
  orders.start(child, { id: 'b', cameraId: 8, fluxo: 'principal', partMs: 250 }, target)
  expect(orders.waiting(7)).toEqual([])
  at = 5_000
  orders.record('a', LACUNA)
  expect(orders.waiting(7)).toEqual([{ fluxo: 'principal', ms: 5_000 }])
  expect(orders.waiting(8)).toEqual([])
  at = 6_000
  orders.record('a', PARTE)
  expect(orders.waiting(7)).toEqual([])
  // A gap before the next part is no wait.
  orders.record('a', LACUNA)
  expect(orders.waiting(7)).toEqual([])
  at = 11_500
  orders.record('a', LACUNA)
  expect(orders.waiting(7)).toEqual([{ fluxo: 'principal', ms: 5_500 }])
  end()
  expect(orders.waiting(7)).toEqual([])
})
