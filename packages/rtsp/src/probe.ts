import { setTimeout as sleep } from 'node:timers/promises'
import type { PortaTestada } from '@vigia/contracts/cameras'
import type { CanalSondado } from '@vigia/contracts/pedidos'
import { createTally } from './channel-tally.ts'
import { type Contact, type Failed, type ProbeOptions, permitted, withContact } from './contact.ts'
import { type Described, describe } from './describe.ts'
import type { Credentials } from './digest.ts'
import { createLoginGate } from './login-gate.ts'
import { credentialPlaces, hasChannels, streamUrl } from './maker-urls.ts'
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
  /** Both empty: none are tried. */
  readonly usuario: string
  readonly senha: string
}

/** Connections to a host at once: ten stopped a recorder for minutes. */
const CONNECTIONS = 2
/** Longest and shortest wait for a connection or a reply, ms. */
const [MAX_WAIT_MS, MIN_WAIT_MS] = [2000, 250]
/** Rounds over the channels that a busy recorder turned away, and the pause before each: this part of the whole time (times 1
 * to 2, by chance). */
const PAUSES = [0, 1 / 60, 1 / 30]
const MAX_PAUSE_MS = 2000
/** Between two channels while the recorder is busy, ms (times 1 to 2). */
const BREATHER_MS = 60

/**
 * Describes each channel of a recorder, without opening any video; the results stand in the order of `canais`. Rejects only
 * for a defect of this machine or a `modelo` that gives no RTSP URL.
 */
export async function probeChannels(input: ChannelsInput, options: ProbeOptions): Promise<Channels | Failed> {
  const { modelo, canais, usuario, senha } = input
  const places = credentialPlaces(modelo)
  return await withContact(input.host, options, (contact) =>
    describeChannels(contact, {
      canais,
      // A form without channels is a camera's: the same stream would be found again under each number.
      asked: hasChannels(modelo) ? canais : canais.filter((canal) => canal === 1),
      urlOf: (canal) => streamUrl(modelo, { ...input, host: contact.host, canal }),
      credentials: places.userinfo && usuario !== '' ? { usuario, senha } : null,
      isLogin: places.path && !places.userinfo,
    }),
  )
}

type Channels = { readonly ok: true; readonly canais: CanalSondado[] }

export interface ChannelUrls {
  /** Whose results are wanted, in this order. */
  readonly canais: readonly number[]
  /** Those of them that have an address; every other one is empty. */
  readonly asked: readonly number[]
  urlOf(canal: number): string
  readonly credentials: Credentials | null
  /** The URLs themselves carry the credentials. */
  readonly isLogin: boolean
}

/** Describes the channels of a recorder that has been resolved and checked. */
export async function describeChannels(
  { reach, signal, prazoMs, permits }: Contact,
  { canais, asked, urlOf, credentials, isLogin }: ChannelUrls,
): Promise<Channels | Failed> {
  const timeoutMs = waitMs(prazoMs, asked.length)
  const gate = createLoginGate({ trust: true })
  const tally = createTally({ asked, gate, hasCredentials: credentials !== null })
  const ask = async (canal: number) => {
    const url = urlOf(canal)
    const described = await permitted(url, permits, signal, () =>
      describe({ ...reach(), url, credentials, isLogin, gate, timeoutMs, signal }),
    )
    return tally.note(canal, described)
  }
  for (const [round, part] of PAUSES.entries()) {
    const queue = asked.filter((canal) => tally.isOpen(canal, round))
    const work = async (isSpare: boolean) => {
      while (!signal.aborted && !tally.isSettled) {
        // A recorder that is short of connections is left with one, and with time.
        if (isSpare && tally.isBusy) return
        const canal = queue.shift()
        if (canal === undefined) return
        if ((await ask(canal)) === 'ocupada') await pause(BREATHER_MS, signal)
      }
    }
    if (queue.length > 0) await pause(Math.min(part * prazoMs, MAX_PAUSE_MS), signal)
    const first = queue.shift()
    // Alone, as it also shows whether anybody is there and what the password is worth.
    if (first !== undefined && !signal.aborted) await ask(first)
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => work(index > 0)))
  }
  const { falha } = tally
  return falha === null ? { ok: true, canais: canais.map((canal) => tally.result(canal)) } : { ok: false, falha }
}

/**
 * Tries each port: does it take a connection, does RTSP answer there, and are the credentials accepted. A wrong password is
 * tried on one port alone. The results stand in the order of `portas`.
 */
export async function probePorts(
  { host: typed, portas, usuario, senha }: PortsInput,
  options: ProbeOptions,
): Promise<{ readonly ok: true; readonly portas: PortaTestada[] } | Failed> {
  const credentials = usuario === '' ? null : { usuario, senha }
  return await withContact(typed, options, async ({ host, reach, signal, prazoMs, permits }) => {
    const timeoutMs = waitMs(prazoMs, portas.length)
    // Behind each port may be another device with another list of users.
    const gate = createLoginGate({ trust: false })
    const found = new Map<number, Described>()
    const queue = [...portas]
    const work = async () => {
      for (let porta = queue.shift(); porta !== undefined; porta = queue.shift()) {
        const url = streamUrl('rtsp://{host}:{port}/', { host, porta, usuario: '', senha: '', canal: 1 })
        const described = await permitted(url, permits, signal, () =>
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

/** So that all of them may be silent, two at a time, before the time is over. */
const waitMs = (prazoMs: number, count: number): number =>
  Math.max(MIN_WAIT_MS, Math.min(MAX_WAIT_MS, prazoMs / (Math.ceil(count / CONNECTIONS) + 3)))

/** `ms` to twice that, by chance, so that several who wait do not come back in step. Ends early when `signal` aborts. */
const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  if (ms === 0 || signal.aborted) return
  await sleep(ms * (1 + Math.random()), undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
