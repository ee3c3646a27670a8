import type { Logger } from 'pino'
import type { Dropped } from '../outbox/quota-store.ts'
import type { EdgeTelemetry } from '../telemetry/telemetry.ts'
import type { ClipFiles } from './clip-files.ts'

export interface DropReportOptions {
  readonly telemetry: Pick<EdgeTelemetry, 'dropped'>
  readonly files: Pick<ClipFiles, 'removeNow'>
  readonly log: Logger
}

/** Called after a transaction in which the quota dropped content: counts it, and removes the files of its clips. */
export function createDropReport({ telemetry, files, log }: DropReportOptions): (dropped: Dropped) => void {
  return (dropped) => {
    telemetry.dropped(dropped)
    const counts = { ...dropped, clips: dropped.clips.length }
    if (dropped.media + dropped.records > 0) log.error(counts, 'the disk quota dropped waiting events')
    else log.warn(counts, 'the disk quota dropped extras, clips or notes')
    try {
      files.removeNow(dropped.clips)
    } catch (err) {
      // The next start removes files without a row.
      log.error({ err, clips: dropped.clips.length }, 'files of dropped clips not removed')
    }
  }
}
