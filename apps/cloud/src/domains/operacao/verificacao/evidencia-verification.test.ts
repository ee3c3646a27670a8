import { createHash, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Evidencia } from '@vigia/contracts/extras'
import { encodeExtras } from '@vigia/link/extras-batch'
import { blankJpeg } from '@vigia/testing/blank-jpeg'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createBus } from '../../../adapters/bus.ts'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import type { CandidatoVerificacao, ResultadoVerificacao, Verifier } from '../../../adapters/verifier/interface.ts'
import type { Database } from '../../../db/open.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { seedCanal } from '../../../test/records/queue-records.ts'
import { batch, candidate, seedCamera } from '../../../test/records/records.ts'
import { expectIncidentesRight } from '../../../test/stores/incidentes-store.ts'
import { expectCountsRight } from '../../../test/stores/recount-store.ts'
import { type IngestDeps, ingestBatch } from '../ingestao/ingest-batch.ts'
import { ingestExtras } from '../ingestao/ingest-extras.ts'
import { createVerification, type Verification } from './verification.ts'

const said = (decisao: 'confirmado' | 'refutado', certeza: 'alta' | 'baixa'): ResultadoVerificacao => ({
  ok: true,
  decisao,
  certeza,
  confianca: decisao === 'refutado' ? 0.97 : 0.9,
  motivo: `${decisao} ${certeza}`,
  fonte: 'teste',
})
const doubtful = said('confirmado', 'baixa')
const absent = said('refutado', 'alta')
const unavailable: ResultadoVerificacao = { ok: false, falha: 'indisponivel', detalhe: 'x' }

let dir: string
let db: Database
let deps: IngestDeps
let origin: Awaited<ReturnType<typeof seedCamera>>
let running: Verification
let ahead: number
/** Answer for the picture of the candidate, and for each further picture. */
let first: ResultadoVerificacao
let later: (call: number) => ResultadoVerificacao
let asked: CandidatoVerificacao[]

