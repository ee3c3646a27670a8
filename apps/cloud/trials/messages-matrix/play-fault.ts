import { exemploIas } from '@vigia/contracts/perfis'
import type { InscricaoPushCreate } from '@vigia/contracts/push'
import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import { pino } from 'pino'
import type { Sender, Senders } from '../../src/adapters/senders/interface.ts'
import { createPushSender } from '../../src/adapters/senders/push-sender.ts'
import { fixedSettings } from '../../src/adapters/senders/sender-settings.ts'
import { createSenders } from '../../src/adapters/senders/senders.ts'
import { loadConfig } from '../../src/config.ts'
import { enqueueAviso } from '../../src/domains/mensagens/notificacoes/enqueue-aviso.ts'
import { createPushDelivery } from '../../src/domains/mensagens/push/push-delivery.ts'
import { createVapidKeys } from '../../src/domains/mensagens/push/vapid-keys.ts'
import { type MessageStand, openMessageStand } from '../../src/test/clouds/message-stand.ts'
import { sampleAttachments } from '../../src/test/records/attachments.ts'
import { queueBox } from '../../src/test/records/queue-records.ts'
import { seedCamera, seedOneCamera } from '../../src/test/records/records.ts'
import { TELEGRAM_TOKEN } from '../../src/test/stand-ins/telegram-stand-in.ts'
import { TWILIO } from '../../src/test/stand-ins/twilio-stand-in.ts'
import type { Cell } from './cell.ts'
import { type Fault, PAUSE_S } from './faults.ts'
import type { Attempt, Receiver } from './receivers.ts'
import { seedSubscription } from './seed-subscription.ts'

const MINUTE = 60_000
const STEP_MS = 10 * MINUTE
const FAULT_MS = 60 * MINUTE
const INCIDENTES = 3
/** Limit of one delivery: short while no receiver answers, else more than a loaded machine needs. */
const MUTE_MS = 300
const LIMIT_MS = 10_000

interface Played {
  readonly fault: Fault
  readonly receivers: readonly Receiver[]
  readonly env: Readonly<Record<string, string>>
  readonly allowed: AllowedCidrs
  readonly subscriptions: readonly [InscricaoPushCreate, InscricaoPushCreate]
  /** Called with the public VAPID key. */
  readonly onKey: (key: string) => void
}

type Timed = Attempt & { readonly em: number }

export async function playFault({ fault, receivers, env, allowed, subscriptions, onKey }: Played): Promise<Cell[]> {
  const played = receivers.filter(({ faults }) => faults.includes(fault))
  let isMute = fault === 'mute'
  const limits = (clock: { now(): number }) => {
    const deps = { clock, allowed, attachments: sampleAttachments(), settings: fixedSettings(configOf(env)) }
    return eitherOf(createSenders({ ...deps, timeoutMs: MUTE_MS }), createSenders({ ...deps, timeoutMs: LIMIT_MS }))
  }
  const eitherOf = (short: Senders, long: Senders): Senders =>
    mapSenders(long, (tipo) => ({ send: (...args) => (isMute ? short : long)[tipo].send(...args) }))
  const stand = await openMessageStand(undefined, limits)
  const { db, clock, bus } = stand
  const keys = createVapidKeys({ db, clock, box: queueBox })
  onKey((await keys.current()).publica)
  const [shortPush, longPush] = [MUTE_MS, LIMIT_MS].map((timeoutMs) => createPushSender({ allowed, timeoutMs }))
  if (!shortPush || !longPush) throw new Error('no senders')
  const push = createPushDelivery({
    warn: enqueueAviso,
    db,
    clock,
    box: queueBox,
    keys,
    bus,
    log: pino({ level: 'silent' }),
    send: (...args) => (isMute ? shortPush : longPush)(...args),
  })
  try {
    const attempts = new Map(played.map(({ name }): [string, Timed[]] => [name, []]))
    for (const receiver of played)
      receiver.onAttempt = (attempt) => attempts.get(receiver.name)?.push({ ...attempt, em: clock.now() })
    await addDestinations(stand, played, subscriptions)
    stand.start()
    push.start()
    for (const receiver of played) receiver.setFault(fault)
    const names = await playHour(stand)
    const until = clock.now()
    isMute = false
    for (const receiver of played) receiver.setFault(null)
    await pass(stand, 2 * FAULT_MS)
    return played.map((receiver) => {
      const seen = attempts.get(receiver.name) ?? []
      const problems = [
        ...arrivalProblems(receiver, names),
        ...attemptProblems(receiver, seen),
        ...(fault === 'pause' ? pauseProblems(seen.filter(({ em }) => em <= until)) : []),
        ...(fault !== 'slow' && fault !== 'open' && seen.length <= INCIDENTES ? ['the fault was not seen'] : []),
      ]
      return { receiver: receiver.name, fault, attempts: seen.length, problems }
    })
  } finally {
    await push.stop()
    await stand.close()
  }
}

