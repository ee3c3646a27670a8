import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { MovimentoPtz } from '@vigia/contracts/ptz'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { createPtzClient } from '@vigia/rtsp/onvif-ptz'
import { freePort } from '@vigia/testing/free-port'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProbeSlots } from '../capture/connection-slots.ts'
import { openEdgeDb } from '../db/edge-db.ts'
import { createAwayCameras } from '../supervisor/away-cameras.ts'
import { createHostSlots, createOwnSlots } from '../supervisor/host-slots.ts'
import { createPtzHandlers } from './ptz.ts'

let recorder: RecorderProcess
let porta: number
const file = join(temporaryFolder('vigia-ptz-'), 'edge.db')
const open = () => {
  const opened = openEdgeDb(file)
  if (!opened.ok) throw new Error('edge.db is in use')
  return opened.db
}
const db = open()
/** Changes of the position, in order. */
const changes: boolean[] = []
const away = createAwayCameras(db, { log: pino({ level: 'silent' }), onChange: () => changes.push(away.has(7)) })
const handlers = createPtzHandlers({
  ptz: createPtzClient(),
  allowed: parseAllowedCidrs('127.0.0.0/8'),
  away,
  isKnown: (id) => id === 7,
  slots: createProbeSlots(createOwnSlots(createHostSlots(2))),
  arrival: { everyMs: 20, attempts: 500 },
})

beforeAll(async () => {
  porta = await freePort()
  recorder = await startRecorder({ argumentos: ['--onvif', String(porta), '--ptz'] })
})
afterAll(async () => {
  handlers.stop()
  db.close()
  await recorder.close()
})

const run = (movimento: MovimentoPtz, change: object = {}) => {
  const { usuario, senha } = recorder
  const address = { host: '127.0.0.1', porta, canal: 1, usuario, senha }
  const { signal } = new AbortController()
  return handlers.mover_camera(
    { acao: 'mover_camera', camera_id: 7, ...address, movimento, ...change },
    { id: randomUUID(), signal, prazoMs: 8_000 },
  )
}
const move = { acao: 'mover', x: 1, y: 0, zoom: 0 } as const
const done = (fora: boolean) => ({ ok: true, resultado: { fora } })

it('counts a camera as away from its first move until it has arrived at its home position', async () => {
  expect(await run(move, { camera_id: 8 })).toEqual({ ok: false, falha: 'camera_desconhecida' })
  expect(await run({ acao: 'definir_base' })).toEqual(done(false))
  // A refused move changes nothing.
  expect(await run({ acao: 'preset', preset: '9' })).toEqual({ ok: false, falha: 'ptz_recusado' })
  expect(changes.splice(0)).toEqual([true, false])
  expect(await Promise.all([run(move), run({ acao: 'parar' })])).toEqual([done(true), done(true)])
  expect((await recorder.counts()).ptz_em_movimento).toBe(0)
  expect(await run({ acao: 'base' })).toEqual(done(false))
  expect(away.has(7)).toBe(true)
  // A new move on the way ends the return.
  expect(await run(move)).toEqual(done(true))
  expect(await run({ acao: 'base' })).toEqual(done(false))
  await waitFor('the home position', () => !away.has(7))
  expect(changes).toEqual([true, false])
})

it('is still away after a restart of the edge', async () => {
  await run(move)
  db.close()
  const reopened = open()
  const later = createAwayCameras(reopened, { log: pino({ level: 'silent' }), onChange: () => {} })
  expect([later.has(7), later.has(8)]).toEqual([true, false])
  reopened.close()
})
