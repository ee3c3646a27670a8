import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { openMediaStore } from '../../adapters/media-store/open-media-store.ts'
import { databasePlace, openInstallation } from '../../db/place.ts'
import { createPathList, namerOf, type PathList } from '../../db/transfer/named-paths.ts'
import { openSource } from '../../db/transfer/open-source.ts'
import { createSum, type RowSource } from '../../db/transfer/rows.ts'
import { describeTables, type TableSchema } from '../../db/transfer/schema.ts'
import { countRows } from '../../db/transfer/verify-tables.ts'
import { type About, type End, type MediaStart, PIECE_BYTES, recordTypes } from '../archive/format.ts'
import { type ArchiveWriter, createArchive } from '../archive/write-archive.ts'
import { type Command, CommandError, type Context } from '../command.ts'
import { readPrivateFiles } from '../installation/private-files.ts'
import { requireOwner } from '../installation/require-owner.ts'
import { newPassphrase } from '../passphrase.ts'
import { archiveName, removeLeftovers } from './archive-name.ts'
import { type Hold, holdMedia } from './hold.ts'
import { readMedia } from './read-media.ts'

const compress = promisify(gzip)

/** Writes one state of the installation into an encrypted file. The service may run. */
export const backup: Command = async (context, { names: [place = ''] }) => {
  const config = context.config()
  requireOwner(config.dataDir)
  const file = archiveName(place, Date.now())
  if (existsSync(file)) throw new CommandError(`${file} já existe. Escolha outro nome, ou apague-o antes.`)
  if (!existsSync(dirname(file))) throw new CommandError(`A pasta ${dirname(file)} não existe. Crie-a antes.`)
  const passphrase = await newPassphrase(context)
  const db = await openInstallation(config)
  try {
    const hold = await holdMedia(db)
    try {
      removeLeftovers(file, Date.now())
      const archive = await createArchive(file, passphrase, Date.now())
      try {
        // From here on, each file that a row of the snapshot names stays.
        const source = await openSource(databasePlace(config))
        const paths = await writeRows(context, { source, archive, keys: () => readPrivateFiles(config, db) })
        const media = await openMediaStore(config)
        const { missing, ...end } = await writeMedia(context, { media, archive, hold, paths })
        await archive.writeJson(recordTypes.end, end satisfies End)
        hold.require()
        await archive.finish()
        context.progress.end()
        context.print(`Cópia completa em ${file}: ${end.midias} arquivos, ${inMb(end.bytes)} MB de imagens e clipes.`)
        if (missing > 0) context.print(`${missing} registros sem arquivo: já faltavam. Veja: vigia conciliar-midia.`)
        return 0
      } finally {
        await archive.close()
      }
    } finally {
      await hold.end()
    }
  } finally {
    context.progress.end()
    await db.destroy()
  }
}

const inMb = (bytes: number): string => (bytes / 1e6).toLocaleString('pt-BR', { maximumFractionDigits: 1 })

interface RowsOfBackup {
  readonly source: RowSource
  readonly archive: ArchiveWriter
  /** Read within the snapshot, so that they open all its secrets. */
  readonly keys: () => ReturnType<typeof readPrivateFiles>
}

/** @returns the files that the rows name */
async function writeRows({ progress }: Context, { source, archive, keys }: RowsOfBackup): Promise<PathList> {
  const paths = createPathList()
  try {
    const tables = await describeTables()
    await archive.writeJson(recordTypes.about, { migracoes: await source.migrations() } satisfies About)
    await archive.writeJson(recordTypes.privateFiles, await keys())
    progress.begin('Banco', await countRows(source, tables))
    for (const table of tables) await writeTable({ source, archive, table, paths, onRows: progress.add })
    return paths
  } finally {
    await source.close()
  }
}

interface TableOfBackup extends Omit<RowsOfBackup, 'keys'> {
  readonly table: TableSchema
  readonly paths: PathList
  readonly onRows: (count: number) => void
}

async function writeTable({ source, archive, table, paths, onRows }: TableOfBackup): Promise<void> {
  const sum = createSum()
  const names = namerOf(table)
  for await (const page of source.pages(table, 0)) {
    for (const row of page) sum.add(row)
    if (names !== null) paths.add(page.flatMap(names))
    await archive.write(recordTypes.rows, await compress(JSON.stringify({ tabela: table.name, linhas: page })))
    onRows(page.length)
  }
  const { rows, sum: soma } = sum.result()
  const end = { tabela: table.name, linhas: rows, soma, contador: await source.counter(table) }
  await archive.writeJson(recordTypes.tableEnd, end)
}

interface MediaOfArchive {
  readonly media: Awaited<ReturnType<typeof openMediaStore>>
  readonly archive: ArchiveWriter
  readonly hold: Hold
  readonly paths: PathList
}

async function writeMedia({ progress }: Context, { media, archive, hold, paths }: MediaOfArchive) {
  const done = { midias: 0, bytes: 0, missing: 0 }
  progress.begin('Imagens e clipes', paths.count)
  for (const group of paths.groups()) {
    for await (const { path, file } of readMedia(media, group)) {
      hold.require()
      if (file === null) {
        done.missing += 1
        continue
      }
      await archive.writeJson(recordTypes.mediaStart, { caminho: path, tamanho: file.size } satisfies MediaStart)
      const written = await writePieces(archive, file.chunks)
      if (written !== file.size) throw new CommandError(`O arquivo ${path} mudou durante a cópia. Tente de novo.`)
      done.midias += 1
      done.bytes += written
    }
    progress.add(group.length)
  }
  return done
}

async function writePieces(archive: ArchiveWriter, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let written = 0
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = Buffer.from(chunk.subarray(at, at + PIECE_BYTES))
      await archive.write(recordTypes.piece, piece)
      written += piece.length
    }
  return written
}
