import { join } from 'node:path'
import type { Candidato } from '@vigia/contracts/candidate'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import type { Database } from '../../../db/open.ts'
import { saveSilencio } from '../../../db/silencios.ts'
import { giveVerdict, openTempDatabase, type TempDatabase } from '../../../test/records/queue-records.ts'
import { batch, candidate, seedCamera, seedOneCamera } from '../../../test/records/records.ts'
import { expectIncidentesRight } from '../../../test/stores/incidentes-store.ts'
import { ingestBatch } from '../../operacao/ingestao/ingest-batch.ts'

/** Start of the events, and of the cloud's clock. */
const START = Date.UTC(2026, 10, 21, 12)
let temp: TempDatabase
let db: Database
let media: MediaStore
let origin: Awaited<ReturnType<typeof seedCamera>>
let seq: number
let now: number

beforeEach(async () => {
  temp = await openTempDatabase()
  db = temp.db
  media = createFileMediaStore({ dir: join(temp.dir, 'media') })
  origin = await seedCamera(db)
  seq = 0
  now = START
})
afterEach(async () => {
  await expectIncidentesRight(db)
  await temp.close()
})

/** Sends events of the camera in one batch, `atS` seconds after the start. */
async function send(...events: ({ readonly atS: number } & Partial<Candidato>)[]): Promise<number[]> {
  const records = events.map(({ atS, ...change }) => {
    seq += 1
    return candidate(origin.cameraId, seq, { change: { ocorrido_em: START + atS * 1000, ...change } })
  })
  const uuids = records.map(({ id }) => id)
  const ingested = await ingestBatch({ db, media, clock: { now: () => now } }, origin.edgeId, batch(records))
  if (!ingested.ok) throw new Error(ingested.motivo)
  const rows = await db.selectFrom('eventos').select(['id', 'uuid']).where('uuid', 'in', uuids).execute()
  return uuids.map((uuid) => rows.find((row) => row.uuid === uuid)?.id ?? 0)
}
/** The incidente of each event. */
const incidentesOf = async (ids: readonly number[]) => {
  const rows = await db.selectFrom('eventos').select(['id', 'incidente_id']).where('id', 'in', ids).execute()
  return ids.map((id) => rows.find((row) => row.id === id)?.incidente_id)
}
const incidentes = () => db.selectFrom('incidentes').selectAll().orderBy('id').execute()
const lines = async () => {
  const rows = await db.selectFrom('alertas').selectAll().where('tipo', '=', 'incidente').orderBy('seq').execute()
  return rows.map(({ incidente_id }) => incidente_id)
}

describe('a batch of events', () => {
  it('is divided into incidentes by time', async () => {
    const ids = await send({ atS: 0, ia: 'fogo' }, { atS: 100 }, { atS: 221 }, { atS: 230 })
    expect(await incidentesOf(ids)).toEqual([1, 1, 2, 2])
    expect(await incidentes()).toMatchObject([
      { inicio: START, fim: START + 100_000, gravidade: 'critica', tipos: '|fogo|invasao|', eventos: 2, versao: 1 },
      { inicio: START + 221_000, fim: START + 230_000, gravidade: 'alta', tipos: '|invasao|', capa_evento_id: ids[3] },
    ])
    expect(await lines()).toEqual([1, 2])
  })

  it('is divided by what is graver and of another IA; what follows joins the graver one', async () => {
    const ids = await send({ atS: 0, ia: 'veiculo' }, { atS: 10, ia: 'fogo' }, { atS: 20, ia: 'veiculo' })
    expect(await incidentesOf(ids)).toEqual([1, 2, 2])
    expect((await incidentes()).map(({ capa_evento_id }) => capa_evento_id)).toEqual([ids[0], ids[1]])
  })

  it('of an uncertain time opens incidentes of its own, with the span of its events', async () => {
    const [known] = await send({ atS: 0 })
    const uncertain = (atS: number, hours: number) => {
      const de = START + atS * 1000
      return { atS, hora_incerta: { de, ate: de + hours * 3_600_000 } }
    }
    const ids = await send(uncertain(30, 24), uncertain(60, 25))
    expect(await incidentesOf([known ?? 0, ...ids])).toEqual([1, 2, 2])
    expect(await incidentes()).toMatchObject([
      { eventos: 1, hora_de: null, hora_ate: null },
      { inicio: START + 30_000, hora_de: START + 30_000, hora_ate: START + 60_000 + 25 * 3_600_000 },
    ])
    const rows = await db.selectFrom('eventos').select(['retroativo', 'hora_de', 'hora_ate']).orderBy('id').execute()
    expect(rows.slice(1)).toMatchObject([
      { retroativo: 1, hora_de: START + 30_000, hora_ate: START + 30_000 + 24 * 3_600_000 },
      { retroativo: 1, hora_de: START + 60_000 },
    ])
  })

  it('joins stored incidentes, also late and before their start', async () => {
    const [first] = await send({ atS: 100 })
    const [late, next] = await send({ atS: 0 }, { atS: 210 })
    expect(await incidentesOf([first ?? 0, late ?? 0, next ?? 0])).toEqual([1, 1, 1])
    expect(await incidentes()).toMatchObject([{ inicio: START, fim: START + 210_000, capa_evento_id: next, versao: 2 }])
  })

  it('keeps the events of one track in one incidente, across batches and pauses', async () => {
    const ids = [
      ...(await send({ atS: 0, trilha: 'a-1' })),
      ...(await send({ atS: 3600, trilha: 'a-1' }, { atS: 3605 })),
    ]
    expect(await incidentesOf(ids)).toEqual([1, 1, 2])
  })

  it('keeps the cameras apart', async () => {
    const other = await seedOneCamera(db, origin.empresaId, origin.edgeId)
    const mine = await send({ atS: 0, trilha: 'a-1' })
    origin = { ...origin, cameraId: other }
    seq = 0
    expect(await incidentesOf([...mine, ...(await send({ atS: 1, trilha: 'a-1' }))])).toEqual([1, 2])
  })

  it('announces further events at most once a second, and a higher severity at once', async () => {
    await send({ atS: 0, ia: 'permanencia', trilha: 'a' })
    now += 500
    await send({ atS: 1, ia: 'permanencia' })
    expect(await lines()).toEqual([1])
    await send({ atS: 2, ia: 'invasao', trilha: 'a' })
    expect(await lines()).toEqual([1, 1])
    now += 1000
    await send({ atS: 3 })
    expect(await lines()).toEqual([1, 1, 1])
  })
})