beforeEach(async () => {
  dir = temporaryFolder('vigia-evidencia-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  ahead = 0
  deps = { db, media: createFileMediaStore({ dir: join(dir, 'media') }), clock: { now: () => Date.now() + ahead } }
  origin = await seedCamera(db)
  asked = []
  first = doubtful
  later = () => absent
  const verifier: Verifier = {
    atOnce: 1,
    async verify(candidato) {
      if (candidato.quadro === null) return first
      asked.push(candidato)
      return later(asked.length)
    },
    stop: async () => {},
  }
  running = createVerification({ ...deps, verifier, bus: createBus(), log: pino({ level: 'silent' }) })
  running.start()
})
afterEach(async () => {
  await running.stop()
  await expectCountsRight(db)
  await expectIncidentesRight(db)
  await db.destroy()
  await rm(dir, { recursive: true, force: true })
})

async function store(): Promise<string> {
  const record = candidate(origin.cameraId, 1, { change: { confianca: 0.4 } })
  await ingestBatch(deps, origin.edgeId, batch([record]))
  running.wake()
  return record.id
}
async function sendPictures(evento: string, ...pictures: Partial<Evidencia>[]) {
  const itens = pictures.map((rest) => {
    const imagem = blankJpeg(200, randomUUID())
    const sha256 = createHash('sha256').update(imagem).digest('hex')
    const extra: Evidencia = {
      tipo: 'evidencia',
      v: 1,
      id: randomUUID(),
      camera_id: origin.cameraId,
      evento,
      fonte: 'sub',
      dt_ms: 700,
      redetectada: true,
      imagem: { tipo: 'image/jpeg', tamanho: imagem.length, sha256 },
      caixas: [{ rotulo: 'person', confianca: 0.4, x: 0.3, y: 0.3, w: 0.3, h: 0.3 }],
      ...rest,
    }
    return { extra, imagem }
  })
  await ingestExtras(deps, origin.edgeId, encodeExtras(itens) ?? Buffer.alloc(0))
  running.wake()
}
const verdict = async () => {
  const row = await db.selectFrom('eventos').selectAll().executeTakeFirstOrThrow()
  return [row.veredito_decisao, row.veredito_certeza].join(' ')
}
const untilVerdict = (expected: string) =>
  waitFor(expected, async () => (await verdict()) === expected, { everyMs: 10 })
const work = async () => (await db.selectFrom('trabalhos').select('tipo').execute()).map(({ tipo }) => tipo)
const idle = () => waitFor('no work', async () => !(await work()).includes('evidencia'), { everyMs: 10 })
const log = async () => (await db.selectFrom('alertas').select('tipo').orderBy('seq').execute()).map(({ tipo }) => tipo)

it('turns a doubtful event into a refuted one, with counts, incidente and one line of the alert log', async () => {
  const evento = await store()
  await untilVerdict('confirmado baixa')
  const before = await log()
  await sendPictures(evento, {}, { dt_ms: -600 })
  await untilVerdict('refutado alta')
  expect(asked[0]).toMatchObject({ ia: 'invasao', fonte: 'sub', caixas: [{ x: 0.3 }] })
  expect(asked[0]?.crop).toEqual(asked[0]?.quadro)
  // An external verifier is never asked about later pictures.
  expect(asked.map(({ empresaId }) => empresaId)).toEqual([undefined, undefined])
  expect((await log()).slice(before.length)).toEqual(['evento', 'incidente'])
  const incidente = await db.selectFrom('incidentes').selectAll().executeTakeFirstOrThrow()
  expect(incidente).toMatchObject({ confirmados: 0, refutados: 1, situacao: 'refutado' })
  await idle()
})

it('refutes by one picture of the main stream, which it names to the verifier', async () => {
  const evento = await store()
  await untilVerdict('confirmado baixa')
  await sendPictures(evento, { fonte: 'principal' })
  await untilVerdict('refutado alta')
  expect(asked.map(({ fonte }) => fonte)).toEqual(['principal'])
})

it('raises a doubtful event, and reaches canais that want certain events only', async () => {
  await seedCanal(db, {
    empresa_id: origin.empresaId,
    destino: 'https://127.0.0.1:1/aviso',
    certeza_min: 'alta',
  })
  later = () => said('confirmado', 'alta')
  const evento = await store()
  await untilVerdict('confirmado baixa')
  expect(await db.selectFrom('entregas').selectAll().execute()).toEqual([])
  await sendPictures(evento, { redetectada: false, dt_ms: 5_000 })
  await untilVerdict('confirmado alta')
  expect(await db.selectFrom('entregas').selectAll().execute()).toHaveLength(1)
})

it('waits for the first verdict when the pictures arrive before it', async () => {
  first = unavailable
  const evento = await store()
  await sendPictures(evento, {}, {})
  expect(await work()).toEqual(['verificacao'])
  first = doubtful
  ahead += 600_000
  running.wake()
  await untilVerdict('refutado alta')
})

it('never changes a certain verdict, and asks nothing about it', async () => {
  first = said('confirmado', 'alta')
  const evento = await store()
  await untilVerdict('confirmado alta')
  await sendPictures(evento, {}, {})
  expect([await work(), asked]).toEqual([[], []])
})

it('keeps the verdict when the verifier stays unavailable, and ends the work', async () => {
  later = () => unavailable
  const evento = await store()
  await untilVerdict('confirmado baixa')
  await sendPictures(evento, {})
  for (let calls = 1; calls <= 5; calls++) {
    await waitFor(`attempt ${calls}`, () => asked.length >= calls, { everyMs: 10 })
    ahead += 3_600_000
    running.wake()
  }
  await idle()
  expect([await verdict(), asked.length]).toEqual(['confirmado baixa', 5])
})

it('judges pictures that arrive during the work on earlier ones', async () => {
  const evento = await store()
  await untilVerdict('confirmado baixa')
  let more: Promise<void> | null = null
  later = (call) => {
    if (call === 1) more = sendPictures(evento, {})
    return absent
  }
  await sendPictures(evento, {})
  await untilVerdict('refutado alta')
  expect(more).not.toBeNull()
})
