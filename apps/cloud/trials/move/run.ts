import { randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { type PostgresServer, startPostgres } from '@vigia/testing/postgres-server'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import type { TrialOutput } from '@vigia/testing/trial'
import { waitFor } from '@vigia/testing/wait'
import { signIn } from '../../src/test/clients/client.ts'
import { type Crawl, crawlApi, differencesOf } from '../../src/test/clients/crawl.ts'
import { runVigia, wasComplete } from '../../src/test/clients/run-vigia.ts'
import { type StillCloud, startStillCloud } from '../../src/test/clouds/still-cloud.ts'
import { ADMIN, SENHA } from '../../src/test/clouds/test-app.ts'
import { fillLargeInstallation, LARGE_NOW } from '../../src/test/records/large-installation.ts'
import { openTestBucket, type TestBucket } from '../../src/test/stand-ins/s3-bucket.ts'
import { addPictures, createDatabase, describeSource, hasCountedMedia } from './source-store.ts'

export interface MoveOptions {
  readonly events: number
  readonly pictureBytes: number
  /** Kills of each command. */
  readonly kills: number
  readonly progress: TrialOutput['progress']
}

/** One command, with all its kills, and the API of its target compared with that of the source. */
interface MoveStep {
  readonly command: string
  readonly kills: number
  /** All runs together. */
  readonly seconds: number
  /** The last run, which ended by itself. */
  readonly lastSeconds: number
  /** Answers of the API that were compared; null: the command makes no installation. */
  readonly answers: number | null
  readonly differences: readonly string[]
}

export interface MoveResult {
  readonly rows: number
  readonly files: number
  readonly bytes: number
  readonly steps: readonly MoveStep[]
}

type Env = Readonly<Record<string, string>>

const COUNTED_MS = 3_600_000

/** Parts of a run: events, pictures, commands, and a crawl of the source and of each new installation. */
const PARTS = 2 + 5 + 4

interface Stand {
  readonly dir: string
  readonly postgres: PostgresServer
  readonly bucket: TestBucket
  readonly options: MoveOptions
  tokens: Readonly<Record<string, string>>
  /** Number of ended parts of the run. */
  ended: number
}

/** Moves, backs up and restores a large installation. */
export async function runMove(options: MoveOptions): Promise<MoveResult> {
  const dir = temporaryDiskFolder('vigia-mudanca-')
  const postgres = await startPostgres()
  const bucket = await openTestBucket()
  try {
    return await runSteps({ dir, postgres, bucket, options, tokens: {}, ended: 0 })
  } finally {
    await bucket.server.stop()
    await postgres.close()
    await rm(dir, { recursive: true, force: true })
  }
}

async function runSteps(stand: Stand): Promise<MoveResult> {
  const { dir, postgres, bucket } = stand
  const source = { VIGIA_DATA_DIR: join(dir, 'a') }
  await fill(stand, source)
  const size = describeSource(join(dir, 'a/cloud'))
  const banco = async (name: string) => ({ VIGIA_BANCO: await createDatabase(postgres, name) })
  const moved = { ...source, ...(await banco('movido')), ...bucket.env('movido') }
  const onPostgres = { VIGIA_DATA_DIR: join(dir, 'b'), ...(await banco('restaurado')) }
  const onSqlite = { VIGIA_DATA_DIR: join(dir, 'c') }
  const files = { sqlite: join(dir, 'sqlite.copia'), postgres: join(dir, 'postgres.copia') }
  const commands: readonly Planned[] = [
    { name: 'migrar: SQLite → PostgreSQL + S3', args: ['migrar'], env: moved, isInstallation: true },
    { name: 'backup: PostgreSQL + S3', args: ['backup', files.postgres], env: moved, isInstallation: false },
    { name: 'restaurar: PostgreSQL', args: ['restaurar', files.postgres], env: onPostgres, isInstallation: true },
    { name: 'backup: SQLite', args: ['backup', files.sqlite], env: source, isInstallation: false },
    { name: 'restaurar: SQLite', args: ['restaurar', files.sqlite], env: onSqlite, isInstallation: true },
  ]
  const ran = []
  for (const command of commands) {
    const times = await part(stand, command.name, () => runWithKills(stand, command))
    ran.push({ ...command, ...times })
  }
  // Each crawl writes audit records, so that the clouds start only after all commands.
  const expected = await crawl(stand, source)
  const steps: MoveStep[] = []
  for (const { name, env, isInstallation, ...times } of ran) {
    const answers = isInstallation ? await crawl(stand, env) : null
    const differences = answers === null ? [] : differencesOf(expected, answers)
    steps.push({ command: name, ...times, answers: answers?.size ?? null, differences })
  }
  return { ...size, steps }
}

interface Planned {
  readonly name: string
  readonly args: readonly string[]
  readonly env: Env
  /** Whether the command fills an installation. */
  readonly isInstallation: boolean
}

/** Fills the source, and signs in an operator and an administrador. */
async function fill(stand: Stand, env: Env): Promise<void> {
  const { dir, options } = stand
  const { events, pictureBytes } = options
  const cloudDir = join(dir, 'a/cloud')
  await ensureInstallationPki({ dir: join(dir, 'a'), brokerHosts: [] })
  await part(stand, 'events', () => fillLargeInstallation(cloudDir, events))
  await part(stand, 'pictures', async () => addPictures(cloudDir, pictureBytes))
  stand.tokens = await withCloud(env, async ({ url }) => {
    const operator = await signIn(url, ADMIN.username, ADMIN.password)
    const login = { username: 'ana', senha: SENHA, papel: 'administrador', empresa_id: 2 }
    await operator.expect(201, 'POST', '/api/v1/usuarios', login)
    // GET /limites names the sum, so that a count that continues after the move would be a difference.
    await waitFor('the bytes of the pictures', () => hasCountedMedia(cloudDir), { timeoutMs: COUNTED_MS, everyMs: 500 })
    return { operador: operator.token, administrador: (await signIn(url, 'ana', SENHA)).token }
  })
}

async function withCloud<T>(env: Env, work: (cloud: StillCloud) => Promise<T>): Promise<T> {
  await ensureInstallationPki({ dir: env.VIGIA_DATA_DIR ?? '', brokerHosts: [] })
  const cloud = await startStillCloud(env, LARGE_NOW)
  try {
    return await work(cloud)
  } finally {
    await cloud.stop()
  }
}

const crawl = (stand: Stand, env: Env): Promise<Crawl> =>
  part(stand, 'answers of the API', () =>
    withCloud(env, (cloud) => crawlApi(cloud, { tokens: stand.tokens, now: LARGE_NOW, idsAtMost: 50 })),
  )

/** Does the next part of the run. */
async function part<T>(stand: Stand, title: string, work: () => Promise<T>): Promise<T> {
  stand.options.progress(stand.ended / PARTS, title)
  const result = await work()
  stand.ended += 1
  return result
}

const FIRST_KILL_MS = 1_000
/** Within the shortest command, so that most kills find it at work. */
const LAST_KILL_MS_PER_EVENT = 0.5

/** Kills the command at random times, and runs it again until it ends by itself. */
async function runWithKills({ options, ended }: Stand, { name, args, env }: Planned) {
  const start = performance.now()
  let kills = 0
  for (;;) {
    const runStart = performance.now()
    const killMs =
      kills < options.kills
        ? randomInt(FIRST_KILL_MS, FIRST_KILL_MS + Math.ceil(options.events * LAST_KILL_MS_PER_EVENT))
        : LONGEST_MS
    if (kills > 0) options.progress(ended / PARTS, `${name}, after ${kills} kills`)
    const { code, output } = await runVigia(args, env, killMs)
    if (code === null && killMs !== LONGEST_MS) {
      kills += 1
      continue
    }
    if (code !== 0 && !(kills > 0 && wasComplete(output))) throw new Error(`vigia ${args[0]}: ${code} ${output}`)
    const [seconds, lastSeconds] = [start, runStart].map((since) => (performance.now() - since) / 1_000)
    return { kills, seconds: seconds ?? 0, lastSeconds: lastSeconds ?? 0 }
  }
}

const LONGEST_MS = 3_600_000
