import { join } from 'node:path'
import { createClipCopier } from '../../../adapters/clip-copier/clip-copier.ts'
import type { Route } from '../../../http/route.ts'
import { clipRoute } from './clip-route.ts'
import { createClipCopies } from './copias/copy-clips.ts'
import { fetchClipeRoute } from './fetch-clipe.ts'
import { createDiscardOrder, createUploadOrders, type OrderDeps } from './order-uploads.ts'
import type { UploadDeps } from './receive-upload.ts'
import { stripRoute } from './strip-route.ts'
import { createUploadSweep } from './sweep-uploads.ts'
import { createUploadRates } from './upload-rates.ts'
import { uploadRoutes } from './upload-routes.ts'

type Deps = OrderDeps &
  Omit<UploadDeps, 'stored'> & {
    readonly cloudDir: string
    /** Monotonic clock in ms. */
    readonly monotonic: () => number
  }

/** Clips: the orders and routes of their uploads, the removal of unfinished ones, and the H.264 copies. */
export function createClipUploads({ cloudDir, monotonic, ...deps }: Deps) {
  const rates = createUploadRates({ db: deps.db, monotonic })
  const upload = { ...deps, rates, stored: createDiscardOrder(deps) }
  const copier = createClipCopier({ dir: join(cloudDir, 'copias') })
  const copies = createClipCopies({ ...deps, copier })
  const clip = clipRoute({ ...deps, copier, wake: copies.wake })
  return {
    services: [createUploadSweep(deps), createUploadOrders(deps), copies],
    routes: (): Route[] => [...uploadRoutes(upload), clip, stripRoute(deps), fetchClipeRoute(deps)],
  }
}
