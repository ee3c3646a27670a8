import type { MovimentoPtz } from '@vigia/contracts/ptz'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { createPtzClient } from '@vigia/rtsp/onvif-ptz'
import { freePort } from '@vigia/testing/free-port'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, expect, it } from 'vitest'

let recorder: RecorderProcess
let porta: number
afterEach(() => recorder?.close())

async function start(...argumentos: string[]) {
  porta = await freePort()
  recorder = await startRecorder({ argumentos: ['--onvif', String(porta), ...argumentos] })
}

/** A client as one edge has it. */
function client() {
  const ptz = createPtzClient()
  const { usuario, senha } = recorder
  const options = { allowed: parseAllowedCidrs('127.0.0.0/8'), signal: new AbortController().signal, prazoMs: 8_000 }
  const input = { host: '127.0.0.1', porta, usuario, senha, canal: 2 }
  return {
    run: (movimento: MovimentoPtz, more: object = {}) => ptz.run({ ...input, ...more }, movimento, options),
    presets: () => ptz.presets(input, options),
    isMoving: () => ptz.isMoving(input, options),
  }
}
const moving = { ok: true, moving: true }
const still = { ok: true, moving: false }

it('moves, stops, and goes to presets and to the home position', async () => {
  await start('--ptz', '--onvif-login', 'digest')
  const { run, presets, isMoving } = client()
  expect(await presets()).toEqual({
    ok: true,
    presets: [
      { preset: '1', nome: 'Portão' },
      { preset: '2', nome: 'Pátio' },
    ],
  })
  expect(await run({ acao: 'mover', x: -0.5, y: 0.25, zoom: 0 })).toEqual({ ok: true })
  expect(await isMoving()).toEqual(moving)
  expect(await run({ acao: 'parar' })).toEqual({ ok: true })
  expect(await isMoving()).toEqual(still)
  expect(await run({ acao: 'base' })).toEqual({ ok: false, falha: 'ptz_recusado' })
  expect(await run({ acao: 'definir_base' })).toEqual({ ok: true })
  expect(await run({ acao: 'base' })).toEqual({ ok: true })
  await waitFor('the home position', async () => (await isMoving()).ok && !(await recorder.counts()).ptz_em_movimento)
  expect(await run({ acao: 'preset', preset: '9' })).toEqual({ ok: false, falha: 'ptz_recusado' })
  expect(await run({ acao: 'preset', preset: '2' })).toEqual({ ok: true })
  const counts = await recorder.counts()
  expect(counts).toMatchObject({ ptz_movimentos: 1, ptz_vencidos: 0, ptz_paradas: 1, ptz_bases: 1, ptz_presets: 1 })
  expect([counts.ptz_prazo_max_ms, counts.onvif_logins_recusados]).toEqual([2_000, 0])
})

it('refuses a canal without PTZ and a wrong password, and knows a clock that is ahead', async () => {
  await start('--ptz', '--onvif-relogio=50000')
  const { run } = client()
  expect(await run({ acao: 'parar' }, { senha: 'errada' })).toEqual({ ok: false, falha: 'senha_recusada' })
  expect(await run({ acao: 'parar' }, { canal: 9 })).toEqual({ ok: false, falha: 'sem_ptz' })
  for (let i = 0; i < 2; i++) expect(await run({ acao: 'mover', x: 0, y: 0, zoom: 1 })).toEqual({ ok: true })
  expect((await recorder.counts()).onvif_logins_recusados).toBe(1)
})
