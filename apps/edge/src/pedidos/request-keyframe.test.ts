import { randomUUID } from 'node:crypto'
import { KEYFRAME_REQUEST_MS } from '@vigia/contracts/keyframes'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { freePort } from '@vigia/testing/free-port'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProbeSlots } from '../capture/connection-slots.ts'
import { createHostSlots, createOwnSlots } from '../supervisor/host-slots.ts'
import { createKeyframeHandler, createKeyframeTurns } from './request-keyframe.ts'

let recorder: RecorderProcess
let porta: number
let at = 0
const turns = createKeyframeTurns(() => at)

beforeAll(async () => {
  porta = await freePort()
  recorder = await startRecorder({ argumentos: ['--onvif', String(porta)] })
})
afterAll(() => recorder.close())

const url = (subtype: number) =>
  `rtsp://u:s@127.0.0.1:554/cam/realmonitor?channel=1&subtype=${subtype}&unicast=true&proto=Onvif`

const ask = (fluxos: readonly ('principal' | 'secundario')[], { camera_id = 7, sub = true } = {}) => {
  const fontes = { rtsp_url: url(0), sub_rtsp_url: sub ? url(1) : null }
  const handler = createKeyframeHandler({
    allowed: parseAllowedCidrs('127.0.0.0/8'),
    slots: createProbeSlots(createOwnSlots(createHostSlots(2))),
    turns,
    desired: { applied: { cameras: [{ desejada: { id: 7 }, task: { fontes } }] } } as never,
  })
  const { usuario, senha } = recorder
  const device = { host: '127.0.0.1', porta, canal: 1, usuario, senha }
  const { signal } = new AbortController()
  return handler(
    { acao: 'pedir_quadro_chave', camera_id, ...device, fluxos: [...fluxos] },
    { id: randomUUID(), signal, prazoMs: 8_000 },
  )
}
const done = (pedido: boolean) => ({ ok: true, resultado: { pedido } })
const asked = async () => (await recorder.counts()).sincronias

it('asks a device for the keyframes of a camera at most once each 30 s', async () => {
  expect(await ask(['principal'], { camera_id: 8 })).toEqual({ ok: false, falha: 'camera_desconhecida' })
  expect(await ask(['secundario'], { sub: false })).toEqual({ ok: false, falha: 'fluxo_inexistente' })
  expect(await asked()).toEqual([])
  expect(await Promise.all([ask(['secundario']), ask(['secundario'])])).toEqual([done(true), done(false)])
  at = KEYFRAME_REQUEST_MS - 1
  expect(await ask(['principal'])).toEqual(done(false))
  expect(turns.isDue(7)).toBe(false)
  expect(await asked()).toEqual(['1_sub'])
  at = KEYFRAME_REQUEST_MS
  expect(await ask(['principal', 'secundario'])).toEqual(done(true))
  expect((await asked())?.slice(1).sort()).toEqual(['1_principal', '1_sub'])
  turns.retain([7])
  expect(turns.isDue(7)).toBe(false)
  turns.retain([])
  expect(turns.isDue(7)).toBe(true)
})
