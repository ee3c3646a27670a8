import { createHash } from 'node:crypto'
import {
  confirmacoesSchema,
  type Lote,
  loteSchema,
  type Midia,
  type Posicao,
  type Registro,
  registroSchema,
} from '@vigia/contracts/candidate'
import { decodeFramed, encodeFramed } from './framed.ts'

/** One record with its position in the sequence of its camera, and its media in the order of `registro.midias`. */
export interface BatchItem extends Posicao {
  readonly registro: Registro
  readonly midias: readonly Buffer[]
}

/** Records of one edge in storage order. Encoded as a framed message (framed.ts). */
export interface Batch {
  /** Name of the outbox. */
  readonly serie: string
  readonly itens: readonly BatchItem[]
}

export type DecodedItem =
  | ({ readonly ok: true } & BatchItem)
  /** `id`: null when even the id is unreadable; otherwise the answer `recusado` names it. */
  | { readonly ok: false; readonly motivo: string; readonly id: string | null }

export type DecodedBatch =
  | { readonly ok: true; readonly serie: string; readonly itens: readonly DecodedItem[] }
  | { readonly ok: false; readonly motivo: string }

/** Largest number of records in one batch. */
export const MAX_BATCH_ITEMS = 256

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const declaredMedia = (registro: Registro): readonly Pick<Midia, 'tamanho' | 'sha256'>[] =>
  registro.tipo === 'lacuna' ? [] : registro.midias

/** Reason why `midias` differ from the record's declaration (count, length, sha256); null when they match. */
export function mediaFault(registro: Registro, midias: readonly Buffer[]): string | null {
  const declared = declaredMedia(registro)
  if (declared.length !== midias.length) return 'quantidade de imagens diferente da declarada'
  for (const [index, midia] of declared.entries()) {
    const bytes = midias[index]
    if (bytes === undefined || bytes.length !== midia.tamanho) return 'tamanho de imagem diferente do declarado'
    if (sha256(bytes) !== midia.sha256) return 'imagem danificada (sha256 diferente)'
  }
  return null
}

const sumOf = (midias: readonly Buffer[]): number => midias.reduce((sum, { length }) => sum + length, 0)

/**
 * One batch as bytes; null above the size limit of the link (limits.ts). It does not check the media; `mediaFault`
 * does.
 */
export function encodeBatch({ serie, itens }: Batch): Buffer | null {
  const header: Lote = {
    v: 2,
    serie,
    itens: itens.map(({ registro, base, desde, midias }) => ({ registro, base, desde, bytes: sumOf(midias) })),
  }
  return encodeFramed(
    header,
    itens.flatMap(({ midias }) => midias),
  )
}

/** Decodes a batch and checks each record on its own. Never throws. Media are views into `payload`, not copies. */
export function decodeBatch(payload: Buffer): DecodedBatch {
  const batch = openBatch(payload)
  return batch.ok ? { ...batch, itens: [...batch.itens] } : batch
}

/** Same as `decodeBatch`, but checks each record when the iterator reaches it. */
export function openBatch(
  payload: Buffer,
):
  | { readonly ok: true; readonly serie: string; readonly itens: Iterable<DecodedItem> }
  | { readonly ok: false; readonly motivo: string } {
  const framed = decodeFramed(payload)
  if (!framed.ok) return framed
  const lote = loteSchema.safeParse(framed.header)
  if (!lote.success) return { ok: false, motivo: 'cabeçalho fora do formato' }
  const total = lote.data.itens.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total !== framed.body.length) return { ok: false, motivo: 'tamanho das imagens diferente do declarado' }
  return { ok: true, serie: lote.data.serie, itens: decodeItems(lote.data.itens, framed.body) }
}

function* decodeItems(itens: Lote['itens'], body: Buffer): Generator<DecodedItem> {
  let offset = 0
  for (const item of itens) {
    yield decodeItem(item, body.subarray(offset, offset + item.bytes))
    offset += item.bytes
  }
}

function decodeItem({ registro: unread, base, desde }: Lote['itens'][number], body: Buffer): DecodedItem {
  const parsed = registroSchema.safeParse(unread)
  if (!parsed.success) return { ok: false, motivo: 'registro fora do formato', id: idOf(unread) }
  const registro = parsed.data
  const midias: Buffer[] = []
  let offset = 0
  for (const { tamanho } of declaredMedia(registro)) {
    midias.push(body.subarray(offset, offset + tamanho))
    offset += tamanho
  }
  if (offset !== body.length) return { ok: false, motivo: 'imagens diferentes das declaradas', id: registro.id }
  const motivo = mediaFault(registro, midias)
  return motivo === null ? { ok: true, registro, base, desde, midias } : { ok: false, motivo, id: registro.id }
}

const idSchema = confirmacoesSchema.shape.itens.element.pick({ id: true })
const idOf = (registro: unknown): string | null => idSchema.safeParse(registro).data?.id ?? null
