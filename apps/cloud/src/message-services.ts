import { createBoxDrawer } from './adapters/box-drawer/box-drawer.ts'
import type { Bus } from './adapters/bus.ts'
import type { Clock } from './adapters/clock.ts'
import type { MediaStore } from './adapters/media-store/interface.ts'
import type { RateLimits } from './adapters/rate-limits/interface.ts'
import type { SecretBox } from './adapters/secret-box.ts'
import { createAttachments } from './adapters/senders/attachments.ts'
import { QUEUED_DELIVERY_MS } from './adapters/senders/interface.ts'
import { createPushSender } from './adapters/senders/push-sender.ts'
import { createSenders } from './adapters/senders/senders.ts'
import type { Config } from './config.ts'
import type { Database } from './db/open.ts'
import { createPictureSource } from './domains/eventos/eventos/picture-source.ts'
import { createDelivery } from './domains/mensagens/notificacoes/delivery.ts'
import { enqueueAviso } from './domains/mensagens/notificacoes/enqueue-aviso.ts'
import { createGateWorker } from './domains/mensagens/portoes/gate-worker.ts'
import { createPushDelivery } from './domains/mensagens/push/push-delivery.ts'
import { createVapidKeys } from './domains/mensagens/push/vapid-keys.ts'
import { createTakeBack } from './domains/mensagens/recolhimentos/take-back-kind.ts'
import { createStoredSettings } from './domains/mensagens/remetentes/stored-settings.ts'
import type { Logger } from './http/request-log.ts'
import type { Telemetry } from './telemetry/telemetry.ts'

interface MessageDeps {
  readonly config: Config
  readonly db: Database
  readonly media: MediaStore
  readonly clock: Clock
  /** Time that ages count against. */
  readonly ages: Clock
  readonly box: SecretBox
  readonly bus: Bus
  readonly log: Logger
  readonly limits: Pick<RateLimits, 'teste'>
  /** Monotonic clock in ms. */
  readonly monotonic: () => number
  readonly telemetry: Telemetry
}

/** Creates the services that send messages, and what the routes of canais, remetentes and push need. */
export async function createMessages({
  config,
  db,
  media,
  clock,
  ages,
  box,
  bus,
  log,
  limits,
  monotonic,
  telemetry,
}: MessageDeps) {
  const drawer = createBoxDrawer({ log })
  const reach = { allowed: config.webhookPermitir }
  const queued = { ...reach, timeoutMs: QUEUED_DELIVERY_MS }
  const outward = {
    clock,
    ...reach,
    settings: createStoredSettings({ db, box, env: config.remetentes }),
    attachments: createAttachments(config.urlPublica, createPictureSource({ db, media, clock, box, drawer })),
  }
  const sending = { db, clock, box, senders: createSenders(outward), testLimit: limits.teste }
  const queue = { ...sending, senders: createSenders({ ...outward, ...queued }) }
  const push = { db, clock, box, keys: createVapidKeys({ db, clock, box }), send: createPushSender(reach) }
  await push.keys.current()
  return {
    drawer,
    sending,
    push,
    delivery: createDelivery({ ...queue, ages, bus, log, monotonic, telemetry }),
    gates: createGateWorker({ ...queue, bus, log }),
    back: createTakeBack({ ...queue, bus, log }),
    pushDelivery: createPushDelivery({
      ...push,
      ages,
      send: createPushSender(queued),
      warn: enqueueAviso,
      bus,
      log,
      telemetry,
    }),
  }
}
