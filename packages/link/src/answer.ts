import { type Resposta, respostaSchema } from '@vigia/contracts/pedidos'
import { decodeFramed, encodeFramed } from './framed.ts'

/** What an edge answers to a command: the header, and a picture when the result has one (else empty). */
export interface Answer {
  readonly resposta: Resposta
  readonly corpo: Buffer
}

export type DecodedAnswer =
  | ({ readonly ok: true } & Answer)
  /** `id` is known when the header could be read that far, so that whoever waits for it need not wait any longer. */
  | { readonly ok: false; readonly motivo: string; readonly id: string | null }

/** The id in a message that is otherwise not of its schema. */
export const idSchema = respostaSchema.options[0].pick({ id: true })

/** One answer as bytes (framed.ts); null when it is too large for the link. */
export const encodeAnswer = ({ resposta, corpo }: Answer): Buffer | null => encodeFramed(resposta, [corpo])

/** Reads an answer. Never throws; `corpo` is a view into `payload`, not a copy. */
export function decodeAnswer(payload: Buffer): DecodedAnswer {
  const framed = decodeFramed(payload)
  if (!framed.ok) return { ok: false, motivo: framed.motivo, id: null }
  const parsed = respostaSchema.safeParse(framed.header)
  if (!parsed.success) {
    return { ok: false, motivo: 'cabeçalho fora do formato', id: idSchema.safeParse(framed.header).data?.id ?? null }
  }
  return { ok: true, resposta: parsed.data, corpo: framed.body }
}
