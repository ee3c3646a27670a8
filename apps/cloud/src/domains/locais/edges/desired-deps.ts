import type { Clock } from '../../../adapters/clock.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import type { Database } from '../../../db/open.ts'

/** Dependencies of use cases that change the desired state of an edge. */
export interface DesiredDeps {
  readonly db: Database
  readonly clock: Clock
  readonly box: SecretBox
  /** Call it after the commit that raised the desired version of an edge. */
  readonly desired: { changed(edgeId: number): void }
}
