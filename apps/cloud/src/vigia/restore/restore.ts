import { openMediaStore } from '../../adapters/media-store/open-media-store.ts'
import type { Config } from '../../config.ts'
import { lockFolder } from '../../db/lock-folder.ts'
import { isPrefixOfMigrations, requireKnown } from '../../db/migrate.ts'
import { databasePlace } from '../../db/place.ts'
import { isUsed, openTarget } from '../../db/transfer/open-target.ts'
import type { RowTarget } from '../../db/transfer/rows.ts'
import { describeTables, type TableSchema } from '../../db/transfer/schema.ts'
import { verifyTables } from '../../db/transfer/verify-tables.ts'
import type { TableEnd } from '../archive/format.ts'
import { type ArchiveReader, openArchive } from '../archive/read-archive.ts'
import { type Command, CommandError, type Context } from '../command.ts'
import { requireAcceptable, writePrivateFiles } from '../installation/private-files.ts'
import { requireOwner } from '../installation/require-owner.ts'
import { readPassphrase } from '../passphrase.ts'
import { readMark, removeMark, writeMark } from './mark.ts'
import { type Contents, readContents, readRecords } from './read-records.ts'
import { createMediaWriter, requireNoMedia } from './write-media.ts'

/** Fills an empty installation from a backup. After a kill, the same call continues. */
export const restore: Command = async (context, { names: [file = ''] }) => {
  const config = context.config()
  requireOwner(config.dataDir)
  const reader = await openArchive(file, await readPassphrase(context))
  try {
    const lock = lockFolder(config.cloudDir)
    if (lock === null) throw new CommandError('A central está rodando nesta pasta de dados. Pare o serviço antes.')
    try {
      const contents = await readContents(reader)
      await restoreContents(context, { config, reader, contents })
      return 0
    } finally {
      context.progress.end()
      lock.release()
    }
  } finally {
    await reader.close()
  }
}

interface Restore {
  readonly config: Config
  readonly reader: ArchiveReader
  readonly contents: Contents
}

async function restoreContents(context: Context, { config, reader, contents }: Restore): Promise<void> {
  const last = lastMigration(contents.about.migracoes)
  const tables = await describeTables(last)
  const { cloudDir } = config
  const place = databasePlace(config)
  const mark = readMark(cloudDir)
  if (mark !== null && mark !== reader.header.id)
    throw new CommandError(
      `Em ${cloudDir} há uma restauração inacabada de outra cópia. Use uma pasta, um banco e um bucket vazios.`,
    )
  const hasRows = await isUsed(place, tables)
  if (hasRows && mark !== null) {
    // Killed after the database was complete.
    removeMark(cloudDir)
    return context.print('A restauração já estava completa. Inicie o serviço.')
  }
  if (hasRows)
    throw new CommandError(
      'O banco de destino não está vazio. Use um banco vazio. Nada foi mudado. ' +
        'Se este comando já tinha terminado, inicie o serviço.',
    )
  requireAcceptable(config, contents.privateFiles)
  const media = await openMediaStore(config)
  if (mark === null) await requireNoMedia(media)
  writeMark(cloudDir, reader.header.id)
  const hasKeyFile = await writePrivateFiles(config, contents.privateFiles)
  await media.recover()
  const target = await openTarget({ place, tables, last, origin: reader.header.id, action: 'vigia restaurar' })
  try {
    const writer = createMediaWriter(media, mark !== null)
    const { rows, expected } = createRowWriter(target, tables)
    context.progress.begin('Restauração', reader.size)
    await readRecords(reader, { ...rows, media: writer.write }, context.progress.add)
    await writer.flush()
    await verifyTables({ target, tables, expected, progress: context.progress })
    await target.finish()
    removeMark(cloudDir)
    const { midias, bytes } = writer.done
    context.progress.end()
    context.print(
      `Restauração completa: ${tables.length} tabelas sem diferenças, ${midias} arquivos, ` +
        `${(bytes / 1e6).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} MB. Inicie o serviço.`,
    )
    if (hasKeyFile && config.banco)
      context.print(`A chave está em ${cloudDir}/chave. Com várias réplicas, ponha-a em VIGIA_CHAVE de cada uma.`)
  } finally {
    await target.close()
  }
}

function lastMigration(applied: readonly string[]): string {
  requireKnown(applied)
  const last = applied.at(-1)
  if (last === undefined || !isPrefixOfMigrations(applied))
    throw new CommandError('A cópia é de uma versão que este programa não restaura. Use a versão que a fez.')
  return last
}

/** Stores rows, without those of an earlier run. */
function createRowWriter(target: RowTarget, tables: readonly TableSchema[]) {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const expected = new Map<string, { readonly rows: number; readonly sum: string }>()
  let current = ''
  let stored = 0
  let seen = 0

  function tableOf(name: string): TableSchema {
    const table = byName.get(name)
    if (!table) throw new CommandError(`A cópia tem a tabela ${name}, que esta versão não conhece.`)
    return table
  }

  return {
    expected,
    rows: {
      async rows(name: string, rows: readonly (readonly (string | number | null)[])[]): Promise<void> {
        const table = tableOf(name)
        if (name !== current) stored = await target.stored(table)
        if (name !== current) seen = 0
        current = name
        const missing = rows.slice(Math.max(0, stored - seen))
        seen += rows.length
        if (missing.length === 0) return
        await target.insert(table, missing, stored)
        stored += missing.length
      },
      async tableEnd({ tabela, linhas, soma, contador }: TableEnd): Promise<void> {
        await target.setCounter(tableOf(tabela), contador)
        expected.set(tabela, { rows: linhas, sum: soma })
      },
    },
  }
}
