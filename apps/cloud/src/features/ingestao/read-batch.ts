import { setImmediate } from 'node:timers/promises'
import { type Posicao, posicaoSchema, primeiroSeqDe, ultimoSeqDe } from '@vigia/contracts/candidate'
import { idSchema } from '@vigia/contracts/values'
import { type BatchItem, type DecodedItem, MAX_BATCH_ITEMS, openBatch } from '@vigia/link/batch'
import { decodeFramed } from '@vigia/link/framed'
import { z } from 'zod'

/** Numbers of a camera, and where the edge says that they stand. */
export interface Place extends Posicao {
  readonly camera_id: number
  readonly de: number
  readonly ate: number
}

type ReadItem =
  | ({ readonly ok: true } & BatchItem)
  /** `place` is known when the record could be read that far, so that its numbers are accounted for. */
  | { readonly ok: false; readonly motivo: string; readonly id: string | null; readonly place: Place | null }

export interface ReadBatch {
  readonly ok: true
  readonly serie: string
  readonly itens: readonly ReadItem[]
}

export const placeOf = ({ registro, base, desde }: BatchItem): Place => ({
  camera_id: registro.camera_id,
  de: primeiroSeqDe(registro),
  ate: ultimoSeqDe(registro),
  base,
  desde,
})

/** Decoding gives way to other work after so long, ms: the pictures of a batch come to 6 MiB of SHA-256. */
const SLICE_MS = 5

/** Reads a batch, each record for itself. Never rejects. */
export async function readBatch(payload: Buffer): Promise<ReadBatch | { readonly ok: false; readonly motivo: string }> {
  const batch = openBatch(payload)
  if (!batch.ok) return batch
  const itens: DecodedItem[] = []
  let since = performance.now()
  for (const item of batch.itens) {
    itens.push(item)
    if (performance.now() - since < SLICE_MS) continue
    await setImmediate()
    since = performance.now()
  }
  const slots = itens.every(({ ok }) => ok) ? [] : readPlaces(payload)
  return {
    ...batch,
    itens: itens.map((item, i) => (item.ok ? item : { ...item, place: slots[i] ?? null })),
  }
}

const seqSchema = z.int().min(1)
/** What even a record of a later version, or with a damaged picture, is expected to say. */
const numberedSchema = z.union([
  z
    .object({ camera_id: idSchema, seq: seqSchema })
    .transform(({ camera_id, seq }) => ({ camera_id, de: seq, ate: seq })),
  z
    .object({ camera_id: idSchema, de_seq: seqSchema, ate_seq: seqSchema })
    .transform(({ camera_id, de_seq, ate_seq }) => ({ camera_id, de: de_seq, ate: ate_seq })),
])
const headerSchema = z.object({
  itens: z
    .array(
      posicaoSchema
        .extend({ registro: numberedSchema })
        .transform(({ registro, base, desde }) => ({ ...registro, base, desde }))
        .nullable()
        .catch(null),
    )
    .max(MAX_BATCH_ITEMS),
})

function readPlaces(payload: Buffer): (Place | null)[] {
  const framed = decodeFramed(payload)
  return framed.ok ? (headerSchema.safeParse(framed.header).data?.itens ?? []) : []
}
