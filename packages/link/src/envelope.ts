import { createHash } from 'node:crypto'
import { confirmacaoSchema, type Midia, type Registro, registroSchema } from '@vigia/contracts/candidate'
import { VigiaError } from '@vigia/contracts/errors'
import { decodeFramed, encodeFramed } from './framed.ts'

/** Travels framed (framed.ts): the record is the header, its media follow in the order of `registro.midias`. */
export interface Envelope {
  readonly registro: Registro
  readonly midias: readonly Buffer[]
}

export type DecodedEnvelope =
  | { readonly ok: true; readonly registro: Registro; readonly midias: Buffer[] }
  /** `id` is known when the header could be read that far, so that the sender can be told `recusado`. */
  | { readonly ok: false; readonly motivo: string; readonly id: string | null }

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const declaredMedia = (registro: Registro): readonly Midia[] => (registro.tipo === 'candidato' ? registro.midias : [])

/** Why `midias` are not what the header declares; null when they are. */
function mediaFault(declared: readonly Midia[], midias: readonly Buffer[]): string | null {
  if (declared.length !== midias.length) return 'quantidade de imagens diferente da declarada'
  for (const [index, midia] of declared.entries()) {
    const bytes = midias[index]
    if (bytes === undefined || bytes.length !== midia.tamanho) return 'tamanho de imagem diferente do declarado'
    if (sha256(bytes) !== midia.sha256) return 'imagem danificada (sha256 diferente)'
  }
  return null
}

/**
 * One record as bytes.
 * @throws RangeError when `midias` are not those that `registro` declares (count, length, sha256): a defect of the caller
 * @throws VigiaError `corpo_grande` above MAX_RECORD_BYTES: no broker would take it
 */
export function encodeEnvelope({ registro, midias }: Envelope): Buffer {
  const fault = mediaFault(declaredMedia(registro), midias)
  if (fault !== null) throw new RangeError(`envelope: ${fault}`)
  const envelope = encodeFramed(registro, midias)
  if (envelope === null) {
    throw new VigiaError('corpo_grande', { detalhe: 'O evento com suas imagens é grande demais para ser enviado.' })
  }
  return envelope
}

/** Reads and checks a record. Never throws; the media are views into `payload`, not copies. */
export function decodeEnvelope(payload: Buffer): DecodedEnvelope {
  const refuse = (motivo: string, id: string | null = null): DecodedEnvelope => ({ ok: false, motivo, id })
  const framed = decodeFramed(payload)
  if (!framed.ok) return refuse(framed.motivo)
  const { header, body } = framed
  const parsed = registroSchema.safeParse(header)
  if (!parsed.success) return refuse('cabeçalho fora do formato', idOf(header))

  const registro = parsed.data
  const midias: Buffer[] = []
  let offset = 0
  for (const { tamanho } of declaredMedia(registro)) {
    midias.push(body.subarray(offset, offset + tamanho))
    offset += tamanho
  }
  if (offset < body.length) return refuse('bytes a mais no fim da mensagem', registro.id)
  const fault = mediaFault(declaredMedia(registro), midias)
  return fault === null ? { ok: true, registro, midias } : refuse(fault, registro.id)
}

function idOf(header: unknown): string | null {
  const parsed = confirmacaoSchema.pick({ id: true }).safeParse(header)
  return parsed.success ? parsed.data.id : null
}
