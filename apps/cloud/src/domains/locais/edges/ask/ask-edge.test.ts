import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Comando, comandoLacradoSchema } from '@vigia/contracts/pedidos'
import { type CloudLink, createCloudLink } from '@vigia/link/cloud-link'
import { createEdgeLink, type EdgeLink } from '@vigia/link/edge-link'
import type { CommandHandler } from '@vigia/link/responder'
import { createSealKeyPair, type SealPrivateJwk, unseal } from '@vigia/link/sealed'
import { createMemoryLog, createTestInstallation, type TestInstallation } from '@vigia/link/testing/installation'
import { freePort } from '@vigia/testing/free-port'
import { type Program, startProgram } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Database } from '../../../../db/open.ts'
import { openTestDatabase } from '../../../../test/clouds/template.ts'
import { activateEdge, insertEdge } from '../store.ts'
import { type AskEdge, createAskEdge } from './ask-edge.ts'

/** Runs the use case over a real broker, with both ends of the link and a database. */
const PASSWORD = 's3nha-do-gravador'
const log = createMemoryLog()
const backoff = { minMs: 20, maxMs: 200 }
const comando = { acao: 'capturar_quadro', camera_id: 3 } as const
const options = { prazoMs: 20_000, signal: new AbortController().signal }

let installation: TestInstallation
let db: Database
let broker: Program
let link: CloudLink
let edge: EdgeLink
let edgeId: number
let privateJwk: SealPrivateJwk
let ask: AskEdge
/** The cloud's clock. */
let now = 1_800_000_000_000
let answer: CommandHandler

const newEdge = () => {
  const codigo = { codigo_hash: randomUUID(), codigo_expira_em: 2 }
  const row = { nome: 'Caixa', empresa_id: null, local: 0, criado_em: 1 } as const
  return insertEdge(db, row, codigo).then((id) => ({ id, codigo: codigo.codigo_hash }))
}
const present = (presente: 0 | 1) => db.updateTable('edges').set({ presente }).where('id', '=', edgeId).execute()
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error) => [error.code, error.detalhe],
  )

beforeAll(async () => {
  installation = await createTestInstallation()
  db = await openTestDatabase(join(installation.dir, 'vigia.db'))
  const port = await freePort()
  const env = { VIGIA_DATA_DIR: installation.dir, VIGIA_MQTT_PORT: String(port), VIGIA_LOG_LEVEL: 'warn' }
  broker = await startProgram({ entry: 'apps/broker/src/main.ts', env })
  const made = await newEdge()
  edgeId = made.id
  const keys = await createSealKeyPair()
  privateJwk = keys.privateJwk
  const activation = {
    chave_cifra_json: JSON.stringify(keys.publicJwk),
    certificado: { sha256: '00'.repeat(32), serial: '00', vence_em: 2 },
  }
  await activateEdge(db, edgeId, made.codigo, activation, 1)
  await present(1)
  const url = `mqtts://127.0.0.1:${port}`
  link = createCloudLink({ url, tls: installation.cloud, log, backoff })
  link.onConnected(async () => link.publishAllowed(await installation.allowed([edgeId])))
  const tls = await installation.edge(edgeId)
  edge = createEdgeLink({ url, edgeId, tls: () => tls, log, backoff })
  edge.onRequest((sealed, context) => answer(sealed, context))
  link.start()
  edge.start()
  await waitFor('both ends', () => link.connected && edge.connected)
  ask = createAskEdge({ db, clock: { now: () => now }, link })
})
afterAll(async () => {
  await edge.stop()
  await link.stop()
  await broker.stop()
  await db.destroy()
  await installation.remove()
})

