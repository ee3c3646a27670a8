import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { motivosAnunciados } from '@vigia/contracts/edge-state'
import { decodeAnswer } from '@vigia/link/answer'
import { decodeFramed } from '@vigia/link/framed'
import { unseal } from '@vigia/link/sealed'
import { type RecordedMessages, readRecorded, releaseNames } from '@vigia/testing/release-folder'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createFileMediaStore } from '../../adapters/media-store/file-media-store.ts'
import type { Database } from '../../db/open.ts'
import { ingestBatch } from '../../domains/operacao/ingestao/ingest-batch.ts'
import { ingestExtras } from '../../domains/operacao/ingestao/ingest-extras.ts'
import { openTestDatabase } from '../clouds/template.ts'
import { seedCamera } from '../records/records.ts'
import type { JsonSchema } from '../walks/api-document.ts'
import { fromSchema } from '../walks/schema-arbitrary.ts'
import { cloudMessages, edgeMessages, writerSchema } from './message-schemas.ts'

/** Messages of a kind to compare, at most so many drawn values: few random reports are valid. */
const COMPARED = 1_000
const DRAWN = 10_000
const TOGETHER = 500

describe.each(releaseNames())('messages recorded from release %s', (release) => {
  let recorded: RecordedMessages
  let dir: string
  let db: Database

  beforeAll(async () => {
    recorded = await readRecorded(release, 'messages')
    dir = temporaryFolder('vigia-messages-')
    db = await openTestDatabase(join(dir, 'vigia.db'))
    // The recording contains the ids of its edge and its camera.
    for (let last = 0; last < Math.max(recorded.edgeId, recorded.cameraId); ) last = (await seedCamera(db)).cameraId
    await db.updateTable('cameras').set({ edge_id: recorded.edgeId }).where('id', '=', recorded.cameraId).execute()
    const { empresa_id } = await db
      .selectFrom('cameras')
      .select('empresa_id')
      .where('id', '=', recorded.cameraId)
      .executeTakeFirstOrThrow()
    await db.updateTable('edges').set({ empresa_id }).where('id', '=', recorded.edgeId).execute()
  })
  afterAll(async () => {
    await db.destroy()
    await rm(dir, { recursive: true, force: true })
  })

  const payloads = (from: 'fromEdge' | 'fromCloud', topic: string): Buffer[] => {
    const found = recorded[from].flatMap((message) =>
      message.topic.endsWith(`/${topic}`) ? [Buffer.from(message.payloadBase64, 'base64')] : [],
    )
    expect(found.length).toBeGreaterThan(0)
    return found
  }
  const json = (from: 'fromEdge' | 'fromCloud', topic: string): unknown[] =>
    payloads(from, topic).map((payload) => JSON.parse(payload.toString()))
  /**
   * Builds a reader of that release from its JSON Schema. Omits patterns with Unicode classes, because their flags are
   * not recorded.
   */
  const formerReader = (kind: string) =>
    z.fromJSONSchema(
      JSON.parse(JSON.stringify(recorded.schemas[kind]), (key, value) =>
        key === 'pattern' && String(value).includes('\\p{') ? undefined : value,
      ),
    )

  it('stores its candidatos and gaps, and sends an answer that it reads', async () => {
    const deps = { db, media: createFileMediaStore({ dir: join(dir, 'media') }), clock: { now: () => Date.now() } }
    for (const payload of payloads('fromEdge', 'candidatos')) {
      const ingested = await ingestBatch(deps, recorded.edgeId, payload)
      if (!ingested.ok) throw new Error(ingested.motivo)
      expect(new Set(ingested.respostas.map(({ resultado }) => resultado))).toEqual(new Set(['gravado']))
      const answer = { tipo: 'registros', v: 2, itens: [...ingested.respostas] }
      expect(formerReader('resposta_central').safeParse(answer).error).toBeUndefined()
    }
    const stored = await db.selectFrom('eventos').select(['tipo', 'detalhes_json', 'trajeto_json']).execute()
    expect(stored.length).toBeGreaterThanOrEqual(11)
    expect(stored.filter(({ trajeto_json }) => trajeto_json !== null).length).toBeGreaterThanOrEqual(11)
    expect(await db.selectFrom('lacunas').select('motivo').execute()).toContainEqual({ motivo: 'cota_de_disco' })
  })

  it('stores its extras, if that release has them', async () => {
    const deps = { db, media: createFileMediaStore({ dir: join(dir, 'media') }), clock: { now: () => Date.now() } }
    const sent = recorded.fromEdge.filter(({ topic }) => topic.endsWith('/extras'))
    expect(sent.length > 0).toBe(recorded.schemas.lote_extras !== undefined)
    for (const { payloadBase64 } of sent) {
      const ingested = await ingestExtras(deps, recorded.edgeId, Buffer.from(payloadBase64, 'base64'))
      if (!ingested.ok) throw new Error(ingested.motivo)
      expect(new Set(ingested.respostas.map(({ resultado }) => resultado))).toEqual(new Set(['gravado']))
    }
  })

  it('reads its reports, answers, live frames and renewals', () => {
    const { relato, presenca, renovacao, quadro_ao_vivo } = edgeMessages
    for (const message of json('fromEdge', 'relato')) relato.parse(message)
    for (const message of json('fromEdge', 'presenca')) presenca.parse(message)
    for (const message of json('fromEdge', 'renovacao')) renovacao.parse(message)
    for (const payload of payloads('fromEdge', 'respostas')) expect(decodeAnswer(payload).ok).toBe(true)
    for (const payload of payloads('fromEdge', 'aovivo')) {
      const framed = decodeFramed(payload)
      if (!framed.ok) throw new Error(framed.motivo)
      quadro_ao_vivo.parse(framed.header)
      expect(framed.body.length).toBeGreaterThan(0)
    }
  })

  it('lets an edge read and open its desired states and commands', async () => {
    const states = json('fromCloud', 'desejado').map((message) => cloudMessages.desejado.parse(message))
    const camera = states.at(-1)?.cameras.find(({ id }) => id === recorded.cameraId)
    expect(camera).toMatchObject({ nome: 'Portão', zonas: [[0.1, 0.1, 0.9, 0.1, 0.5, 0.9]] })
    const key = recorded.sealKey as Parameters<typeof unseal>[0]
    const fontes = cloudMessages.fontes.parse(await unseal(key, camera?.fontes ?? ''))
    expect(fontes.rtsp_url).toBe('rtsp://ana:senha@127.0.0.2:554/1')
    for (const message of json('fromCloud', 'pedidos')) {
      const pedido = cloudMessages.pedido.parse(message)
      if (pedido.tipo === 'comando') cloudMessages.comando.parse(await unseal(key, pedido.comando))
    }
    for (const message of json('fromCloud', 'confirmacoes')) cloudMessages.resposta_central.parse(message)
    for (const message of json('fromCloud', 'certificado')) cloudMessages.renovado.parse(message)
  })

  it.each(Object.entries({ ...edgeMessages, ...cloudMessages }))(
    'lets it read every %s that this release can write',
    (kind, schema: z.ZodType) => {
      const written = writerSchema(schema) as JsonSchema
      // Only an end that announces a kind of message receives it.
      if (recorded.schemas[kind] === undefined) return
      const reader = formerReader(kind)
      const document = { openapi: '', info: { version: '' }, paths: {}, components: { schemas: {}, responses: {} } }
      let compared = 0
      const property = fc.property(fromSchema(document, written), (value) => {
        const parsed = schema.safeParse(value)
        if (!parsed.success) return
        // An edge answers `comando_desconhecido` to a command that its release does not know. It reports a new reason
        // only for a command that a former release does not send. It answers extras only to an edge that sends them.
        // It sends only kinds of extras, reasons of a camera, and passages that the cloud announces.
        const word = newWord(kind, parsed.data)
        if (word !== null && !JSON.stringify(recorded.schemas[kind]).includes(`"${word}"`)) return
        compared += 1
        expect(reader.safeParse(parsed.data).error).toBeUndefined()
      })
      for (let drawn = 0; drawn < DRAWN && compared < COMPARED; drawn += TOGETHER)
        fc.assert(property, { numRuns: TOGETHER })
      expect(compared).toBeGreaterThan(10)
    },
  )
})

/** The word of a message that a release adds with a new command, kind of extra or reason; null: none. */
function newWord(kind: string, message: unknown): string | null {
  if (kind === 'resposta_central') return cloudMessages.resposta_central.parse(message).tipo
  if (kind === 'comando') return cloudMessages.comando.parse(message).comando.acao
  if (kind === 'registro') return edgeMessages.registro.parse(message).tipo
  if (kind === 'extra') return edgeMessages.extra.parse(message).tipo
  if (kind === 'relato') {
    const announced: readonly (string | null)[] = motivosAnunciados
    return edgeMessages.relato.parse(message).cameras.find(({ motivo }) => announced.includes(motivo))?.motivo ?? null
  }
  return kind === 'resposta' ? ((message as { readonly falha?: string }).falha ?? null) : null
}
