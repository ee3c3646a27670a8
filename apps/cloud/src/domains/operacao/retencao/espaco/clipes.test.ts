import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Gravidade } from '@vigia/contracts/ias'
import { blankJpeg } from '@vigia/testing/blank-jpeg'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../../adapters/media-store/file-media-store.ts'
import { copyPath, findClipeOf } from '../../../../db/clipes.ts'
import type { Database } from '../../../../db/open.ts'
import { openTestDatabase } from '../../../../test/clouds/template.ts'
import { batch, candidate, seedCamera } from '../../../../test/records/records.ts'
import { DAY_MS, seedEvento } from '../../../../test/records/retention-records.ts'
import {
  fillWithLimit,
  forgetCount,
  hold,
  listPictures,
  readWaiting,
  usedBytes,
} from '../../../../test/stores/espaco-store.ts'
import { clipeState, clipeText } from '../../../eventos/eventos/clipe-text.ts'
import { viewGravacao } from '../../../video/clipes/gravacoes/view-gravacao.ts'
import { ingestBatch } from '../../ingestao/ingest-batch.ts'
import { checkBytes } from './check-bytes.ts'
import { countExisting } from './count-existing.ts'
import { createMediaSpace } from './media-space.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const KB = 1_000
const log = pino({ level: 'silent' })
let dir: string
let db: Database
let seeded: Awaited<ReturnType<typeof seedCamera>>
let seq = 0
const media = () => createFileMediaStore({ dir: join(dir, 'media') })
const deps = () => {
  const base = { db, media: media(), clock: { now: () => NOON }, log }
  return { ...base, space: createMediaSpace({ ...base, measure: () => null }) }
}
beforeEach(async () => {
  dir = temporaryFolder('vigia-espaco-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  seeded = await seedCamera(db)
  seq = 0
})
afterEach(async () => {
  expect(await checkBytes(db, media())).toEqual([])
  await db.destroy()
  await rm(dir, { recursive: true, force: true })
})

/** An event with small pictures, and with a stored clip. */
async function event(gravidade: Gravidade, clip?: number): Promise<number> {
  seq += 1
  const id = await seedEvento(
    { db, media: media(), ...seeded },
    NOON - DAY_MS + seq,
    clip === undefined ? {} : { clip },
  )
  await db.updateTable('eventos').set({ gravidade }).where('id', '=', id).execute()
  return id
}
const clipOf = async (id: number) => (await findClipeOf(db, id))?.clipe ?? null
const withClip = async (ids: readonly number[]) => {
  const kept: number[] = []
  for (const id of ids) if ((await clipOf(id))?.estado === 'guardado') kept.push(id)
  return kept
}
const withPicture = async () =>
  (await listPictures(db)).filter(({ crop_path }) => crop_path !== null).map(({ id }) => id)

/** Counts the files, and leaves this many bytes below the limit. */
async function leave(bytes: number): Promise<void> {
  await forgetCount(db)
  await countExisting(deps(), new AbortController().signal, 0)
  await fillWithLimit(db, seeded.empresaId, (await usedBytes(db, seeded.empresaId)) + bytes)
}
const waitingFor = (bytes: number, incoming: 'clipe' | 'gravacao' | 'copia' | 'imagem') =>
  deps().space.waiting(new Map([[seeded.empresaId, bytes]]), incoming)
const send = async (bytes: number) => {
  seq += 1
  const record = candidate(seeded.cameraId, seq, {
    crop: blankJpeg(bytes, randomUUID()),
    change: { ocorrido_em: NOON },
  })
  const ingested = await ingestBatch(deps(), seeded.edgeId, batch([record]))
  return ingested.ok ? ingested.respostas.map(({ resultado }) => resultado) : ingested
}

describe('clips of a full Empresa', () => {
  it('go before pictures, of the lowest severity first, then the oldest, and no more than needed', async () => {
    const severe = await event('critica', 10 * KB)
    const first = await event('baixa', 10 * KB)
    const second = await event('baixa', 10 * KB)
    const shared = await event('baixa')
    await db
      .insertInto('clipes_eventos')
      .values({ evento_id: shared, clipe_id: (await clipOf(severe))?.id ?? 0, deslocamento_ms: 0, motivo: null })
      .execute()
    await db.updateTable('eventos').set({ clipe_em: NOON }).where('id', '=', shared).execute()
    const all = [severe, first, second, shared]
    await leave(1 * KB)
    seq = 0
    expect(await send(5 * KB)).toEqual(['gravado'])
    expect(await withClip(all)).toEqual([severe, second, shared])
    const gone = await findClipeOf(db, first)
    expect(gone).toMatchObject({ clipe: null, motivo: 'espaco' })
    expect(clipeState({ clipe_em: null, passagem_id: null }, gone)).toBe('nunca')
    expect(clipeText({ clipe_em: null, passagem_id: null, veredito_decisao: null }, gone)).toContain('liberar espaço')
    // Then those of more severe events, before any picture.
    expect(await send(23 * KB)).toEqual(['gravado'])
    expect(await withClip(all)).toEqual([])
    expect(await withPicture()).toHaveLength(6)
  })

  it('stay with all pictures of an incidente in which one event is preserved', async () => {
    const held = await event('baixa', 10 * KB)
    const sibling = await event('baixa', 10 * KB)
    const { incidente_id } = await db
      .selectFrom('eventos')
      .select('incidente_id')
      .where('id', '=', held)
      .executeTakeFirstOrThrow()
    await db.updateTable('eventos').set({ incidente_id }).where('id', '=', sibling).execute()
    await hold(db, held, NOON + DAY_MS)
    await leave(0)
    seq = 0
    expect(await send(1 * KB)).toEqual(['fora_de_ordem'])
    expect([await withClip([held, sibling]), await withPicture()]).toEqual([
      [held, sibling],
      [held, sibling],
    ])
  })

  it('go for a new clip, and pictures do not: it waits, and events arrive', async () => {
    const first = await event('media', 10 * KB)
    const second = await event('alta', 10 * KB)
    await leave(0)
    const { empresaId } = seeded
    expect(await waitingFor(5 * KB, 'clipe')).toEqual(new Map())
    expect(await withClip([first, second])).toEqual([second])
    // As much as the limit: no picture may stay.
    const { limite_bytes } = await db
      .selectFrom('empresas')
      .select('limite_bytes')
      .where('id', '=', empresaId)
      .executeTakeFirstOrThrow()
    const waiting = await waitingFor(limite_bytes ?? 0, 'clipe')
    expect(waiting.get(empresaId)).toContain('clipes e gravações esperam')
    expect([await withClip([first, second]), await withPicture()]).toEqual([[], [first, second]])
    expect(await readWaiting(db, empresaId)).toMatchObject({ espera_motivo: 'clipes', espera_desde: NOON })
    seq = 0
    expect(await send(1 * KB)).toEqual(['gravado'])
    expect(await readWaiting(db, empresaId)).toMatchObject({ espera_motivo: 'clipes' })
    expect(await waitingFor(1 * KB, 'clipe')).toEqual(new Map())
    expect(await readWaiting(db, empresaId)).toMatchObject({ espera_motivo: null, espera_desde: null })
  })
})

describe('before the clips of a full Empresa', () => {
  it('its H.264 copies go, also of a preserved event, then files of gravações, then strips alone', async () => {
    const copied = await event('baixa', 10 * KB)
    await hold(db, copied, NOON + DAY_MS)
    const announced = await event('baixa', 10 * KB)
    const asked = await event('baixa', 10 * KB)
    const clip = await event('baixa', 10 * KB)
    const [own, unstored, file] = [await clipOf(copied), await clipOf(announced), await clipOf(asked)]
    await media().put(copyPath(own?.caminho ?? ''), Buffer.alloc(8 * KB))
    const copy = { copia_em: NOON, copia_tamanho: 8 * KB, copia_sha256: 'a'.repeat(64) }
    await db
      .updateTable('clipes')
      .set(copy)
      .where('id', '=', own?.id ?? 0)
      .execute()
    const tira = 'clipes/2026/11/21/tira.jpg'
    await media().put(tira, Buffer.alloc(6 * KB))
    await media().remove(unstored?.caminho ?? '')
    await db
      .updateTable('clipes')
      .set({ estado: 'na_caixa', tira })
      .where('id', '=', unstored?.id ?? 0)
      .execute()
    await db.updateTable('eventos').set({ clipe_em: null }).where('id', 'in', [announced, asked]).execute()
    await db.deleteFrom('clipes_eventos').where('evento_id', '=', asked).execute()
    const gravacao = await db
      .insertInto('gravacoes')
      .values({
        uuid: randomUUID(),
        empresa_id: seeded.empresaId,
        camera_id: seeded.cameraId,
        camera_nome: 'Portão',
        edge_id: seeded.edgeId,
        inicio: NOON - DAY_MS,
        fim: NOON,
        estado: 'recebida',
        progresso: 1,
        falha: null,
        clipe_id: file?.id ?? null,
        completa: 1,
        relogio_json: null,
        pedida_por: 'Ana',
        criada_em: NOON,
        vaga_login: null,
        vaga_gravador: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await leave(0)
    const state = async () => ({
      copy: (await clipOf(copied))?.copia_sha256 != null,
      file: (await media().size(file?.caminho ?? '')) !== null,
      strip: (await media().size(tira)) !== null,
      clips: await withClip([copied, clip]),
    })
    const clips = [copied, clip]
    expect(await waitingFor(1 * KB, 'gravacao')).toEqual(new Map())
    expect(await state()).toEqual({ copy: false, file: true, strip: true, clips })
    expect(await waitingFor(9 * KB, 'copia')).not.toEqual(new Map())
    expect(await readWaiting(db, seeded.empresaId)).toMatchObject({ espera_motivo: null })
    expect(await waitingFor(9 * KB, 'gravacao')).toEqual(new Map())
    expect(await state()).toEqual({ copy: false, file: false, strip: true, clips })
    expect(viewGravacao(gravacao, undefined)).toMatchObject({
      estado: 'falhou',
      detalhe: expect.stringContaining('liberar espaço'),
    })
    expect(await waitingFor(19 * KB, 'gravacao')).not.toEqual(new Map())
    expect(await waitingFor(19 * KB, 'clipe')).toEqual(new Map())
    expect(await state()).toEqual({ copy: false, file: false, strip: false, clips })
    expect(await waitingFor(25 * KB, 'clipe')).toEqual(new Map())
    expect(await state()).toEqual({ copy: false, file: false, strip: false, clips: [copied] })
  })
})
