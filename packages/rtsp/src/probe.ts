import { setTimeout as sleep } from 'node:timers/promises'
import type { PortaTestada } from '@vigia/contracts/cameras'
import type { CanalSondado, FalhaPedido } from '@vigia/contracts/pedidos'
import { type AllowedCidrs, canonicalHost, type Lookup, resolveAllowed } from './address-policy.ts'
import { createTally } from './channel-tally.ts'
import { type Described, describe } from './describe.ts'
import { createLoginGate } from './login-gate.ts'
import { credentialPlaces, hasChannels, streamUrl } from './maker-urls.ts'
import { describePort } from './port-detail.ts'

/** Leave to connect to a host; shared with all else that connects to it. */
export interface Permits {
  /** `host` as it stands in a URL. Resolves with the way to give it back; null when `signal` aborts first. */
  acquire(host: string, signal: AbortSignal): Promise<(() => void) | null>
}

export interface ProbeOptions {
  readonly allowed: AllowedCidrs
  /** Aborted: nobody waits for the answer any more (`cancelado`). */
  readonly signal: AbortSignal
  /** Time for all of it, ms; what has not answered by then counts as silent. Default 30 s. */
  readonly prazoMs?: number
  readonly permits?: Permits
  readonly lookup?: Lookup
}

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

type Failed = { readonly ok: false; readonly falha: FalhaPedido }

const DEFAULT_MS = 30_000
/** Connections to a host at once: ten stopped a recorder for minutes. */
const CONNECTIONS = 2
/** Of a name that has more, the others are not tried. */
const MAX_ADDRESSES = 4
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
export async function probeChannels(
  input: ChannelsInput,
  options: ProbeOptions,
): Promise<{ readonly ok: true; readonly canais: CanalSondado[] } | Failed> {
  const { modelo, canais, usuario, senha } = input
  const places = credentialPlaces(modelo)
  const credentials = places.userinfo && usuario !== '' ? { usuario, senha } : null
  const isLogin = places.path && !places.userinfo
  // A form without channels is a camera's: the same stream would be found again under each number.
  const asked = hasChannels(modelo) ? canais : canais.filter((canal) => canal === 1)
  return await withContact(input.host, options, async ({ host, reach, signal, prazoMs }) => {
    const timeoutMs = waitMs(prazoMs, asked.length)
    const gate = createLoginGate({ trust: true })
    const tally = createTally({ asked, gate, hasCredentials: credentials !== null })
    const ask = async (canal: number) => {
      const url = streamUrl(modelo, { ...input, host, canal })
      const described = await permitted(url, options.permits, signal, () =>
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
  })
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
  return await withContact(typed, options, async ({ host, reach, signal, prazoMs }) => {
    const timeoutMs = waitMs(prazoMs, portas.length)
    // Behind each port may be another device with another list of users.
    const gate = createLoginGate({ trust: false })
    const found = new Map<number, Described>()
    const queue = [...portas]
    const work = async () => {
      for (let porta = queue.shift(); porta !== undefined; porta = queue.shift()) {
        const url = streamUrl('rtsp://{host}:{port}/', { host, porta, usuario: '', senha: '', canal: 1 })
        const described = await permitted(url, options.permits, signal, () =>
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

interface Contact {
  /** Canonical. */
  readonly host: string
  /** The checked addresses: all that is connected to from here on. Once one has taken a connection, it alone. */
  reach(): { readonly addresses: readonly string[]; onReached(address: string): void }
  /** Also aborts at the end of the time. */
  readonly signal: AbortSignal
  readonly prazoMs: number
}

async function withContact<T extends { readonly ok: boolean }>(
  typed: string,
  { allowed, lookup, signal: caller, prazoMs = DEFAULT_MS }: ProbeOptions,
  run: (contact: Contact) => Promise<T>,
): Promise<T | Failed> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(prazoMs)])
  const aborted = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))
  // A resolver cannot be interrupted; only its answer can be left.
  const resolved = caller.aborted ? null : await Promise.race([resolveAllowed(typed, allowed, lookup), aborted])
  if (caller.aborted) return { ok: false, falha: 'cancelado' }
  if (!resolved) return { ok: false, falha: 'nome_nao_resolvido' }
  if (!resolved.ok) return resolved
  let addresses = resolved.addresses.slice(0, MAX_ADDRESSES)
  const onReached = (address: string) => {
    addresses = [address]
  }
  const reach = () => ({ addresses, onReached })
  const result = await run({ host: canonicalHost(typed), reach, signal, prazoMs })
  return caller.aborted ? { ok: false, falha: 'cancelado' } : result
}

async function permitted(
  url: string,
  permits: Permits | undefined,
  signal: AbortSignal,
  run: () => Promise<Described>,
): Promise<Described> {
  if (signal.aborted) return { kind: 'aborted' }
  // The host in the form by which those who play streams count it.
  const release = permits ? await permits.acquire(URL.parse(url)?.hostname ?? '', signal) : () => {}
  if (!release) return { kind: 'aborted' }
  try {
    return await run()
  } finally {
    release()
  }
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
