import { setTimeout as delay } from 'node:timers/promises'
import { invalid } from '@vigia/contracts/errors'
import { createUsedRates, type Rate } from '@vigia/runtime/used-rate'
import type { Database } from '../../../db/open.ts'
import { createSlots } from '../../../http/slots.ts'
import { findUploadRoot } from './store.ts'

/** Requests and bytes of uploads, from all edges. */
export interface UploadRates {
  /**
   * Runs a request of an upload when its edge and its root Empresa are within their rates.
   * @param work gets a function that reads a body at these rates
   * @throws VigiaError `muitas_requisicoes`: the edge has too many requests at a time
   */
  run<T>(edgeId: number, signal: AbortSignal, work: (limited: LimitedBody) => Promise<T>): Promise<T>
}

type LimitedBody = (body: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

const MIB = 1024 * 1024
/** A record is a chunk of a body. An edge sends chunks of 256 kB, one after the other. */
export const EDGE_UPLOAD: Rate = {
  recordsPerS: 1_024,
  bytesPerS: 8 * MIB,
  burstRecords: 4_096,
  burstBytes: 64 * MIB,
}
export const ROOT_UPLOAD: Rate = {
  recordsPerS: 4_096,
  bytesPerS: 32 * MIB,
  burstRecords: 16_384,
  burstBytes: 128 * MIB,
}
/** Cost of a request in records: it reads the database and syncs the disk. */
export const REQUEST_RECORDS = 16
/** Requests of one edge at a time. */
export const REQUESTS_AT_ONCE = 8

/** The client has disconnected. */
export const interrupted = () => invalid(['body'], 'O envio foi interrompido', 'body_incomplete')

/** @param monotonic ms */
export function createUploadRates({
  db,
  monotonic,
}: {
  readonly db: Database
  readonly monotonic: () => number
}): UploadRates {
  const edges = createUsedRates()
  const roots = createUsedRates()
  const slots = createSlots(REQUESTS_AT_ONCE, {
    detalhe: 'Esta caixa já faz envios demais ao mesmo tempo. Espere e tente outra vez.',
    tentarEmS: 5,
  })

  return {
    async run(edgeId, signal, work) {
      const release = slots.take(String(edgeId))
      try {
        const rootId = await findUploadRoot(db, edgeId)
        const take = async (records: number, bytes: number): Promise<void> => {
          for (;;) {
            const now = monotonic()
            const [edge, root] = [edges.of(edgeId, now), roots.of(rootId, now)]
            const waitMs = Math.max(edge.excessMs(EDGE_UPLOAD, now), root.excessMs(ROOT_UPLOAD, now))
            if (waitMs === 0) {
              edge.charge(EDGE_UPLOAD, now, { records, bytes })
              root.charge(ROOT_UPLOAD, now, { records, bytes })
              return
            }
            // Rejects only when `signal` aborts.
            await delay(waitMs, undefined, { signal }).catch(() => Promise.reject(interrupted()))
          }
        }
        await take(REQUEST_RECORDS, 0)
        return await work(async function* (body) {
          for await (const chunk of body) {
            await take(1, chunk.length)
            yield chunk
          }
        })
      } finally {
        release()
      }
    },
  }
}
