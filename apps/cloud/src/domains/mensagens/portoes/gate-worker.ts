import { createDeliveryEngine, type DeliveryEngine, type EngineDeps } from '../delivery/delivery-engine.ts'
import { type GateDeps, gateKind } from './gate-kind.ts'

/** Sends the queued openings of gates. */
export const createGateWorker = (deps: EngineDeps & GateDeps): DeliveryEngine =>
  createDeliveryEngine(deps, gateKind(deps))