it('seals the command for one edge and returns its answer', async () => {
  const login = { usuario: 'admin', senha: PASSWORD }
  const asked: Comando = { acao: 'sondar_portas', host: '127.0.0.1', portas: [554], ...login }
  const portas = [{ porta: 554, tcp: true, rtsp: false, detalhe: null }]
  const seen: z.infer<typeof comandoLacradoSchema>[] = []
  answer = async (sealed, { id }) => {
    expect(sealed).not.toContain(PASSWORD)
    const opened = comandoLacradoSchema.parse(await unseal(privateJwk, sealed))
    // The sealed content repeats the id of the command.
    expect(opened.id).toBe(id)
    seen.push(opened)
    return { ok: true, resultado: { portas } }
  }
  expect(await ask(edgeId, asked, options)).toEqual({ ok: true, resultado: { portas }, corpo: Buffer.alloc(0) })
  // `pedido_em` never decreases, even when the clock goes back.
  now -= 3_600_000
  await ask(edgeId, asked, options)
  now += 3_600_001
  await ask(edgeId, asked, options)
  expect(seen.map(({ comando }) => comando)).toEqual([asked, asked, asked])
  expect(seen.map(({ pedido_em }) => pedido_em)).toEqual([now - 1, now - 1, now])
  expect(new Set(seen.map(({ id }) => id)).size).toBe(3)

  answer = async () => ({ ok: true, resultado: { largura: 2, altura: 1 }, corpo: Buffer.from('jpeg') })
  expect(await ask(edgeId, comando, options)).toEqual({
    ok: true,
    resultado: { largura: 2, altura: 1 },
    corpo: Buffer.from('jpeg'),
  })
})

it('returns the failure that the edge reports, timeouts included', async () => {
  for (const falha of ['senha_recusada', 'prazo_esgotado'] as const) {
    answer = async () => ({ ok: false, falha })
    expect(await ask(edgeId, comando, options)).toEqual({ ok: false, falha })
  }
})

it('repeats the command once if an earlier clock was ahead of the current one', async () => {
  const asked: number[] = []
  const far = now + 3 * 3_600_000
  const refuse = (mais_novo: number): CommandHandler => {
    return async (sealed) => {
      const { pedido_em } = comandoLacradoSchema.parse(await unseal(privateJwk, sealed))
      asked.push(pedido_em)
      if (pedido_em < mais_novo) return { ok: false, falha: 'comando_repetido', mais_novo }
      return { ok: true, resultado: { largura: 2, altura: 1 } }
    }
  }
  answer = refuse(far)
  expect(await ask(edgeId, comando, options)).toMatchObject({ ok: true })
  expect(await ask(edgeId, comando, options)).toMatchObject({ ok: true })
  expect(asked).toEqual([now, far, far])
  // An edge cannot move `pedido_em` to an arbitrary future time.
  answer = refuse(Number.MAX_SAFE_INTEGER)
  expect(await ask(edgeId, comando, options)).toEqual({ ok: false, falha: 'comando_repetido' })
  expect(asked).toEqual([now, far, far, far])
})

it('returns `cancelado` after an abort and stops the command on the edge', async () => {
  const leaving = new AbortController()
  const stopped = Promise.withResolvers<void>()
  answer = (_, { signal }) => {
    signal.addEventListener('abort', () => stopped.resolve())
    leaving.abort()
    return new Promise(() => {})
  }
  expect(await ask(edgeId, comando, { ...options, signal: leaving.signal })).toEqual({ ok: false, falha: 'cancelado' })
  await stopped.promise
})

it('rejects with `indisponivel` if the answer is late or unreadable', async () => {
  for (const resultado of [{}, { largura: 'x', altura: 1 }, { portas: [] }]) {
    answer = async () => ({ ok: true, resultado })
    expect(await refusal(ask(edgeId, comando, options))).toEqual(['indisponivel', expect.stringContaining('Atualize')])
  }
  answer = () => new Promise(() => {})
  const late = await refusal(ask(edgeId, comando, { ...options, prazoMs: 50 }))
  expect(late).toEqual(['indisponivel', expect.stringContaining('a tempo')])
})

it('rejects for edges that are not activated, not present or not connected', async () => {
  answer = async () => {
    throw new Error('asked')
  }
  const waiting = await newEdge()
  for (const id of [waiting.id, 999_999]) {
    expect(await refusal(ask(id, comando, options))).toEqual(['indisponivel', expect.stringContaining('ativada')])
  }
  const notConnected = ['indisponivel', expect.stringContaining('não está conectada')]
  await present(0)
  expect(await refusal(ask(edgeId, comando, options))).toEqual(notConnected)
  await present(1)
  const gone: boolean[] = []
  link.onPresence((_, online) => void gone.push(!online))
  await edge.stop()
  await waitFor('the goodbye', () => gone.includes(true))
  expect(await refusal(ask(edgeId, comando, options))).toEqual(notConnected)
  await link.stop()
  expect(await refusal(ask(edgeId, comando, options))).toEqual(['indisponivel', expect.stringContaining('sem ligação')])
})
