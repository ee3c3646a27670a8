import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'

/** One recorded answer of the REST API of a release to a GET. */
export interface RecordedAnswer {
  readonly caller: string
  /** Path and query, below the server's address. */
  readonly path: string
  readonly status: number
  readonly total: string | null
  /** JSON, or `{sha256, type}` of any other body. */
  readonly body: unknown
}

/** Recorded API answers of a release from the data directory beside this file. */
export interface RecordedAnswers {
  /** Time of the cloud's clock during the recording, in epoch ms. */
  readonly now: number
  /** Session tokens by caller; they exist only in this data directory. */
  readonly tokens: Readonly<Record<string, string>>
  readonly password: string
  readonly agent: { readonly clientId: string; readonly refreshToken: string }
  readonly answers: readonly RecordedAnswer[]
}

/** One MQTT message in its wire format. */
export interface RecordedMessage {
  readonly topic: string
  readonly payloadBase64: string
}

export interface RecordedMessages {
  readonly edgeId: number
  readonly empresaId: number
  readonly cameraId: number
  /** Private JWK of this edge, which decrypts the sealed fields. */
  readonly sealKey: Readonly<Record<string, string>>
  readonly fromEdge: readonly RecordedMessage[]
  readonly fromCloud: readonly RecordedMessage[]
  /** JSON Schemas of this release for each kind of message. */
  readonly schemas: Readonly<Record<string, object>>
}

const folder = fileURLToPath(new URL('../releases/', import.meta.url))
const run = promisify(execFile)

/** Names of the recorded releases; each is the name of its last migration. */
export const releaseNames = (): string[] => readdirSync(folder).sort()

interface Recorded {
  readonly answers: RecordedAnswers
  readonly messages: RecordedMessages
}

const fileOf = (release: string, kind: keyof Recorded) => join(folder, release, `${kind}.json.gz`)

export async function readRecorded<Kind extends keyof Recorded>(release: string, kind: Kind): Promise<Recorded[Kind]> {
  return JSON.parse(gunzipSync(await readFile(fileOf(release, kind))).toString()) as Recorded[Kind]
}

export async function writeRecorded<Kind extends keyof Recorded>(release: string, kind: Kind, content: Recorded[Kind]) {
  await mkdir(join(folder, release), { recursive: true })
  await writeFile(fileOf(release, kind), gzipSync(JSON.stringify(content), { level: 9 }))
}

const archiveOf = (release: string) => join(folder, release, 'data.tar.gz')

/** Archives a data directory. The archive is deterministic: equal content gives equal bytes. */
export async function packData(release: string, dataDir: string): Promise<string> {
  await mkdir(join(folder, release), { recursive: true })
  const file = archiveOf(release)
  const still = ['--sort=name', '--owner=0', '--group=0', '--mtime=2026-01-01']
  await run('tar', [...still, '-I', 'gzip -9n', '-cf', file, '-C', dataDir, '.'])
  return file
}

/** Unpacks the data directory of a release into the existing folder `dataDir`. */
export async function unpackData(release: string, dataDir: string): Promise<void> {
  await run('tar', ['-xzf', archiveOf(release), '-C', dataDir])
}
