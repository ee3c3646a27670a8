import { z } from 'zod'

/**
 * Form of a backup, version 1 (docs/operations.md):
 *
 * magic (8 bytes) · u32 length of the header · header (JSON) · HMAC-SHA256 of the header · chunks
 *
 * A chunk is u32 (highest bit: last chunk; others: length of the ciphertext) · ciphertext · tag. The plain text of all
 * chunks is a sequence of records: u8 type · u32 length · body. Numbers are big-endian.
 */
export const MAGIC = Buffer.from('VIGIABKP')
export const VERSION = 1
/** Plain bytes of a chunk, except the first and the last one. */
export const CHUNK_BYTES = 1024 * 1024
export const LAST_CHUNK = 0x8000_0000
export const MAX_HEADER_BYTES = 4_096
/** Longest record. */
export const MAX_RECORD_BYTES = 256 * 1024 * 1024
/** Bytes of a file in one record. */
export const PIECE_BYTES = 1024 * 1024

export const headerSchema = z.object({
  versao: z.number(),
  /** Identifies the backup, so that a killed restore continues with the same one. */
  id: z.string(),
  criada_em: z.string(),
  scrypt: z.object({ N: z.number(), r: z.number(), p: z.number() }),
  sal: z.string(),
})

export type Header = z.infer<typeof headerSchema>

export const recordTypes = {
  /** JSON `About`: always the first record. */
  about: 1,
  /** JSON `PrivateFiles` (installation/private-files.ts): always the second record. */
  privateFiles: 2,
  /** gzip of JSON `Rows`. */
  rows: 3,
  /** JSON `TableEnd`: after the rows of a table. */
  tableEnd: 4,
  /** JSON `MediaStart`; its `tamanho` bytes follow in records of the type `piece`. */
  mediaStart: 5,
  piece: 6,
  /** JSON `End`: always the last record. */
  end: 7,
} as const

export interface About {
  /** Migrations that ran. The rows have the schema of the last one. */
  readonly migracoes: readonly string[]
}

export interface Rows {
  readonly tabela: string
  readonly linhas: readonly (readonly (string | number | null)[])[]
}

export interface TableEnd {
  readonly tabela: string
  readonly linhas: number
  /** Sum of the hashes of all rows. */
  readonly soma: string
  /** Highest number that the database gave to a row. */
  readonly contador: number
}

export interface MediaStart {
  readonly caminho: string
  readonly tamanho: number
}

export interface End {
  readonly midias: number
  readonly bytes: number
}

/** A record of the plain text. */
export interface ArchiveRecord {
  readonly type: number
  readonly body: Buffer
}
