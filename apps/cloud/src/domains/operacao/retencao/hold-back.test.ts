import { rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { prazosFixos, regrasRetencao } from '@vigia/contracts/retencao'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import type { Database } from '../../../db/open.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { seedCanal } from '../../../test/records/queue-records.ts'
import { seedCamera } from '../../../test/records/records.ts'
import { DAY_MS, type Seeded } from '../../../test/records/retention-records.ts'
import { queuedMessages } from '../../../test/stores/espaco-store.ts'
import {
  countOwn,
  countSeeded,
  heldKinds,
  keepEventos,
  ownKinds,
  type SeededKind,
  seededKinds,
  seedInscricao,
  seedKind,
  seedOldEventos,
  seedOwnKind,
} from '../../../test/stores/relogio-store.ts'
import { sweepInstallation } from '../../../test/walks/aged-sweeps.ts'
import { enqueueAviso } from '../../mensagens/notificacoes/enqueue-aviso.ts'
import { confirmHeld } from '../saude/relogio/store.ts'
import { reconcileMedia } from './conciliacao/reconcile-media.ts'
import { sweepEmpresa } from './sweep-empresa.ts'

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
const sweep = (kind: SeededKind) => sweepInstallation(deps(), kind)

it.each(seededKinds)('%s: a sweep that would delete more than half waits for a confirmation', async (kind) => {
  await seedKind(seeded, kind, 101, NOW - (prazosFixos[kind] + 1) * DAY_MS)
  await seedKind(seeded, kind, 50, NOW)
  const before = await countSeeded(db, kind)
  await sweep(kind)
  await sweep(kind)
  const messages = await queuedMessages(db)
  expect(await heldKinds(db)).toEqual([kind])
  expect(messages.filter((message) => (message as { tipo?: string }).tipo === 'apagamento.retido')).toHaveLength(1)
  expect(await countSeeded(db, kind)).toBeGreaterThanOrEqual(before)
  await confirmHeld(db)
  await sweep(kind)
  expect(await heldKinds(db)).toEqual([])
  expect(await countSeeded(db, kind)).toBeLessThanOrEqual(51)
})

it.each(seededKinds)('%s: a usual sweep deletes old records alone', async (kind) => {
  await seedKind(seeded, kind, 100, NOW - (prazosFixos[kind] + 1) * DAY_MS)
  await seedKind(seeded, kind, 5, NOW - (prazosFixos[kind] - 1) * DAY_MS)
  await sweep(kind)
  expect([await countSeeded(db, kind), await heldKinds(db)]).toEqual([5, []])
})

it('waits in each root Empresa', async () => {
  const second = await seedCamera(db)
  await seedKind(seeded, 'presencas', 101, NOW - 401 * DAY_MS)
  await sweep('presencas')
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
  await sweep('lacunas_sem_camera')
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

const sweepOwn = () =>
  sweepEmpresa({ ...seeded, log, clock: { now: () => NOW } }, seeded.empresaId, new AbortController().signal)

it.each(ownKinds)('%s of an Empresa: a sweep that would delete more than half waits', async (kind) => {
  await keepEventos(db, seeded.empresaId)
  await seedOwnKind(seeded, kind, 101, NOW - (regrasRetencao[kind].padrao + 1) * DAY_MS)
  await seedOwnKind(seeded, kind, 50, NOW)
  await sweepOwn()
  expect([await heldKinds(db), await countOwn(db, kind)]).toEqual([[kind], 151])
  await confirmHeld(db)
  await sweepOwn()
  expect([await heldKinds(db), await countOwn(db, kind)]).toEqual([[], 50])
})

describe('does not wait for old records that a sweep keeps', () => {
  it('events without an answer', async () => {
    await seedOldEventos(seeded, { old: 101, young: 5, at: NOW })
    await db.updateTable('incidentes').set({ resposta: null }).execute()
    await db.deleteFrom('alertas').execute()
    await sweepOwn()
    expect(await heldKinds(db)).toEqual([])
  })

  it('preserved events, pictures and clips', async () => {
    await seedOwnKind(seeded, 'imagens', 101, NOW - 91 * DAY_MS)
    await seedOwnKind(seeded, 'clipes', 101, NOW - 91 * DAY_MS)
    await db.deleteFrom('alertas').execute()
    const eventos = await db.selectFrom('eventos').select('id').execute()
    const clipes = await db.selectFrom('clipes').select('id').execute()
    const hold = { motivo: 'x', ate: NOW + DAY_MS, por: 'Ana', desde: NOW }
    await db
      .insertInto('preservacoes')
      .values(eventos.map(({ id }) => ({ ...hold, evento_id: id })))
      .execute()
    await db
      .insertInto('clipes_eventos')
      .values(
        eventos.map(({ id }, i) => ({
          evento_id: id,
          clipe_id: clipes[i]?.id ?? null,
          deslocamento_ms: 0,
          motivo: null,
        })),
      )
      .execute()
    await sweepOwn()
    expect(await heldKinds(db)).toEqual([])
  })

  it('events whose lines of the alert log are gone', async () => {
    const rule = { empresa_id: seeded.empresaId, tipo: 'eventos', dias: 3_650, bytes: null } as const
    await db.insertInto('retencoes').values(rule).execute()
    await seedOldEventos(seeded, { old: 101, young: 5, at: NOW })
    await sweepOwn()
    expect(await heldKinds(db)).toEqual(['alertas'])
    await confirmHeld(db)
    await sweepOwn()
    await sweepOwn()
    expect(await heldKinds(db)).toEqual([])
  })

  it('gaps that late events may fill', async () => {
    await seedOwnKind(seeded, 'lacunas', 101, NOW - 366 * DAY_MS)
    await db.updateTable('lacunas').set({ motivo: 'a_caminho' }).execute()
    await sweepOwn()
    expect(await heldKinds(db)).toEqual([])
  })
})
