import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBus } from '../../../adapters/bus.ts'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import type { CandidatoVerificacao, ResultadoVerificacao, Verifier } from '../../../adapters/verifier/interface.ts'
import type { Database } from '../../../db/open.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { batch, candidate, JPEG, seedCamera } from '../../../test/records/records.ts'
import { type IngestDeps, ingestBatch } from '../ingestao/ingest-batch.ts'
import { createVerification, type Verification } from './verification.ts'

let dir: string
let db: Database
let deps: IngestDeps
let origin: Awaited<ReturnType<typeof seedCamera>>
let running: Verification | null
let ahead: number
let announced: number
let seq: number

beforeEach(async () => {
  dir = temporaryFolder('vigia-verificacao-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  ahead = announced = seq = 0
  running = null
  deps = { db, media: createFileMediaStore({ dir: join(dir, 'media') }), clock: { now: () => Date.now() + ahead } }
  origin = await seedCamera(db)
})
afterEach(async () => {
  await running?.stop()
  await db.destroy()
  await rm(dir, { recursive: true, force: true })
})

/** Fake verifier with given answers for tests of the queue. */
function scripted(answer: (candidato: CandidatoVerificacao, call: number) => ResultadoVerificacao) {
  const asked: CandidatoVerificacao[] = []
  let busy = 0
  const verifier: Verifier = {
    atOnce: 1,
    async verify(candidato) {
      asked.push(candidato)
      busy += 1
      expect(busy).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      busy -= 1
      return answer(candidato, asked.length)
    },
    stop: async () => {},
  }
  return { asked, verifier }
}

const yes: ResultadoVerificacao = {
  ok: true,
  decisao: 'confirmado',
  certeza: 'alta',
  confianca: 0.8,
  motivo: 'Vi.',
  fonte: 'teste',
}
const no: ResultadoVerificacao = { ...yes, decisao: 'refutado' }
const failing = (falha: 'indisponivel' | 'imagem_ilegivel'): ResultadoVerificacao => ({
  ok: false,
  falha,
  detalhe: 'x',
})

function start(verifier: Verifier): Verification {
  const bus = createBus()
  bus.subscribe(() => {
    announced += 1
  })
  running = createVerification({ ...deps, verifier, bus, log: pino({ level: 'silent' }) })
  running.start()
  return running
}
const store = async (options?: Parameters<typeof candidate>[2]) => {
  seq += 1
  await ingestBatch(deps, origin.edgeId, batch([candidate(origin.cameraId, seq, options)]))
}
const events = () => db.selectFrom('eventos').selectAll().orderBy('id').execute()
const tries = async () => (await db.selectFrom('trabalhos').selectAll().orderBy('id').execute())[0]?.tentativas
const decisions = async () => (await events()).map((row) => row.veredito_decisao)
/** Lines of events in the alert log. */
const log = async () =>
  (await db.selectFrom('alertas').select('tipo').where('tipo', '<>', 'incidente').orderBy('seq').execute()).map(
    ({ tipo }) => tipo,
  )
const until = (what: string, expected: unknown[]) =>
  waitFor(what, async () => JSON.stringify(await decisions()) === JSON.stringify(expected), { everyMs: 10 })

describe('the verification queue', () => {
  it('verifies each event, the oldest first, one at a time, and stores the alerta with the verdict', async () => {
    await store({ quadro: JPEG, change: { confianca: 0.1 } })
    await store({ change: { confianca: 0.2, detalhes: { problema: 'preta' } } })
    const { asked, verifier } = scripted((_candidato, call) => (call === 1 ? yes : no))
    start(verifier)
    await until('both verdicts', ['confirmado', 'refutado'])

    expect(asked[0]).toMatchObject({ crop: JPEG, quadro: JPEG, ia: 'invasao', instrucoes: ['ignore animais'] })
    expect(asked[0]?.calibracao).toEqual({ conf: 0.45 })
    expect(asked[1]?.quadro).toBeNull()
    expect(asked[1]?.detalhes).toEqual({ problema: 'preta' })
    expect((await events())[0]).toMatchObject({
      veredito_confianca: 0.8,
      veredito_motivo: 'Vi.',
      veredito_fonte: 'teste',
    })
    expect(await log()).toEqual(['evento', 'evento', 'alerta', 'evento'])
    expect(announced).toBe(2)
  })

  it('gives the verifier the bias of the camera and IA, and stores the part that the verdict contains', async () => {
    const counts = { revisoes: 30, verdadeiros: 3, esperados: 18, variancia: 7, desde: null, calculado_em: 1 }
    const row = { camera_id: origin.cameraId, ia: 'invasao', ajuste: -0.75, ...counts }
    await db.insertInto('ajustes').values(row).execute()
    await store()
    const { asked, verifier } = scripted(() => ({ ...yes, ajuste: -0.75 }))
    start(verifier)
    await until('the verdict', ['confirmado'])
    expect(asked[0]?.ajuste).toBe(-0.75)
    expect(await events()).toMatchObject([{ veredito_ajuste: -0.75 }])
  })

  it('prefers live events, but gives every eighth turn to the backlog', async () => {
    const waited = { relogio: { desvio_ms: 0, sincronizado: true } }
    for (let i = 0; i < 4; i += 1) await store({ change: { ...waited, confianca: i / 100 } })
    for (let i = 0; i < 9; i += 1) await store({ change: { ocorrido_em: Date.now(), confianca: 0.5 + i / 100 } })
    start(scripted(() => yes).verifier)
    await until('all verdicts', Array(13).fill('confirmado'))
    const alerts = db.selectFrom('alertas').select('evento_id').where('tipo', '=', 'alerta').orderBy('seq')
    expect((await alerts.execute()).map(({ evento_id }) => evento_id)).toEqual([
      5, 6, 7, 8, 9, 10, 11, 1, 12, 13, 2, 3, 4,
    ])
  })

  it('is woken by new events', async () => {
    const verification = start(scripted(() => yes).verifier)
    // Without a wake-up it checks every two seconds, which is too slow for the limit of this test.
    for (let n = 1; n <= 20; n += 1) {
      await store()
      verification.wake()
      await until(`verdict ${n}`, Array(n).fill('confirmado'))
    }
  })

  it('continues the work of an earlier process exactly once', async () => {
    await store()
    const first = start(scripted(() => failing('indisponivel')).verifier)
    await waitFor('an attempt', async () => (await tries()) === 1)
    await first.stop()
    ahead += 60_000
    start(scripted(() => yes).verifier)
    await until('the verdict', ['confirmado'])
    expect(await log()).toEqual(['evento', 'alerta'])
  })

  it('continues with other events after a failing one', async () => {
    await store({ change: { ia: 'permanencia' } })
    await store()
    start(scripted(({ ia }) => (ia === 'permanencia' ? failing('imagem_ilegivel') : yes)).verifier)
    await until('the second one’s verdict', [null, 'confirmado'])
    expect(await log()).toEqual(['evento', 'evento', 'alerta'])
  })

  it('shows a notice after three attempts, keeps trying, and removes the notice with the verdict', async () => {
    await store()
    let readable = false
    const verification = start(scripted(() => (readable ? yes : failing('imagem_ilegivel'))).verifier)
    const later = async (attempts: number) => {
      await waitFor(`attempt ${attempts}`, async () => (await tries()) === attempts)
      ahead += 12 * 3_600_000
      verification.wake()
    }
    await later(1)
    expect((await events())[0]?.detalhes_json).toBe('{}')
    await later(2)
    await waitFor('the note', async () => (await events())[0]?.detalhes_json.includes('falha_verificacao'))
    expect(await decisions()).toEqual([null])
    readable = true
    await later(3)
    await until('the verdict', ['confirmado'])
    expect((await events())[0]?.detalhes_json).toBe('{}')
  })

  it('never decides on an event without a picture', async () => {
    await store({ crop: null })
    await store()
    await rm(join(dir, 'media', (await events())[1]?.crop_path ?? ''))
    const { asked, verifier } = scripted(() => yes)
    start(verifier)
    await waitFor('both notes', async () =>
      (await events()).every(({ detalhes_json }) => detalhes_json.includes('A imagem deste evento não está')),
    )
    expect(asked).toEqual([])
    expect(await decisions()).toEqual([null, null])
    expect((await events())[0]?.detalhes_json).toContain('"midia_descartada":true')
  })

  it('finds the crop that a review moved meanwhile', async () => {
    await store()
    const [before] = await events()
    const moved = 'dataset/confirmado/moved.jpg'
    const files = deps.media
    // The review runs between reading the queue and reading the file.
    const read = async (path: string) => {
      if (path === before?.crop_path) {
        await files.put(moved, JPEG)
        await db.updateTable('eventos').set({ crop_path: moved }).execute()
        await files.remove(path)
      }
      return files.read(path)
    }
    deps = { ...deps, media: { ...files, read } }
    start(scripted(() => yes).verifier)
    await until('the verdict', ['confirmado'])
  })

  it('continues after a file that cannot be read', async () => {
    await store()
    await store()
    await db.updateTable('eventos').set({ crop_path: 'eventos/2026' }).where('id', '=', 1).execute()
    start(scripted(() => yes).verifier)
    await until('the second one’s verdict', [null, 'confirmado'])
  })
})
