import { setTimeout as sleep } from 'node:timers/promises'
import type { PortaTestada } from '@vigia/contracts/cameras'
import type { CanalSondado } from '@vigia/contracts/canais-sondados'
import { createTally } from './channel-tally.ts'
import { type Contact, type Failed, type NoSlot, type ProbeOptions, withContact, withSlot } from './contact.ts'
import { type Described, describe } from './describe.ts'
import type { Credentials } from './digest.ts'
import { createLoginGate, type LoginGate } from './login-gate.ts'
import { credentialPositions, hasChannels, streamUrl } from './maker-urls.ts'
import { describePort } from './port-detail.ts'

export interface ChannelsInput {
  /** URL form of the main stream (contracts/fabricantes.ts). */
  readonly modelo: string
  readonly host: string
  readonly porta: number
  readonly usuario: string
  readonly senha: string
  readonly canais: readonly number[]
}

export interface PortsInput {
  readonly host: string
  readonly portas: readonly number[]
  /** Both empty: no login. */
  readonly usuario: string
  readonly senha: string
}

/** Largest number of parallel connections to a host; ten blocked a recorder for minutes. */
const CONNECTIONS = 2
/** Longest and shortest time limit for a connection or a reply. */
const [MAX_WAIT_MS, MIN_WAIT_MS] = [2000, 250]
/**
 * Retry rounds for channels that a busy recorder refused. The pause before each is this fraction of the whole time,
 * times a random factor of 1 to 2.
 */
const PAUSES = [0, 1 / 60, 1 / 30]
const MAX_PAUSE_MS = 2000
/** Pause between two channels while the recorder is busy, multiplied by a random factor of 1 to 2. */
const BREATHER_MS = 60

/**
 * Describes each channel of a recorder without opening video; the results are in the order of `canais`. Rejects only
 * for a defect of this machine or a `modelo` that yields no RTSP URL.
 */
export async function probeChannels(input: ChannelsInput, options: ProbeOptions): Promise<Channels | Failed> {
  const { modelo, canais, usuario, senha } = input
  const positions = credentialPositions(modelo)
  return await withContact(input.host, options, (contact) =>
    describeChannels(contact, {
      canais,
      // A form without a channel belongs to a camera: each number would find the same stream.
      asked: hasChannels(modelo) ? canais : canais.filter((canal) => canal === 1),
      urlOf: (canal) => streamUrl(modelo, { ...input, host: contact.host, canal }),
      credentials: positions.userinfo && usuario !== '' ? { usuario, senha } : null,
      isLogin: positions.path && !positions.userinfo,
    }),
  )
}

type Channels = { readonly ok: true; readonly canais: CanalSondado[] }

export interface ChannelUrls {
  /** Channels in the order of the results. */
  readonly canais: readonly number[]
  /** Channels with a URL; all others are empty. */
  readonly asked: readonly number[]
  urlOf(canal: number): string
  readonly credentials: Credentials | null
  /** The URLs themselves contain the credentials. */
  readonly isLogin: boolean
  /** Shared with earlier requests; default: a new one. */
  readonly gate?: LoginGate
}

/** Describes the channels of a resolved and checked recorder. */
export async function describeChannels(
  { reach, signal, prazoMs, slots }: Contact,
  { canais, asked, urlOf, credentials, isLogin, gate = createLoginGate({ trust: true }) }: ChannelUrls,
): Promise<Channels | Failed> {
  const timeoutMs = waitMs(prazoMs, asked.length)
  const tally = createTally({ asked, gate, hasCredentials: credentials !== null })
  const ask = async (canal: number) => {
    const url = urlOf(canal)
    const described = await withSlot(url, slots, signal, () =>
      describe({ ...reach(), url, credentials, isLogin, gate, timeoutMs, signal }),
    )
    return tally.note(canal, described)
  }
  for (const [round, part] of PAUSES.entries()) {
    const queue = asked.filter((canal) => tally.isOpen(canal, round))
    const work = async (isSpare: boolean) => {
      while (!signal.aborted && !tally.isSettled) {
        // A recorder short of connections gets only one at a time, with pauses.
        if (isSpare && tally.isBusy) return
        const canal = queue.shift()
        if (canal === undefined) return
        if ((await ask(canal)) === 'ocupada') await pause(BREATHER_MS, signal)
      }
    }
    if (queue.length > 0) await pause(Math.min(part * prazoMs, MAX_PAUSE_MS), signal)
    const first = queue.shift()
    // The first channel runs alone: it also checks the connection and the password.
    if (first !== undefined && !signal.aborted) await ask(first)
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => work(index > 0)))
  }
  const { falha, causa } = tally
  if (falha === null) return { ok: true, canais: canais.map((canal) => tally.result(canal)) }
  return { ok: false, falha, ...(falha === 'inalcancavel' && causa && { causa }) }
}

/**
 * Checks for each port whether it accepts a connection, answers RTSP and accepts the credentials. A wrong password is
 * tried on only one port. The results are in the order of `portas`.
 */
export async function probePorts(
  { host: typed, portas, usuario, senha }: PortsInput,
  options: ProbeOptions,
): Promise<{ readonly ok: true; readonly portas: PortaTestada[] } | Failed> {
  const credentials = usuario === '' ? null : { usuario, senha }
  return await withContact(typed, options, async ({ host, reach, signal, prazoMs, slots }) => {
    const timeoutMs = waitMs(prazoMs, portas.length)
    // Each port may belong to another device with another list of users.
    const gate = createLoginGate({ trust: false })
    const found = new Map<number, Described | NoSlot>()
    const queue = [...portas]
    const work = async () => {
      for (let porta = queue.shift(); porta !== undefined; porta = queue.shift()) {
        const url = streamUrl('rtsp://{host}:{port}/', { host, porta, usuario: '', senha: '', canal: 1 })
        const described = await withSlot(url, slots, signal, () =>
          describe({ ...reach(), url, credentials, gate, timeoutMs, signal }),
        )
        found.set(porta, described)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
    const results = portas.map((porta) => describePort(porta, found.get(porta) ?? { kind: 'aborted' }))
    return { ok: true, portas: results }
  })
}

/** Two in parallel: then even silent ports all reach their timeout within the time limit. */
const waitMs = (prazoMs: number, count: number): number =>
  Math.max(MIN_WAIT_MS, Math.min(MAX_WAIT_MS, prazoMs / (Math.ceil(count / CONNECTIONS) + 3)))

/**
 * Sleeps `ms` times a random factor of 1 to 2, so that parallel waits do not end together. Ends early when `signal`
 * aborts.
 */
const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  if (ms === 0 || signal.aborted) return
  await sleep(ms * (1 + Math.random()), undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
