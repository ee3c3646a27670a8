import type { Clock } from '../../adapters/clock.ts'
import type { SecretBox } from '../../adapters/secret-box.ts'
import type { Database } from '../../db/open.ts'

export interface CamerasDeps {
  readonly db: Database
  readonly clock: Clock
  readonly box: SecretBox
  /** Told after the commit that the desired state of an edge has a new version. */
  readonly desired: { changed(edgeId: number): void }
}
