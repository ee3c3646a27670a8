import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import { auditChange, sistema } from '../../../audit/audit-change.ts'
import { createHeavyReads } from '../../../db/heavy-reads/heavy-reads.ts'
import type { Database } from '../../../db/open.ts'
import { operatorCaller } from '../../../test/clients/operator-caller.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { seedCamera } from '../../../test/records/records.ts'
import { DAY_MS, expectNoOrphans, type Seeded, seedEvento } from '../../../test/records/retention-records.ts'
import { expectCountsRight } from '../../../test/stores/recount-store.ts'
import { countRetencao } from './count-retencao.ts'
import { savePreservacao, saveRule } from './store.ts'
import { sweepEmpresa } from './sweep-empresa.ts'

const log = pino({ level: 'silent' })
const NOW = 1_790_000_000_000
let dir: string
let db: Database
let seeded: Seeded
beforeEach(async () => {
  dir = temporaryFolder('vigia-retention-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  seeded = { db, media: createFileMediaStore({ dir: join(dir, 'media') }), ...(await seedCamera(db)) }
})
afterEach(async () => {
  await expectCountsRight(db)
  await expectNoOrphans(seeded)
  await db.destroy()
  await rm(dir, { recursive: true, force: true })
})

const sweep = (now = NOW) =>
  sweepEmpresa({ ...seeded, log, clock: { now: () => now } }, seeded.empresaId, new AbortController().signal)
const ids = async () => (await db.selectFrom('eventos').select('id').orderBy('id').execute()).map(({ id }) => id)
const event = (id: number) => db.selectFrom('eventos').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const rule = (values: Partial<Parameters<typeof saveRule>[1]> & Pick<Parameters<typeof saveRule>[1], 'tipo'>) =>
  saveRule(db, { empresa_id: seeded.empresaId, dias: null, bytes: null, ...values })
const hold = (evento_id: number, days: number) =>
  savePreservacao(db, { evento_id, motivo: 'x', ate: NOW + days * DAY_MS, por: 'Ana', desde: NOW })

it('deletes answered incidentes after their age, unanswered ones after twice the age, and no held ones', async () => {
  const old = await seedEvento(seeded, NOW - 91 * DAY_MS, { resposta: 'falso' })
  const trained = await seedEvento(seeded, NOW - 95 * DAY_MS, { resposta: 'falso', isTraining: true })
  const unanswered = await seedEvento(seeded, NOW - 91 * DAY_MS)
  const twice = await seedEvento(seeded, NOW - 181 * DAY_MS)
  const held = await seedEvento(seeded, NOW - 400 * DAY_MS, { resposta: 'falso' })
  const expired = await seedEvento(seeded, NOW - 400 * DAY_MS, { resposta: 'falso' })
  const young = await seedEvento(seeded, NOW - 89 * DAY_MS, { resposta: 'falso' })
  await hold(held, 1)
  await hold(expired, -1)
  // Without a file: on the connection of the test.
  const deps = { db, reads: createHeavyReads({ db, file: null }), clock: { now: () => NOW } }
  const { signal } = new AbortController()
  const counted = await countRetencao(deps, operatorCaller, seeded.empresaId, {}, signal)
  expect(counted).toEqual({ eventos: 4, imagens: 5, clipes: 0 })
  const change = { eventos: { dias: 40 }, imagens: { dias: 10 } }
  const shorter = await countRetencao(deps, operatorCaller, seeded.empresaId, change, signal)
  expect(shorter).toEqual({ eventos: 6, imagens: 6, clipes: 0 })
  await sweep()
  expect(await ids()).toEqual([unanswered, held, young])
  expect([old, trained, twice, expired].every((id) => id > 0)).toBe(true)
  const found = [
    ...(await db.selectFrom('busca_eventos').select('alvo_id as id').execute()),
    ...(await db.selectFrom('alertas').select('evento_id as id').execute()),
  ]
  expect([...new Set(found.map(({ id }) => id))].sort((a, b) => a - b)).toEqual([unanswered, held, young])
  const removed = await db.selectFrom('apagados_retencao').selectAll().where('tipo', '=', 'eventos').execute()
  expect(removed).toMatchObject([{ quantos: 4, de: NOW - 400 * DAY_MS, ate: NOW - 91 * DAY_MS }])
})

it('deletes clips and pictures before their events, except of a preserved event', async () => {
  await rule({ tipo: 'imagens', dias: 10 })
  const old = await seedEvento(seeded, NOW - 31 * DAY_MS, { clip: 100 })
  const held = await seedEvento(seeded, NOW - 31 * DAY_MS, { clip: 100 })
  const young = await seedEvento(seeded, NOW - 9 * DAY_MS, { clip: 100 })
  const sibling = await seedEvento(seeded, NOW - 31 * DAY_MS, { clip: 100 })
  const { incidente_id } = await event(held)
  await db.updateTable('eventos').set({ incidente_id }).where('id', '=', sibling).execute()
  await hold(held, 1)
  await sweep()
  expect(await ids()).toEqual([old, held, young, sibling])
  expect(await event(old)).toMatchObject({ crop_path: null, quadro_path: null, clipe_em: null, midia_bytes: 0 })
  // A hold keeps the whole incidente.
  for (const id of [held, sibling, young])
    expect(await event(id)).toMatchObject({ crop_path: expect.any(String), clipe_em: expect.any(Number) })
  const member = await db.selectFrom('clipes_eventos').selectAll().where('evento_id', '=', old).executeTakeFirst()
  expect(member).toMatchObject({ clipe_id: null, motivo: 'prazo' })
})

it('keeps below the size limit with the oldest first, and never breaks a hold', async () => {
  const all: number[] = []
  for (const day of [5, 4, 3, 2]) all.push(await seedEvento(seeded, NOW - day * DAY_MS, { clip: 100 }))
  const [first = 0, second, third, fourth] = all
  await hold(first, 1)
  await rule({ tipo: 'clipes', bytes: 250 })
  await sweep()
  const withClip = await db.selectFrom('eventos').select('id').where('clipe_em', 'is not', null).execute()
  expect(withClip.map(({ id }) => id)).toEqual([first, fourth])
  expect((await event(third ?? 0)).crop_path).not.toBeNull()
  const { midia_bytes } = await event(second ?? 0)
  await rule({ tipo: 'imagens', bytes: 2 * Number(midia_bytes) })
  await sweep()
  const withPicture = await db.selectFrom('eventos').select('id').where('crop_path', 'is not', null).execute()
  expect(withPicture.map(({ id }) => id)).toEqual([first, fourth])
})

it('deletes alert lines, audit records, hand-overs, outages and gaps after their own ages', async () => {
  for (const tipo of ['alertas', 'quedas', 'lacunas'] as const) await rule({ tipo, dias: 10 })
  const { empresaId, cameraId, edgeId } = seeded
  const evento = await seedEvento(seeded, NOW - 11 * DAY_MS)
  for (const days of [731, 729])
    await auditChange(db, NOW - days * DAY_MS, sistema, {
      acao: 'criar',
      objeto: 'camera',
      id: days,
      nome: null,
      empresaId,
      antes: null,
      depois: { nome: 'x' },
    })
  const queda = { empresa_id: empresaId, edge_id: edgeId, nome: 'Caixa', motivo: 'x' }
  for (const [camera_id, fim] of [
    [1, NOW - 11 * DAY_MS],
    [2, NOW - DAY_MS],
    [3, null],
  ] as const)
    await db
      .insertInto('quedas')
      .values({ ...queda, camera_id, inicio: NOW - 20 * DAY_MS, fim })
      .execute()
  const gap = { uuid: null, edge_id: edgeId, camera_id: cameraId, ocorrido_de: null, ocorrido_ate: null }
  for (const [seq, motivo] of [
    [1, 'cota_de_disco'],
    [2, 'a_caminho'],
  ] as const)
    await db
      .insertInto('lacunas')
      .values({ ...gap, de_seq: seq, ate_seq: seq, motivo, registrada_em: NOW - 11 * DAY_MS })
      .execute()
  for (const [texto, days] of [
    ['velha', 91],
    ['nova', 89],
  ] as const)
    await db
      .insertInto('passagens_de_turno')
      .values({ empresa_id: empresaId, autor: 'ana', texto, em: NOW - days * DAY_MS })
      .execute()
  await sweep()
  expect(await ids()).toEqual([evento])
  expect(await db.selectFrom('passagens_de_turno').select('texto').execute()).toEqual([{ texto: 'nova' }])
  expect(await db.selectFrom('alertas').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('auditoria').select('objeto_id').execute()).toEqual([{ objeto_id: 729 }])
  expect(await db.selectFrom('quedas').select('camera_id').execute()).toEqual([{ camera_id: 2 }, { camera_id: 3 }])
  expect(await db.selectFrom('lacunas').select('de_seq').execute()).toEqual([{ de_seq: 2 }])
  await expect(db.deleteFrom('auditoria').execute()).rejects.toThrow('append-only')
})
