import { createDeliveryEngine, type DeliveryEngine, type EngineDeps } from '../delivery/delivery-engine.ts'
import { type PushKindDeps, pushKind } from './push-kind.ts'

/** Sends the queued messages to the push services. */
export const createPushDelivery = (deps: EngineDeps & PushKindDeps): DeliveryEngine =>
  createDeliveryEngine(deps, pushKind(deps))
