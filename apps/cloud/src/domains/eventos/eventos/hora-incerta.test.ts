import { join } from 'node:path'
import type { Evento } from '@vigia/contracts/eventos'
import type { Incidente, IncidenteDetalhe } from '@vigia/contracts/incidentes'
import type { Passagem } from '@vigia/contracts/passagens'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { batch, candidate } from '../../../test/records/records.ts'
import { ingestBatch } from '../../operacao/ingestao/ingest-batch.ts'

const HOUR = 3_600_000
const T0 = Date.UTC(2026, 10, 20)
const iso = (ms: number) => new Date(ms).toISOString()
const between = (de: number, ate: number) => ({ de: iso(de), ate: iso(ate) })
const uncertain = (at: number, ate: number) => ({ ocorrido_em: at, hora_incerta: { de: at, ate } })

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Padaria'))
const camera = fixture(() => backstage.camera(conta.empresaId))

beforeAll(async () => {
  const record = (seq: number, change: object) => candidate(camera.cameraId, seq, { crop: null, change })
  const records = [
    record(1, { ocorrido_em: T0 }),
    // The machine started twice without the time; its clock was 9 hours ahead at the first start.
    record(2, uncertain(T0 + 60_000, T0 + 5 * HOUR)),
    record(3, uncertain(T0 + 90_000, T0 + 6 * HOUR)),
    record(4, { ocorrido_em: T0 + 7 * HOUR }),
  ]
  const media = createFileMediaStore({ dir: join(app.dataDir, 'media') })
  const ingested = await ingestBatch({ db: backstage.db, media, clock: app.clock }, camera.edgeId, batch(records))
  expect(ingested.ok).toBe(true)
})

const events = () => conta.usuario.expect<Evento[]>(200, 'GET', '/api/v1/events')

it('is in the lists of events, in the order of the numbers, and absent where the time is known', async () => {
  const found = (await events()).toReversed()
  expect(found.map(({ ocorrido_em }) => ocorrido_em)).toEqual([T0, T0 + 60_000, T0 + 90_000, T0 + 7 * HOUR].map(iso))
  expect(found.map(({ hora_incerta }) => hora_incerta)).toEqual([
    undefined,
    between(T0 + 60_000, T0 + 5 * HOUR),
    between(T0 + 90_000, T0 + 6 * HOUR),
    undefined,
  ])
})

it('is of an incidente of its own, whose list keeps the order', async () => {
  const incidentes = await conta.usuario.expect<Incidente[]>(200, 'GET', '/api/v1/incidentes')
  expect(incidentes.map(({ hora_incerta }) => hora_incerta)).toEqual([
    undefined,
    between(T0 + 60_000, T0 + 6 * HOUR),
    undefined,
  ])
  const detail = await conta.usuario.expect<IncidenteDetalhe>(
    200,
    'GET',
    `/api/v1/incidentes/${incidentes[1]?.id ?? 0}`,
  )
  const ids = detail.lista.map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect(detail.lista).toMatchObject([{ hora_incerta: { de: iso(T0 + 60_000) } }, { hora_incerta: {} }])
})

it('is in a passage', async () => {
  const gate = await backstage.gateCamera(conta.empresaId)
  await backstage.passagem(gate, uncertain(T0, T0 + HOUR))
  const path = `/api/v1/passagens?camera_id=${gate.cameraId}`
  const [passagem] = await conta.admin.expect<Passagem[]>(200, 'GET', path)
  expect(passagem).toMatchObject({ hora_incerta: between(T0, T0 + HOUR) })
})
