import { type Resposta, respostaSchema } from '@vigia/contracts/pedidos'
import { decodeFramed, encodeFramed } from './framed.ts'

/** An edge's answer to a command: the header, and the picture of the result (otherwise empty). */
export interface Answer {
  readonly resposta: Resposta
  readonly corpo: Buffer
}

export type DecodedAnswer =
  | ({ readonly ok: true } & Answer)
  /** `id`: null when even the id is unreadable; otherwise it ends the wait of the requester. */
  | { readonly ok: false; readonly motivo: string; readonly id: string | null }

/** Schema that reads the id of a message that otherwise breaks its own schema. */
export const idSchema = respostaSchema.options[0].pick({ id: true })

/** One answer as bytes (framed.ts); null above the size limit of the link. */
export const encodeAnswer = ({ resposta, corpo }: Answer): Buffer | null => encodeFramed(resposta, [corpo])

/** Decodes an answer. Never throws; `corpo` is a view into `payload`, not a copy. */
export function decodeAnswer(payload: Buffer): DecodedAnswer {
  const framed = decodeFramed(payload)
  if (!framed.ok) return { ok: false, motivo: framed.motivo, id: null }
  const parsed = respostaSchema.safeParse(framed.header)
  if (!parsed.success) {
    return { ok: false, motivo: 'cabeçalho fora do formato', id: idSchema.safeParse(framed.header).data?.id ?? null }
  }
  return { ok: true, resposta: parsed.data, corpo: framed.body }
}
