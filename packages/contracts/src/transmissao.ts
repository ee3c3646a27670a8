import { z } from 'zod'

/**
 * Records of a live stream on the WebSocket `/api/v1/edges/transmissoes/{camera}/{fluxo}?epoca=`. One binary message
 * holds one record. The header is big-endian: u32 bytes behind the header, u8 kind, u8 flags, u16 part index. Then u32
 * media sequence, u32 duration in ticks of 90 kHz, u64 UTC ms of the first picture.
 */
export const CABECALHO_REGISTRO = 24

/** Largest record, in bytes: a keyframe of a 4K camera fits. */
export const MAX_REGISTRO_BYTES = 4 * 1024 * 1024
/** Smallest part: the boxes moof, mfhd, traf, tfhd, tfdt, trun and mdat without a sample (ISO/IEC 14496-12). */
export const MIN_PARTE_BYTES = 8 + 16 + 8 + 16 + 16 + 16 + 8
const MAX_INICIO_BYTES = 64 * 1024
const MAX_DESCRICAO_BYTES = 1024
/** Longest part: 60 s. */
const MAX_DURACAO_TICKS = 60 * 90_000

export const fluxoSchema = z.enum(['principal', 'secundario'])
export type Fluxo = z.infer<typeof fluxoSchema>

/** Description of the stream for its viewers. */
const descricaoSchema = z.object({
  /** RFC 6381, for example `avc1.4d401f`, or `avc1.4d401f,mp4a.40.2` with audio. */
  codecs: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[A-Za-z0-9.]+(,[A-Za-z0-9.]+)?$/),
  largura: z.int().min(1).max(16_384),
  altura: z.int().min(1).max(16_384),
  /** null: not known yet. */
  fps: z.number().min(0.1).max(240).nullable(),
  /** Time between two keyframes. null: not known yet. */
  gop_ms: z.int().min(1).max(60_000).nullable(),
})
export type DescricaoTransmissao = z.infer<typeof descricaoSchema>

export interface InicioTransmissao {
  readonly tipo: 'inicio'
  readonly descricao: DescricaoTransmissao
  /** CMAF header. */
  readonly dados: Uint8Array
}

export interface ParteTransmissao {
  readonly tipo: 'parte'
  /** It begins with a keyframe. The part with index 0 of a segment always does. */
  readonly chave: boolean
  /** Position in its segment. */
  readonly indice: number
  /** Counts the segments of one epoch. */
  readonly segmento: number
  /** Ticks of 90 kHz. */
  readonly duracao: number
  /** UTC ms of the first picture. */
  readonly instante: number
  /** CMAF chunk. */
  readonly dados: Uint8Array
}

/**
 * `lacuna`: pictures are missing before the next part. An edge repeats it while pictures arrive without a keyframe.
 * `fim`: the edge ends the stream.
 */
export type RegistroTransmissao =
  | InicioTransmissao
  | ParteTransmissao
  | { readonly tipo: 'lacuna' }
  | { readonly tipo: 'fim' }

const codigos = { inicio: 0, parte: 1, lacuna: 2, fim: 3 } as const
const CHAVE = 1

interface Cabecalho {
  readonly flags?: number
  readonly indice?: number
  readonly segmento?: number
  readonly duracao?: number
  readonly instante?: number
}

function record(codigo: number, header: Cabecalho, ...content: readonly Uint8Array[]): Uint8Array {
  const { flags = 0, indice = 0, segmento = 0, duracao = 0, instante = 0 } = header
  const bytes = content.reduce((sum, { length }) => sum + length, 0)
  const message = new Uint8Array(CABECALHO_REGISTRO + bytes)
  const view = new DataView(message.buffer)
  view.setUint32(0, bytes)
  view.setUint8(4, codigo)
  view.setUint8(5, flags)
  view.setUint16(6, indice)
  view.setUint32(8, segmento)
  view.setUint32(12, duracao)
  view.setBigUint64(16, BigInt(instante))
  let at = CABECALHO_REGISTRO
  for (const part of content) {
    message.set(part, at)
    at += part.length
  }
  return message
}

/** One message. The caller keeps the limits above; the reader refuses a record beyond them. */
export function encodeRegistro(registro: RegistroTransmissao): Uint8Array {
  if (registro.tipo === 'inicio') {
    const json = new TextEncoder().encode(JSON.stringify(registro.descricao))
    const length = new Uint8Array(2)
    new DataView(length.buffer).setUint16(0, json.length)
    return record(codigos.inicio, {}, length, json, registro.dados)
  }
  if (registro.tipo !== 'parte') return record(codigos[registro.tipo], {})
  const { chave, indice, segmento, duracao, instante, dados } = registro
  return record(codigos.parte, { flags: chave ? CHAVE : 0, indice, segmento, duracao, instante }, dados)
}

/** Reads one message. Never throws; null: not a record of this form. `dados` is a view into `message`, not a copy. */
export function decodeRegistro(message: Uint8Array): RegistroTransmissao | null {
  if (message.length < CABECALHO_REGISTRO || message.length > MAX_REGISTRO_BYTES) return null
  const view = new DataView(message.buffer, message.byteOffset, message.length)
  if (view.getUint32(0) !== message.length - CABECALHO_REGISTRO) return null
  const content = message.subarray(CABECALHO_REGISTRO)
  const header = {
    flags: view.getUint8(5),
    indice: view.getUint16(6),
    segmento: view.getUint32(8),
    duracao: view.getUint32(12),
    instante: Number(view.getBigUint64(16)),
  }
  const codigo = view.getUint8(4)
  if (codigo === codigos.parte) return readParte(header, content)
  if (Object.values(header).some((value) => value !== 0)) return null
  if (codigo === codigos.inicio) return readInicio(content)
  if (content.length > 0) return null
  if (codigo === codigos.lacuna) return { tipo: 'lacuna' }
  return codigo === codigos.fim ? { tipo: 'fim' } : null
}

function readParte({ flags, ...header }: Required<Cabecalho>, dados: Uint8Array): ParteTransmissao | null {
  const chave = flags === CHAVE
  if (flags > CHAVE || dados.length < MIN_PARTE_BYTES || !isChunk(dados)) return null
  if (header.indice === 0 && !chave) return null
  if (header.duracao === 0 || header.duracao > MAX_DURACAO_TICKS) return null
  if (!Number.isSafeInteger(header.instante)) return null
  return { tipo: 'parte', chave, ...header, dados }
}

/** The bytes go to browsers, so they must begin with the box of a CMAF chunk. */
const isChunk = (dados: Uint8Array): boolean => boxType(dados) === 'moof'

const boxType = (dados: Uint8Array): string => String.fromCharCode(...dados.subarray(4, 8))

function readInicio(content: Uint8Array): InicioTransmissao | null {
  if (content.length < 2 || content.length > MAX_INICIO_BYTES) return null
  const length = new DataView(content.buffer, content.byteOffset).getUint16(0)
  if (length > MAX_DESCRICAO_BYTES || length + 2 > content.length) return null
  const descricao = descricaoSchema.safeParse(readJson(content.subarray(2, 2 + length)))
  const dados = content.subarray(2 + length)
  if (!descricao.success || boxType(dados) !== 'ftyp') return null
  return { tipo: 'inicio', descricao: descricao.data, dados }
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
