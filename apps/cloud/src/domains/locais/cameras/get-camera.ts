import type { Camera } from '@vigia/contracts/cameras'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { requireCamera } from './require-camera.ts'
import { viewCamera } from './view-camera.ts'

interface GetCameraDeps {
  readonly db: Database
  readonly clock: Clock
}

/** @throws VigiaError `nao_encontrado` */
export const getCamera = async ({ db, clock }: GetCameraDeps, caller: Caller, id: number): Promise<Camera> =>
  viewCamera(await requireCamera(db, caller, id), clock.now())
