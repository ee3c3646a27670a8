import { createHash } from 'node:crypto'
import {
  confirmacoesExtrasSchema,
  type Extra,
  extraSchema,
  type LoteExtras,
  loteExtrasSchema,
} from '@vigia/contracts/extras'
import { decodeFramed, encodeFramed } from './framed.ts'

/** One extra with its picture; empty: none. */
export interface ExtraItem {
  readonly extra: Extra
  readonly imagem: Buffer
}

export type DecodedExtra =
  | ({ readonly ok: true } & ExtraItem)
  /** `id`: null when even the id is unreadable; otherwise the answer `recusado` names it. */
  | { readonly ok: false; readonly motivo: string; readonly id: string | null }

export type DecodedExtras =
  | { readonly ok: true; readonly itens: readonly DecodedExtra[] }
  | { readonly ok: false; readonly motivo: string }

/** Largest number of extras in one message. */
export const MAX_EXTRAS = 64

/** A framed message (framed.ts); null above the size limit of the link. */
export function encodeExtras(itens: readonly ExtraItem[]): Buffer | null {
  const header: LoteExtras = { v: 1, itens: itens.map(({ extra, imagem }) => ({ extra, bytes: imagem.length })) }
  return encodeFramed(
    header,
    itens.map(({ imagem }) => imagem),
  )
}

/** Decodes a message and checks each extra on its own. Never throws. Pictures are views into `payload`, not copies. */
export function decodeExtras(payload: Buffer): DecodedExtras {
  const framed = decodeFramed(payload)
  if (!framed.ok) return framed
  const lote = loteExtrasSchema.safeParse(framed.header)
  if (!lote.success) return { ok: false, motivo: 'cabeçalho fora do formato' }
  const total = lote.data.itens.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total !== framed.body.length) return { ok: false, motivo: 'tamanho das imagens diferente do declarado' }
  let offset = 0
  const itens = lote.data.itens.map(({ extra, bytes }) => {
    const imagem = framed.body.subarray(offset, offset + bytes)
    offset += bytes
    return decodeItem(extra, imagem)
  })
  return { ok: true, itens }
}

function decodeItem(unread: unknown, imagem: Buffer): DecodedExtra {
  const parsed = extraSchema.safeParse(unread)
  if (!parsed.success) return { ok: false, motivo: 'registro fora do formato', id: idOf(unread) }
  const extra = parsed.data
  if (extra.imagem === null) {
    if (imagem.length === 0) return { ok: true, extra, imagem }
    return { ok: false, motivo: 'imagem não declarada', id: extra.id }
  }
  const { tamanho, sha256 } = extra.imagem
  if (imagem.length !== tamanho) return { ok: false, motivo: 'tamanho de imagem diferente do declarado', id: extra.id }
  if (createHash('sha256').update(imagem).digest('hex') !== sha256)
    return { ok: false, motivo: 'imagem danificada (sha256 diferente)', id: extra.id }
  return { ok: true, extra, imagem }
}

const idSchema = confirmacoesExtrasSchema.shape.itens.element.pick({ id: true })
const idOf = (extra: unknown): string | null => idSchema.safeParse(extra).data?.id ?? null