describe('a verdict', () => {
  it('makes the gravest event that is not refuted the cover, and of several the newest', async () => {
    const ids = await send({ atS: 0, ia: 'fogo' }, { atS: 10 }, { atS: 20 }, { atS: 30 })
    const [fire, b, c, d] = ids.map((id) => id ?? 0)
    await giveVerdict(db, b ?? 0)
    expect(await incidentes()).toMatchObject([{ situacao: 'confirmado', capa_evento_id: fire }])
    await giveVerdict(db, fire ?? 0, 'refutado')
    expect(await incidentes()).toMatchObject([{ capa_evento_id: d, inicio: START + 10_000, refutados: 1 }])
    await giveVerdict(db, d ?? 0, 'refutado')
    expect(await incidentes()).toMatchObject([{ capa_evento_id: c, pendentes: 1, confirmados: 1 }])
    expect(await lines()).toEqual([1, 1, 1, 1])
  })

  it('removes a refuted event from span, severity and types', async () => {
    const [fire] = await send({ atS: 0, ia: 'fogo' }, { atS: 60 })
    await giveVerdict(db, fire ?? 0, 'refutado')
    const values = { inicio: START + 60_000, gravidade: 'alta', tipos: '|invasao|', situacao: 'pendente' }
    expect(await incidentes()).toMatchObject([values])
  })

  it('that refutes all events leaves a span that no further event joins', async () => {
    const [first] = await send({ atS: 0 })
    await giveVerdict(db, first ?? 0, 'refutado')
    expect(await incidentes()).toMatchObject([{ situacao: 'refutado', inicio: START, fim: START }])
    expect(await incidentesOf(await send({ atS: 5 }))).toEqual([2])
  })

  it('that refutes all events is undone by an event of the same track', async () => {
    const [first] = await send({ atS: 0, trilha: 'a-1' })
    await giveVerdict(db, first ?? 0, 'refutado')
    const [again] = await send({ atS: 300, trilha: 'a-1' })
    expect(await incidentesOf([again ?? 0])).toEqual([1])
    const values = { situacao: 'pendente', inicio: START + 300_000, fim: START + 300_000, capa_evento_id: again }
    expect(await incidentes()).toMatchObject([values])
  })

  it('on an event of an earlier release changes no incidente', async () => {
    const [first] = await send({ atS: 0 })
    await db.updateTable('eventos').set({ incidente_id: null }).execute()
    await db.deleteFrom('incidentes').execute()
    await giveVerdict(db, first ?? 0)
    expect(await lines()).toEqual([1])
    await db.deleteFrom('eventos').execute()
  })
})

describe('an incidente of a silenced camera', () => {
  it('is marked only if it opens during the silence', async () => {
    const silencio = { camera_id: origin.cameraId, desde: START, por_username: 'rui', por_usuario_id: null }
    await send({ atS: 0 })
    await saveSilencio(db, { ...silencio, ate: START + 60_000 })
    await send({ atS: 1 }, { atS: 1000 })
    now = START + 60_000
    await send({ atS: 2000 })
    expect((await incidentes()).map(({ silenciado }) => silenciado)).toEqual([0, 1, 0])
  })
})
