import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newInstallationMark } from '@vigia/link/pki/authority'
import type { LongStep } from '@vigia/runtime/heartbeat'
import { keyFile } from './adapters/key-file.ts'
import type { Config } from './config.ts'
import { DataError } from './db/errors.ts'
import { inspectDatabase } from './db/inspect.ts'
import { LOCK_FILE, lockFolder } from './db/lock-folder.ts'
import { sealedColumns } from './db/sealed-columns.ts'

type DataConfig = Pick<Config, 'dataDir' | 'cloudDir' | 'chave' | 'comecarDeNovo' | 'edgeLocal' | 'banco'>

interface OpenDataDirDeps {
  readonly config: DataConfig
  readonly announce: (line: string) => void
  readonly step: LongStep
  readonly now: number
}

/** Longest duration of the check of the whole database. */
const LONGEST_CHECK_MS = 30 * 60_000

/**
 * Locks the data directory for this process, and checks that its files belong together, before the first write. With
 * VIGIA_COMECAR_DE_NOVO, moves unusable data into a folder beside them.
 * @throws DataError when another process uses the directory, or when its data are unusable
 */
export async function openDataDir(deps: OpenDataDirDeps): Promise<{ release(): void }> {
  const { dataDir, cloudDir } = deps.config
  const lock = lockFolder(cloudDir)
  if (lock === null)
    throw new DataError(
      `Outra central do Vigia já usa a pasta ${dataDir}. Pare-a antes, ou use outra pasta com VIGIA_DATA_DIR.`,
    )
  try {
    // On PostgreSQL the folder of a replica may be empty at any start.
    if (deps.config.banco === null) await requireUsable(deps)
    return lock
  } catch (error) {
    lock.release()
    throw error
  }
}

async function requireUsable({ config, announce, step, now }: OpenDataDirDeps): Promise<void> {
  const { dataDir, comecarDeNovo } = config
  const state = await step('exame do banco de dados', LONGEST_CHECK_MS, () => stateOf(config))
  if (state === 'nova') return
  if (state === 'em_ordem') {
    if (comecarDeNovo)
      announce(`VIGIA_COMECAR_DE_NOVO foi ignorada: os dados em ${dataDir} estão em ordem. Tire-a da configuração.`)
    return
  }
  if (!comecarDeNovo) throw new DataError(state.problema)
  const folder = setAside(config, now)
  announce(`O Vigia começa de novo. Os dados anteriores estão em ${folder}; nada foi apagado.`)
}

/** `nova`: no data stored yet, or the disk is unreadable. `problema`: Portuguese text with the steps to recover. */
function stateOf({ dataDir, cloudDir, chave }: DataConfig): 'nova' | 'em_ordem' | { readonly problema: string } {
  const file = join(cloudDir, 'vigia.db')
  const key = keyFile({ cloudDir })
  const database = inspectDatabase(file, sealedColumns)
  if (database.kind === 'danificado') return { problema: damagedSentence(cloudDir, database.detalhe) }
  if (database.kind === 'nao_lido') return 'nova'
  if (database.kind === 'em_ordem') {
    if (!database.sealed || chave !== null || existsSync(key)) return 'em_ordem'
    return {
      problema:
        `Falta ${key}, a chave que abre as senhas guardadas em ${file}. ` +
        `Restaure esse arquivo da cópia de segurança, ou ${START_ANEW}`,
    }
  }
  const hasPki = existsSync(join(dataDir, 'pki')) && !existsSync(newInstallationMark(dataDir))
  if (!hasPki && !existsSync(key)) return 'nova'
  const left = [...(hasPki ? [join(dataDir, 'pki')] : []), ...(existsSync(key) ? [key] : [])].join(' e ')
  return {
    problema:
      `O banco de dados ${file} falta ou está vazio, mas ${left} são de uma instalação que já tinha dados. ` +
      `Restaure vigia.db e chave da cópia de segurança, ou ${START_ANEW}`,
  }
}

const START_ANEW =
  'inicie com VIGIA_COMECAR_DE_NOVO=1 para começar sem os dados: ' +
  'o que resta deles vai para uma pasta com a data, e nada é apagado.'

/** Portuguese message for a damaged database, with the steps to recover it. */
export const damagedSentence = (cloudDir: string, detalhe: string): string =>
  `O banco de dados ${join(cloudDir, 'vigia.db')} está danificado (${detalhe}). Nada foi mudado. ` +
  `Para recuperar, com o Vigia parado:
1. Copie a pasta ${cloudDir} inteira para outro disco.
2. Com cópia de segurança: devolva dela vigia.db e chave, e tire da pasta vigia.db-wal e vigia.db-shm.
3. Sem cópia: sqlite3 vigia.db .recover | sqlite3 novo.db, ` +
  `e ponha novo.db no lugar de vigia.db, sem vigia.db-wal e vigia.db-shm.
4. Se nada disso servir, ${START_ANEW}`

/**
 * Moves the data of the cloud, and of the local edge, whose outbox refers to cameras of that database. Keeps the CA: a
 * new database accepts no edge with an older certificate. After an interruption the next start is refused again.
 */
function setAside({ dataDir, cloudDir, edgeLocal }: DataConfig, now: number): string {
  const folder = newFolder(join(dataDir, `antigo-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}`))
  mkdirSync(join(folder, 'cloud'), { mode: 0o700 })
  for (const name of readdirSync(cloudDir))
    if (name !== 'tls' && !name.startsWith(LOCK_FILE)) renameSync(join(cloudDir, name), join(folder, 'cloud', name))
  const edge = join(dataDir, 'edge')
  if (edgeLocal && existsSync(edge)) renameSync(edge, join(folder, 'edge'))
  if (existsSync(join(dataDir, 'pki'))) writeFileSync(newInstallationMark(dataDir), '', { mode: 0o600 })
  return folder
}

/** Creates a folder of that name, with a number appended if it exists. */
function newFolder(path: string): string {
  for (let number = 1; ; number++) {
    const folder = number === 1 ? path : `${path}-${number}`
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) return folder
  }
}
