import { mkdirSync, rmSync } from 'node:fs'
import { newInstallationMark } from '@vigia/link/pki/authority'
import { createBallast } from '@vigia/runtime/ballast'
import type { LongStep } from '@vigia/runtime/heartbeat'
import type { Clock } from './adapters/clock.ts'
import { createDiskSpace, type DiskSpace } from './adapters/disk-space.ts'
import { keyFile, secretKeys } from './adapters/key-file.ts'
import type { MediaStore } from './adapters/media-store/interface.ts'
import { mediaFolder, openMediaStore } from './adapters/media-store/open-media-store.ts'
import { createSecretBox, type SecretBox } from './adapters/secret-box.ts'
import type { Config } from './config.ts'
import type { HeavyReads } from './db/heavy-reads/heavy-reads.ts'
import type { Database } from './db/open.ts'
import { databaseFile } from './db/place.ts'
import type { Pulse } from './db/pulse.ts'
import { recountSizes } from './domains/locais/edges/recount-sizes.ts'
import { describeRenewal, renewSeals } from './domains/locais/segredos/renew-seals.ts'
import type { Logger } from './http/request-log.ts'
import { openCloudDatabase } from './open-cloud-database.ts'
import { shareAuthority } from './replicas/share-authority.ts'
import { openTelemetry, type Telemetry } from './telemetry/telemetry.ts'

/** Steps that end what a start has opened. They run in reverse order. */
export type Undo = (() => Promise<void> | void)[]

/** Longest time of a start-up step that grows with the data. */
export const LONGEST_STEP_MS = 3_600_000

/** The data of the installation. */
export interface Stores {
  readonly telemetry: Telemetry
  readonly media: MediaStore
  /** Whether the bucket of the media certainly keeps deleted files. */
  readonly keepsVersions: boolean
  readonly disk: DiskSpace
  /** The disk of the media; null: it is not of this machine. */
  readonly measure: DiskSpace['measure'] | (() => null)
  readonly db: Database
  readonly reads: HeavyReads
}

interface OpenDeps {
  readonly config: Config
  readonly step: LongStep
  readonly pulse: Pulse
  readonly undo: Undo
  readonly log: Logger
}

/** Opens telemetry, media and database. */
export async function openStores({ config, step, pulse, undo, log }: OpenDeps): Promise<Stores> {
  const telemetry = await openTelemetry(config.telemetria, log)
  undo.push(telemetry.stop)
  mkdirSync(config.cloudDir, { recursive: true, mode: 0o700 })
  let keepsVersions = false
  const media = await openMediaStore(config, (warning) => {
    keepsVersions = warning.keepsVersions
    log.warn({ aviso: warning.aviso }, 'media store with a warning')
  })
  const mediaDir = mediaFolder(config)
  const disk = createDiskSpace({
    dirs: [config.cloudDir, ...(mediaDir === null ? [] : [mediaDir])],
    lowBytes: config.disco.avisoBytes,
    minimumBytes: config.disco.minimoBytes,
    ballast: createBallast(databaseFile(config.cloudDir)),
    log,
  })
  const onQuery = (ms: number, failed: boolean) => {
    pulse.onQuery()
    telemetry.metrics.query(ms, failed)
  }
  const { db, reads } = await openCloudDatabase({ config, step, log, onError: disk.failed, onQuery })
  undo.push(() => db.destroy())
  undo.push(() => reads.stop())
  const measure = mediaDir === null ? () => null : disk.measure
  return { telemetry, media, keepsVersions, disk, measure, db, reads }
}

interface SecretsDeps {
  readonly config: Config
  readonly db: Database
  readonly clock: Clock
  readonly step: LongStep
  readonly announce: (line: string) => void
  readonly log: Logger
}

/** Opens the secrets of the database, and brings their seals and sizes up to date. */
export async function openSecrets({ config, db, clock, step, announce, log }: SecretsDeps): Promise<SecretBox> {
  // The key file is created after the database, because a key file without a database means a lost database
  // (open-data-dir.ts).
  const [key, ...previousKeys] = secretKeys(config)
  const box = createSecretBox(key, previousKeys)
  if (config.banco) await shareAuthority({ db, box, dataDir: config.dataDir }, clock.now())
  rmSync(newInstallationMark(config.dataDir), { force: true })
  const seals = await step('cifragem das senhas', LONGEST_STEP_MS, () => renewSeals({ db, box, log }))
  const renewal = describeRenewal(seals, previousKeys.length, keyFile(config))
  if (renewal !== null) announce(renewal)
  await step('tamanho das configurações', LONGEST_STEP_MS, () => recountSizes({ db, box, log }))
  return box
}
