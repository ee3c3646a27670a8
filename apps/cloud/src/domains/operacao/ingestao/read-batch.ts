import { setImmediate } from 'node:timers/promises'
import { type Posicao, posicaoSchema, primeiroSeqDe, ultimoSeqDe } from '@vigia/contracts/candidate'
import { idSchema } from '@vigia/contracts/values'
import { type BatchItem, type DecodedItem, MAX_BATCH_ITEMS, openBatch } from '@vigia/link/batch'
import { decodeFramed } from '@vigia/link/framed'
import { z } from 'zod'

/** Sequence numbers of a record and their position in the edge's outbox. */
export interface Span extends Posicao {
  readonly camera_id: number
  readonly de: number
  readonly ate: number
}

type ReadItem =
  | ({ readonly ok: true } & BatchItem)
  /** `span` is set if the numbers were readable, so that they can be recorded. */
  | { readonly ok: false; readonly motivo: string; readonly id: string | null; readonly span: Span | null }

export interface ReadBatch {
  readonly ok: true
  readonly serie: string
  readonly itens: readonly ReadItem[]
}

export const spanOf = ({ registro, base, desde }: BatchItem): Span => ({
  camera_id: registro.camera_id,
  de: primeiroSeqDe(registro),
  ate: ultimoSeqDe(registro),
  base,
  desde,
})

/** Decoding yields to other work after this time: a batch holds up to 6 MiB of pictures for SHA-256. */
const SLICE_MS = 5

/** Reads a batch record by record. Never rejects. */
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
  const slots = itens.every(({ ok }) => ok) ? [] : readSpans(payload)
  return {
    ...batch,
    itens: itens.map((item, i) => (item.ok ? item : { ...item, span: slots[i] ?? null })),
  }
}

const seqSchema = z.int().min(1)
/** Fields that records of later versions or with damaged pictures still have. */
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

function readSpans(payload: Buffer): (Span | null)[] {
  const framed = decodeFramed(payload)
  return framed.ok ? (headerSchema.safeParse(framed.header).data?.itens ?? []) : []
}
