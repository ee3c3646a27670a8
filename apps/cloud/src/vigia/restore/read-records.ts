import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Row } from '../../db/transfer/rows.ts'
import {
  type About,
  type ArchiveRecord,
  type MediaStart,
  type Rows,
  recordTypes,
  type TableEnd,
} from '../archive/format.ts'
import type { ArchiveReader } from '../archive/read-archive.ts'
import { CommandError } from '../command.ts'
import type { PrivateFiles } from '../installation/private-files.ts'

const decompress = promisify(gunzip)

/** Contents that a restore needs before it writes. */
export interface Contents {
  readonly about: About
  readonly privateFiles: PrivateFiles
}

export async function readContents(reader: ArchiveReader): Promise<Contents> {
  let about: About | null = null
  for await (const { type, body } of reader.records(() => {})) {
    if (about === null && type === recordTypes.about) about = parse<About>(body)
    else if (about !== null && type === recordTypes.privateFiles) return { about, privateFiles: parse(body) }
    else break
  }
  throw new CommandError('A cópia não tem o começo esperado: foi feita por outra versão da Vigia.')
}

/** The target of a restore. It gets the records in the order of the archive. */
export interface Receiver {
  rows(table: string, rows: readonly Row[]): Promise<void>
  tableEnd(end: TableEnd): Promise<void>
  /** Must read all chunks. */
  media(path: string, size: number, chunks: AsyncIterable<Buffer>): Promise<void>
}

/** Hands all records after the contents to `receiver`. @throws CommandError if the archive is not complete */
export async function readRecords(
  reader: ArchiveReader,
  receiver: Receiver,
  onBytes: (count: number) => void,
): Promise<void> {
  const records = reader.records(onBytes)[Symbol.asyncIterator]()
  for (;;) {
    const { value, done } = await records.next()
    if (done) throw new CommandError('A cópia termina antes do fim.')
    if (value.type === recordTypes.end) return
    await handOver(value, records, receiver)
  }
}

async function handOver(
  { type, body }: ArchiveRecord,
  records: AsyncIterator<ArchiveRecord>,
  receiver: Receiver,
): Promise<void> {
  if (type === recordTypes.rows) {
    const { tabela, linhas } = parse<Rows>(await decompress(body))
    await receiver.rows(tabela, linhas)
  } else if (type === recordTypes.tableEnd) await receiver.tableEnd(parse(body))
  else if (type === recordTypes.mediaStart) {
    const { caminho, tamanho } = parse<MediaStart>(body)
    await receiver.media(caminho, tamanho, pieces(records, tamanho))
  }
}

async function* pieces(records: AsyncIterator<ArchiveRecord>, size: number): AsyncIterable<Buffer> {
  for (let left = size; left > 0; ) {
    const { value, done } = await records.next()
    if (done || value.type !== recordTypes.piece) throw new CommandError('A cópia termina no meio de um arquivo.')
    left -= value.body.length
    yield value.body
  }
}

const parse = <T>(body: Buffer): T => JSON.parse(body.toString()) as T
