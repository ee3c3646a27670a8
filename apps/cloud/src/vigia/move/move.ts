import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createFileMediaStore } from '../../adapters/media-store/file-media-store.ts'
import type { MediaStore } from '../../adapters/media-store/interface.ts'
import { openMediaStore } from '../../adapters/media-store/open-media-store.ts'
import type { Config } from '../../config.ts'
import { lockFolder } from '../../db/lock-folder.ts'
import { migrationNames, requireComplete, requireKnown } from '../../db/migrate.ts'
import { databaseFile } from '../../db/place.ts'
import { readNamedPaths } from '../../db/transfer/named-paths.ts'
import { openTarget } from '../../db/transfer/open-target.ts'
import type { RowSource, RowTarget } from '../../db/transfer/rows.ts'
import { describeTables, type TableSchema } from '../../db/transfer/schema.ts'
import { readSqlite } from '../../db/transfer/sqlite-rows.ts'
import { countRows, sumTables, verifyTables } from '../../db/transfer/verify-tables.ts'
import { type Command, CommandError, type Context } from '../command.ts'
import { readKeyFile, requireKeysGiven } from '../installation/private-files.ts'
import { requireOwner } from '../installation/require-owner.ts'
import { requireNoMedia } from '../restore/write-media.ts'
import { type CopiedMedia, compareMedia, copyMedia } from './copy-media.ts'
import { sourceIdentity } from './source-identity.ts'

/**
 * Copies the SQLite file of the data folder into the empty database of VIGIA_BANCO, and its files into the bucket of
 * VIGIA_MIDIA. The source is only read. After a kill, the same call continues.
 */
export const move: Command = async (context) => {
  const config = context.config()
  if (config.banco === null)
    throw new CommandError('Falta o destino: defina VIGIA_BANCO com a URL de um banco PostgreSQL vazio.')
  const file = databaseFile(config.cloudDir)
  if (!existsSync(file)) throw new CommandError(`Não há banco em ${file}. Confira VIGIA_DATA_DIR.`)
  requireOwner(config.dataDir)
  const keys = readKeyFile(config)
  if (keys !== null) requireKeysGiven(config, keys)
  const lock = lockFolder(config.cloudDir)
  if (lock === null) throw new CommandError('A central está rodando nesta pasta de dados. Pare o serviço antes.')
  const source = readSqlite(file)
  try {
    const applied = await source.migrations()
    requireKnown(applied)
    requireComplete(applied)
    await moveInto(context, { config, banco: config.banco.reveal(), file, source })
    return 0
  } finally {
    context.progress.end()
    await source.close()
    lock.release()
  }
}

interface Move {
  readonly config: Config
  readonly banco: string
  readonly file: string
  readonly source: RowSource
}

async function moveInto(context: Context, { config, banco, file, source }: Move): Promise<void> {
  const { progress, print } = context
  const tables = await describeTables()
  const media = config.midia === null ? null : await openMediaStore(config)
  const target = await openTarget({
    place: banco,
    tables,
    last: migrationNames.at(-1) ?? '',
    action: 'vigia migrar',
    origin: sourceIdentity(file),
  })
  try {
    if (media !== null && !target.resumed) await requireNoMedia(media)
    if (target.resumed) print('Continua a mudança que foi interrompida.')
    await copyRows(context, { source, target, tables })
    const copied =
      media === null ? null : await moveMedia(context, { config, media, source, tables, isResumed: target.resumed })
    const expected = await sumTables({ source, tables, label: 'Conferência da origem', progress })
    await verifyTables({ target, tables, expected, progress })
    await target.finish()
    progress.end()
    const rows = [...expected.values()].reduce((sum, table) => sum + table.rows, 0)
    print(`Mudança completa: ${tables.length} tabelas, ${rows.toLocaleString('pt-BR')} linhas, sem diferenças.`)
    print(describeMedia(config.cloudDir, copied))
    print(`Inicie o serviço com esta configuração. ${file} não foi mudado: guarde-o até ter certeza.`)
  } finally {
    await target.close()
  }
}

function describeMedia(cloudDir: string, copied: CopiedMedia | null): string {
  if (copied === null)
    return `As imagens e os clipes continuam em ${join(cloudDir, 'media')}: VIGIA_MIDIA não foi definida.`
  const mb = (copied.bytes / 1e6).toLocaleString('pt-BR', { maximumFractionDigits: 1 })
  const missing = copied.missing === 0 ? '' : ` ${copied.missing} registros já estavam sem arquivo.`
  return `${copied.files.toLocaleString('pt-BR')} imagens e clipes, ${mb} MB, sem diferenças.${missing}`
}

interface RowsOfMove {
  readonly source: RowSource
  readonly target: RowTarget
  readonly tables: readonly TableSchema[]
}

async function copyRows({ progress }: Context, { source, target, tables }: RowsOfMove): Promise<void> {
  progress.begin('Banco', await countRows(source, tables))
  for (const table of tables) {
    let stored = await target.stored(table)
    progress.add(stored)
    for await (const page of source.pages(table, stored)) {
      await target.insert(table, page, stored)
      stored += page.length
      progress.add(page.length)
    }
    await target.setCounter(table, await source.counter(table))
  }
}

interface MediaOfMove {
  readonly config: Config
  readonly media: MediaStore
  readonly source: RowSource
  readonly tables: readonly TableSchema[]
  readonly isResumed: boolean
}

async function moveMedia(
  { progress }: Context,
  { config, media, source, tables, isResumed }: MediaOfMove,
): Promise<CopiedMedia> {
  const from = createFileMediaStore({ dir: join(config.cloudDir, 'media') })
  const paths = await readNamedPaths(source, tables)
  const copied = await copyMedia({ from, to: media, paths, progress }, isResumed)
  const different = await compareMedia({ from, to: media, paths, progress })
  if (different.length > 0)
    throw new CommandError(
      `${different.length} arquivos do destino não são iguais aos da origem, por exemplo ${different[0]}. ` +
        'Apague-os do bucket e rode vigia migrar de novo.',
    )
  return copied
}
