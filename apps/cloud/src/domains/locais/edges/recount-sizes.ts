import { openSourcesOrNull } from '../../../adapters/camera-sources.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import type { Database } from '../../../db/open.ts'
import type { CameraRow } from '../../../db/rows.ts'
import type { Logger } from '../../../http/request-log.ts'
import { desiredCameraBytes } from './desired-camera.ts'
import { camerasAfter, recountCameras } from './size-store.ts'

const PAGE = 500

/**
 * Recounts every camera at the start, because another release may build another message. Writes only sizes that differ.
 * A concurrent change counts its own camera. A failed write does not prevent the start: the previous sizes stay.
 */
export async function recountSizes({
  db,
  box,
  log,
}: {
  readonly db: Database
  readonly box: SecretBox
  readonly log: Logger
}): Promise<void> {
  const count = (row: CameraRow) => desiredCameraBytes(row, openSourcesOrNull(box, row))
  const differs = (row: CameraRow) => {
    try {
      return count(row) !== row.desejado_bytes
    } catch (err) {
      log.error({ err, camera_id: row.id }, 'stored camera cannot be read; its size is not counted')
      return false
    }
  }
  let after = 0
  let counted = 0
  for (;;) {
    const page = await camerasAfter(db, after, PAGE)
    after = page.at(-1)?.id ?? after
    const changed = page.filter((row) => differs(row)).map(({ id }) => id)
    try {
      if (changed.length > 0) await recountCameras(db, changed, count)
      counted += changed.length
    } catch (err) {
      log.error({ err, cameras: changed.length }, 'sizes of cameras not written; the next start counts them again')
    }
    if (page.length < PAGE) break
  }
  if (counted > 0) log.info({ cameras: counted }, 'sizes of cameras counted')
}