const configOf = (env: Readonly<Record<string, string>>) =>
  loadConfig({
    VIGIA_EMAIL_REMETENTE: 'Vigia <avisos@exemplo.com.br>',
    VIGIA_TWILIO_ACCOUNT_SID: TWILIO.accountSid,
    VIGIA_TWILIO_AUTH_TOKEN: TWILIO.authToken,
    VIGIA_TWILIO_REMETENTE: TWILIO.remetente,
    VIGIA_TWILIO_CONTENT_SID: TWILIO.contentSid,
    VIGIA_TELEGRAM_TOKEN: TELEGRAM_TOKEN,
    ...env,
  }).remetentes

const mapSenders = (senders: Senders, make: (tipo: keyof Senders) => Sender): Senders =>
  Object.fromEntries((Object.keys(senders) as (keyof Senders)[]).map((tipo) => [tipo, make(tipo)])) as Senders

/** Each receiver has a destination that matches, one that filters the events out, and one of another Empresa. */
async function addDestinations(
  stand: MessageStand,
  receivers: readonly Receiver[],
  [wanted, other]: Played['subscriptions'],
): Promise<void> {
  const { db, origin } = stand
  const elsewhere = await seedCamera(db)
  for (const { canal, destinos } of receivers) {
    if (canal === null) {
      await seedSubscription(db, queueBox, origin.empresaId, wanted)
      await seedSubscription(db, queueBox, elsewhere.empresaId, other)
      continue
    }
    const [destino, never] = destinos
    await stand.canal({ ...canal, destino })
    await stand.canal({ ...canal, destino: never, tipos_evento: [...exemploIas.incendio] })
    await stand.canal({ ...canal, destino: never, empresa_id: elsewhere.empresaId })
  }
}

/** Incidentes of as many cameras in an hour, each with a refuted one of another camera. Returns the confirmed names. */
async function playHour(stand: MessageStand): Promise<string[]> {
  const { db, origin } = stand
  const camera = async (nome: string) => ({ id: await seedOneCamera(db, origin.empresaId, origin.edgeId), nome })
  const names: string[] = []
  for (let n = 1; n <= INCIDENTES; n += 1) {
    const nome = `Portão ${n} confirmado`
    names.push(nome)
    await stand.confirmed({ camera: await camera(nome) })
    await stand.verdict(await stand.event({ camera: await camera(`Portão ${n} ${REFUTED}`) }), 'refutado')
    await pass(stand, FAULT_MS / INCIDENTES)
  }
  return names
}

const REFUTED = 'descartado'

async function pass(stand: MessageStand, ms: number): Promise<void> {
  await stand.quiet()
  for (let past = 0; past < ms; past += STEP_MS) {
    stand.advance(STEP_MS)
    await stand.quiet()
  }
}

function arrivalProblems({ destinos: [wanted], arrivals }: Receiver, names: readonly string[]): string[] {
  const all = arrivals()
  const ids = all.flatMap(({ id }) => (id === null ? [] : [id]))
  return [
    ...names.flatMap((name) => {
      const count = all.filter(({ destino, text }) => destino === wanted && text.includes(name)).length
      return count === 1 ? [] : [`${name} arrived ${count} times`]
    }),
    ...all.flatMap(({ destino }) => (destino === wanted ? [] : [`a message reached ${destino}`])),
    ...all.flatMap(({ text }) => (text.includes(REFUTED) ? ['a refuted event arrived'] : [])),
    ...(new Set(ids).size === ids.length ? [] : ['two messages have one id']),
  ]
}

/** Each attempt to send an event, also a refused one, has the id under which the event arrives. */
function attemptProblems({ canal, arrivals }: Receiver, attempts: readonly Attempt[]): string[] {
  if (canal === null || canal.agrupar) return []
  const ids = new Set(arrivals().map(({ id }) => id))
  return attempts.flatMap(({ id }) => (id === null || ids.has(id) ? [] : [`an attempt had the id ${id}`]))
}

function pauseProblems(attempts: readonly Timed[]): string[] {
  return [...Map.groupBy(attempts, ({ key }) => key).values()].flatMap((some) =>
    some.slice(1).flatMap(({ key, em }, i) => {
      const pauseS = (em - (some[i]?.em ?? 0)) / 1_000
      return pauseS >= PAUSE_S ? [] : [`${key} was tried again after ${pauseS} s`]
    }),
  )
}
