import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { below, type Check, resultOf } from '@vigia/testing/checks'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { createBus } from '../../src/adapters/bus.ts'
import { createFileMediaStore } from '../../src/adapters/media-store/file-media-store.ts'
import type { Verifier } from '../../src/adapters/verifier/interface.ts'
import { openDatabase } from '../../src/db/open.ts'
import { ingestBatch } from '../../src/domains/operacao/ingestao/ingest-batch.ts'
import { createVerification } from '../../src/domains/operacao/verificacao/verification.ts'
import { batch, candidate, seedCamera } from '../../src/test/records/records.ts'

const BATCH = 50
/** Largest delay beyond the time of the verifier, ms. */
const DELAY_MS = 3_000
const cases = [
  { name: 'a local model of 200 ms', atOnce: 1, tookMs: 200, flood: 3_000, isBelow: false },
  { name: 'a service of 5 s, eight at once, below one root', atOnce: 8, tookMs: 5_000, flood: 300, isBelow: true },
]

/** Answers after a fixed time, with `atOnce` concurrent requests. */
const slowVerifier = (atOnce: number, tookMs: number): Verifier => ({
  atOnce,
  async verify() {
    await delay(tookMs)
    return { ok: true, decisao: 'refutado', certeza: 'alta', confianca: 0.9, motivo: 'Nada visto.', fonte: 'teste' }
  },
  stop: async () => {},
})

/**
 * Milliseconds from the storage of one event to its verdict, after an edge of another Empresa has stored `flood`
 * events.
 * @param isBelow whether both Empresas have the same root
 */
async function verdictMs(verifier: Verifier, flood: number, isBelow: boolean): Promise<number> {
  const dir = temporaryFolder('vigia-enchente-')
  const db = await openDatabase(join(dir, 'vigia.db'))
  const deps = { db, media: createFileMediaStore({ dir: join(dir, 'media') }), clock: { now: () => Date.now() } }
  const verification = createVerification({ ...deps, verifier, bus: createBus(), log: pino({ level: 'silent' }) })
  try {
    const [noisy, quiet] = [await seedCamera(db), await seedCamera(db)]
    if (isBelow)
      await db
        .updateTable('empresas')
        .set({ empresa_pai_id: noisy.empresaId })
        .where('id', '=', quiet.empresaId)
        .execute()
    const send = async (edgeId: number, records: ReturnType<typeof candidate>[]) => {
      await ingestBatch(deps, edgeId, batch(records))
      verification.wake()
    }
    const now = { ocorrido_em: Date.now() }
    verification.start()
    for (let seq = 1; seq <= flood; seq += BATCH) {
      const seqs = Array.from({ length: BATCH }, (_, i) => seq + i)
      await send(
        noisy.edgeId,
        seqs.map((number) => candidate(noisy.cameraId, number, { change: now })),
      )
    }
    const at = performance.now()
    await send(quiet.edgeId, [candidate(quiet.cameraId, 1, { change: { ocorrido_em: Date.now() } })])
    const pending = db
      .selectFrom('eventos')
      .select('id')
      .where('empresa_id', '=', quiet.empresaId)
      .where('veredito_decisao', 'is', null)
    await waitFor('the verdict', async () => (await pending.execute()).length === 0, { everyMs: 10, timeoutMs: 20_000 })
    const ms = performance.now() - at
    const waiting = await db.selectFrom('trabalhos').select('id').execute()
    if (waiting.length <= flood / 2) throw new Error(`only ${waiting.length} events of ${flood} wait`)
    return ms
  } finally {
    await verification.stop()
    await db.destroy()
    await rm(dir, { recursive: true })
  }
}

/** Without other events, the verdict takes at least the time of the verifier. */
export async function carryOut({ progress }: TrialOutput): Promise<Result> {
  const rows: Check[] = []
  for (const [index, { name, atOnce, tookMs, flood, isBelow }] of cases.entries()) {
    progress(index / cases.length, name)
    const during = await verdictMs(slowVerifier(atOnce, tookMs), flood, isBelow)
    rows.push(below(`${name}: delay of the verdict`, during - tookMs, DELAY_MS, 'ms'))
  }
  return resultOf(rows)
}
