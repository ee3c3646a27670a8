import { rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { prazosFixos } from '@vigia/contracts/retencao'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import { deleteDue } from '../../../db/hold-back/hold-back.ts'
import { dropLacunas } from '../../../db/lacunas.ts'
import type { Database } from '../../../db/open.ts'
import { queuedMessages } from '../../../test/espaco-store.ts'
import { seedCanal } from '../../../test/queue-records.ts'
import { seedCamera } from '../../../test/records.ts'
import { countSeeded, heldKinds, type SeededKind, seedInscricao, seedKind } from '../../../test/relogio-store.ts'
import { DAY_MS, type Seeded } from '../../../test/retention-records.ts'
import { openTestDatabase } from '../../../test/template.ts'
import { sweepDescartados } from '../../eventos/eventos/delete-descartados.ts'
import { pruneAvisos } from '../../mensagens/notificacoes/avisos-store.ts'
import { pruneDeliveries } from '../../mensagens/notificacoes/delivery-store.ts'
import { enqueueAviso } from '../../mensagens/notificacoes/enqueue-aviso.ts'
import { pruneEnvios } from '../../mensagens/push/store.ts'
import { dropPresences } from '../linha-do-tempo/presence-store.ts'
import { confirmHeld } from '../saude/relogio/store.ts'
import { reconcileMedia } from './conciliacao/reconcile-media.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const log = pino({ level: 'silent' })
let dir: string
let db: Database
let seeded: Seeded & { readonly canalId: number; readonly inscricaoId: number }

beforeEach(async () => {
  dir = temporaryFolder('vigia-retidos-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  const camera = await seedCamera(db)
  const media = createFileMediaStore({ dir: join(dir, 'media') })
  const canal = { empresa_id: camera.empresaId, destino: 'https://exemplo.com.br/a' }
  const { id: canalId } = await seedCanal(db, canal)
  seeded = { db, media, ...camera, canalId, inscricaoId: await seedInscricao(db) }
})
afterEach(async () => {
  await db.destroy()
  await rm(dir, { recursive: true, force: true })
})

const deps = () => ({ ...seeded, log, now: NOW, warn: enqueueAviso })
/** As each service sweeps. */
const sweeps: { readonly [K in SeededKind]: () => Promise<void> } = {
  descartados: () => sweepDescartados(deps(), NOW),
  presencas: () => deleteDue(deps(), { tipo: 'presencas' }, (due) => dropPresences(db, due)),
  entregas: () => deleteDue(deps(), { tipo: 'entregas' }, async (due) => void (await pruneDeliveries(db, due, 500))),
  avisos: () => deleteDue(deps(), { tipo: 'avisos' }, async (due) => void (await pruneAvisos(db, due, 500))),
  envios_push: () => deleteDue(deps(), { tipo: 'envios_push' }, async (due) => void (await pruneEnvios(db, due, 500))),
  lacunas_sem_camera: () => deleteDue(deps(), { tipo: 'lacunas_sem_camera' }, (due) => dropLacunas(db, due)),
}
const kinds = Object.keys(sweeps) as SeededKind[]

it.each(kinds)('%s: a sweep that would delete more than half waits for a confirmation', async (kind) => {
  await seedKind(seeded, kind, 101, NOW - (prazosFixos[kind] + 1) * DAY_MS)
  await seedKind(seeded, kind, 50, NOW)
  const before = await countSeeded(db, kind)
  await sweeps[kind]()
  await sweeps[kind]()
  const messages = await queuedMessages(db)
  expect(await heldKinds(db)).toEqual([kind])
  expect(messages.filter((message) => (message as { tipo?: string }).tipo === 'apagamento.retido')).toHaveLength(1)
  expect(await countSeeded(db, kind)).toBeGreaterThanOrEqual(before)
  await confirmHeld(db)
  await sweeps[kind]()
  expect(await heldKinds(db)).toEqual([])
  expect(await countSeeded(db, kind)).toBeLessThanOrEqual(51)
})

it.each(kinds)('%s: a usual sweep deletes old records alone', async (kind) => {
  await seedKind(seeded, kind, 100, NOW - (prazosFixos[kind] + 1) * DAY_MS)
  await seedKind(seeded, kind, 5, NOW - (prazosFixos[kind] - 1) * DAY_MS)
  await sweeps[kind]()
  expect([await countSeeded(db, kind), await heldKinds(db)]).toEqual([5, []])
})

it('waits in each root Empresa', async () => {
  const second = await seedCamera(db)
  await seedKind(seeded, 'presencas', 101, NOW - 401 * DAY_MS)
  await sweeps.presencas()
  const held = await db.selectFrom('apagamentos_retidos').select('empresa_id').orderBy('empresa_id').execute()
  expect(held.map(({ empresa_id }) => empresa_id)).toEqual([seeded.empresaId, second.empresaId])
})

it('deletes a gap of a camera that exists only by the rule of its Empresa', async () => {
  const gap = { edge_id: seeded.edgeId, camera_id: seeded.cameraId, ocorrido_de: null, ocorrido_ate: null }
  const old = { uuid: null, de_seq: 1, ate_seq: 1, motivo: 'cota_de_disco' as const, registrada_em: 1 }
  await db
    .insertInto('lacunas')
    .values({ ...gap, ...old })
    .execute()
  await sweeps.lacunas_sem_camera()
  expect(await countSeeded(db, 'lacunas_sem_camera')).toBe(1)
})

it('files without a record: the screen and a message report that most of them would go', async () => {
  const paths = Array.from({ length: 101 }, (_, n) => `eventos/2026/11/22/${crypto.randomUUID()}-${n}.jpg`)
  await seeded.media.putAll(paths.map((path) => ({ path, bytes: Buffer.from('x') })))
  const at = NOW / 1_000 - 2 * 86_400
  for (const path of paths) await utimes(join(dir, 'media', path), at, at)
  const options = { signal: new AbortController().signal, pause: 0, always: false }
  const reconcile = () => reconcileMedia({ ...deps(), clock: { now: () => NOW } }, options)
  expect(await reconcile()).toMatchObject({ orphans: 101, deleted: 0 })
  expect(await heldKinds(db)).toEqual(['arquivos'])
  expect(await queuedMessages(db)).toMatchObject([{ tipo: 'apagamento.retido' }])
})
