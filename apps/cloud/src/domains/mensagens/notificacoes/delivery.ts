import { createDeliveryEngine, type DeliveryEngine, type EngineDeps } from '../delivery/delivery-engine.ts'
import type { SendDeps } from './canal-sender.ts'
import { createMessageTimers } from './message-timers.ts'
import { notificacaoKind } from './notificacao-kind.ts'

export type Delivery = DeliveryEngine

/** Runs the timers of messages, and delivers the notifications of the canais. */
export const createDelivery = (deps: EngineDeps & SendDeps): Delivery =>
  createDeliveryEngine(deps, { ...notificacaoKind(deps), beside: [createMessageTimers(deps)] })
