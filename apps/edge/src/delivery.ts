import { dirname, join } from 'node:path'
import type { EdgeLink } from '@vigia/link/edge-link'
import type { Logger } from 'pino'
import { createClipFiles } from './clips/clip-files.ts'
import { createClipKeeper } from './clips/clip-keeper.ts'
import { createClipNotices } from './clips/clip-notices.ts'
import { createClipStore } from './clips/clip-store.ts'
import { createClipUploader } from './clips/clip-uploader.ts'
import { createDropReport } from './clips/drop-report.ts'
import type { EdgeConfig } from './config.ts'
import type { EdgeDb } from './db/edge-db.ts'
import type { DesiredState } from './link/desired.ts'
import { MEMORY_BYTES } from './outbox/disk-monitor.ts'
import { createExtras } from './outbox/extra-store.ts'
import { createIntake } from './outbox/intake.ts'
import { createSender, type Sender } from './outbox/sender.ts'
import { createOutbox } from './outbox/store.ts'
import { createUploadRate } from './outbox/upload-rate.ts'
import { freeBytes } from './status/machine.ts'
import type { EdgeTelemetry } from './telemetry/telemetry.ts'
import type { EdgeTime } from './time/edge-time.ts'

export interface DeliveryOptions {
  readonly config: EdgeConfig
  readonly db: EdgeDb
  /** Whether the database is in memory, because the disk cannot be written. */
  readonly inMemory: boolean
  readonly link: EdgeLink
  readonly desired: Pick<DesiredState, 'applied'>
  readonly time: EdgeTime
  readonly telemetry: EdgeTelemetry
  readonly log: Logger
}

/** SQLite writes before it deletes, so an outbox on a completely full disk could not delete any record. */
const LEAST_RESERVE_BYTES = 8 * 1024 * 1024

/** Free space to leave on the disk for data that comes before that of the outbox, in bytes. */
export const reserveBytes = (config: EdgeConfig): number => Math.max(LEAST_RESERVE_BYTES, config.outboxReserveBytes)

/** The path of events and clips from the capture processes over the disk to the cloud. */
export function createDelivery(options: DeliveryOptions) {
  const { config, db, inMemory, link, desired, time, telemetry, log } = options
  const clipFiles = createClipFiles(join(config.dataDir, 'clipes'))
  const clipStore = createClipStore(db, { now: () => time.place(Date.now()).at })
  const outbox = createOutbox(db, {
    expectClip: clipStore.expect,
    quota: {
      maxBytes: inMemory ? Math.min(MEMORY_BYTES, config.outboxMaxBytes) : config.outboxMaxBytes,
      reserveBytes: inMemory ? 0 : reserveBytes(config),
      freeBytes: () => freeBytes(dirname(db.name)),
    },
    inFlight: () => sender.inFlight(),
    onDropped: createDropReport({ telemetry, log, files: clipFiles }),
  })
  const limitKbps = () => desired.applied.limiteReenvioKbps
  const kinds = () => desired.applied.recursos
  const rate = createUploadRate({ limitKbps, monotonic: () => performance.now() })
  const sender: Sender = createSender({
    outbox,
    rate,
    limitKbps,
    observer: telemetry.events,
    publish: link.publishBatch,
    log,
    extras: { extras: outbox.extras, publish: link.publishExtras, kinds },
  })
  const intake = createIntake({
    outbox,
    time,
    log,
    observer: telemetry.events,
    kinds,
    onAdded: sender.wake,
  })
  const clips = createClipKeeper({
    store: clipStore,
    files: clipFiles,
    log,
    notices: createClipNotices(createExtras(db), { now: Date.now }),
    quota: {
      maxBytes: inMemory ? 0 : config.clipsMaxBytes,
      reserveBytes: 2 * reserveBytes(config),
      freeBytes: () => freeBytes(config.dataDir),
    },
    eventOf: intake.idOf,
    time,
    onChanged: sender.wake,
  })
  const uploader = createClipUploader({
    store: clipStore,
    files: clipFiles,
    cloudUrl: config.cloudUrl,
    log,
    rate,
    hasTurn: sender.hasTurnForClip,
    onChunk: sender.clipSent,
    onSettled: clips.discard,
  })
  return {
    outbox,
    sender,
    intake,
    clips,
    clipFiles,
    uploader,
    /** Continues from the counts of the cloud. */
    goOnFrom(counts: ReadonlyMap<number, number>) {
      for (const [cameraId, seq] of counts) outbox.raiseTo(cameraId, seq)
    },
  }
}

export type Delivery = ReturnType<typeof createDelivery>
