import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createBus } from '../../../adapters/bus.ts'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import { createChain } from '../../../adapters/verifier/chain.ts'
import type { ResultadoVerificacao, Verifier } from '../../../adapters/verifier/interface.ts'
import { serverOf } from '../../../adapters/verifier/settings.ts'
import { createVlmVerifier } from '../../../adapters/verifier/vlm-verifier.ts'
import { loadConfig } from '../../../config.ts'
import type { Database } from '../../../db/open.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { batch, candidate, seedCamera } from '../../../test/records/records.ts'
import { type OpenaiStandIn, says, sendJson, startOpenaiStandIn } from '../../../test/stand-ins/openai-stand-in.ts'
import { expectIncidentesRight } from '../../../test/stores/incidentes-store.ts'
import { expectCountsRight } from '../../../test/stores/recount-store.ts'
import { ingestBatch } from '../ingestao/ingest-batch.ts'
import { createVlmAccount } from '../verificador-externo/vlm-account.ts'
import { createVerification, type Verification } from './verification.ts'

const unsure: ResultadoVerificacao = {
  ok: true,
  decisao: 'confirmado',
  certeza: 'baixa',
  confianca: 0.4,
  motivo: 'Não é certo que seja pessoa.',
  fonte: 'local:teste',
}
const unsupported: ResultadoVerificacao = { ok: false, falha: 'sem_suporte', detalhe: 'x' }

let server: OpenaiStandIn
let dir: string
let db: Database
let origin: Awaited<ReturnType<typeof seedCamera>>
let running: Verification
let first: ResultadoVerificacao

beforeEach(async () => {
  dir = temporaryFolder('vigia-externo-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  server = await startOpenaiStandIn()
  const settings = loadConfig(server.env).verificadores.vlm
  if (settings === null) throw new Error('no settings')
  origin = await seedCamera(db)
  await db
    .updateTable('empresas')
    .set({ vlm_servidor: serverOf(settings) })
    .where('id', '=', origin.empresaId)
    .execute()
  first = unsure
  const local: Verifier = { atOnce: 1, verify: async () => first, stop: async () => {} }
  const clock = { now: Date.now }
  const log = pino({ level: 'silent' })
  const account = createVlmAccount({ db, clock, settings })
  const verifier = createChain([local, createVlmVerifier({ settings, account, log })])
  const media = createFileMediaStore({ dir: join(dir, 'media') })
  running = createVerification({ db, media, clock, verifier, bus: createBus(), log })
  running.start()
})
afterEach(async () => {
  await running.stop()
  await server.close()
  await expectCountsRight(db)
  await expectIncidentesRight(db)
  await db.destroy()
  await rm(dir, { recursive: true, force: true })
})

async function store(): Promise<void> {
  const deps = { db, media: createFileMediaStore({ dir: join(dir, 'media') }), clock: { now: Date.now } }
  await ingestBatch(deps, origin.edgeId, batch([candidate(origin.cameraId, 1)]))
  running.wake()
}
const verdict = () =>
  waitFor('the verdict', async () => {
    const row = await db.selectFrom('eventos').selectAll().executeTakeFirst()
    return row?.veredito_decisao != null && [row.veredito_decisao, row.veredito_certeza, row.veredito_fonte].join(' ')
  })

it('raises a doubtful event that the model sees', async () => {
  await store()
  expect(await verdict()).toBe('confirmado alta vlm:teste-vl')
  const row = await db.selectFrom('eventos').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ veredito_confianca: 0.8, veredito_ajuste: null })
})

it('leaves a doubtful event that the model does not see, with the sentences of both', async () => {
  server.play(says('ausente', 'Só um poste.'))
  await store()
  expect(await verdict()).toBe('confirmado baixa local:teste, vlm:teste-vl')
  const row = await db.selectFrom('eventos').selectAll().executeTakeFirstOrThrow()
  expect(row.veredito_motivo).toMatch(/^Não é certo que seja pessoa\. O verificador externo não viu .+“Só um poste\.”$/)
})

it('gives the local verdict at once when the service refuses the key', async () => {
  server.play((response) => sendJson(response, 401, {}))
  await store()
  expect(await verdict()).toBe('confirmado baixa local:teste')
})

it('decides on an event that no local model supports', async () => {
  first = unsupported
  server.play(says('nao_da_para_ver'))
  await store()
  expect(await verdict()).toBe('confirmado baixa vlm:teste-vl')
})

it('asks nothing for an Empresa that switched it off', async () => {
  await db.updateTable('empresas').set({ vlm_servidor: null }).execute()
  await store()
  expect(await verdict()).toBe('confirmado baixa local:teste')
  expect(server.received).toEqual([])
})
