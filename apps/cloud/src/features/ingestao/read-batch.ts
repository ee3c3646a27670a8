import { type Posicao, posicaoSchema, primeiroSeqDe, ultimoSeqDe } from '@vigia/contracts/candidate'
import { idSchema } from '@vigia/contracts/values'
import { type BatchItem, decodeBatch } from '@vigia/link/batch'
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

/** Reads a batch, each record for itself. Never throws. */
export function readBatch(payload: Buffer): ReadBatch | { readonly ok: false; readonly motivo: string } {
  const batch = decodeBatch(payload)
  if (!batch.ok) return batch
  const places = batch.itens.every(({ ok }) => ok) ? [] : readPlaces(payload)
  return {
    ...batch,
    itens: batch.itens.map((item, i) => (item.ok ? item : { ...item, place: places[i] ?? null })),
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
  itens: z.array(
    posicaoSchema
      .extend({ registro: numberedSchema })
      .transform(({ registro, base, desde }) => ({ ...registro, base, desde }))
      .nullable()
      .catch(null),
  ),
})

function readPlaces(payload: Buffer): (Place | null)[] {
  const framed = decodeFramed(payload)
  return framed.ok ? (headerSchema.safeParse(framed.header).data?.itens ?? []) : []
}
