import { networkInterfaces } from 'node:os'
import type { FalhaPedido } from '@vigia/contracts/pedidos'
import {
  type AlcanceVarredura,
  type Equipamento,
  MAX_EQUIPAMENTOS_VARREDURA,
  PORTAS_VARREDURA,
} from '@vigia/contracts/varredura'
import type { AllowedCidrs } from '../address-policy.ts'
import { type ContactSlots, withSlot } from '../contact.ts'
import { openSocket } from '../line.ts'
import { rtspBanner, webBanner } from './ask-banners.ts'
import { type ScanNetwork, scanNetworks } from './networks.ts'
import { recogniseMaker } from './recognise-maker.ts'
import { type Announcement, discoverOnvif } from './ws-discovery.ts'

export interface ScanOptions {
  readonly allowed: AllowedCidrs
  readonly slots?: ContactSlots
  readonly signal: AbortSignal
  /** Time limit; the devices found until then are the result. */
  readonly prazoMs: number
  readonly networks?: readonly ScanNetwork[]
}

/** Parallel connection attempts over all addresses: 254 silent addresses of one port take two to three seconds. */
const CONNECTIONS = 96
/** A device on the same network answers within milliseconds; a busy recorder takes longer. */
const CONNECT_MS = 800
/** Devices that are asked at the same time; each gets one request at a time. */
const ASKED_AT_ONCE = 16
const BANNER_MS = 2_000
const DISCOVERY_MS = 3_000
/** Share of the time limit for the connection attempts; the rest is for the questions to the devices. */
const CONNECT_SHARE = 0.75

const RTSP_PORTS: ReadonlySet<number> = new Set([554, 8554])
/** Ports of recorders only. A device with nothing but a web page may be a printer. */
const RECORDER_PORTS: ReadonlySet<number> = new Set([554, 8554, 37777, 34567, 8899])

const localNetworks = (allowed: AllowedCidrs) => scanNetworks(networkInterfaces(), allowed)

/** The networks and ports that a scan of this machine would try. */
export const scanScope = (allowed: AllowedCidrs, networks = localNetworks(allowed)): AlcanceVarredura => ({
  redes: networks.map(({ cidr, addresses }) => ({ rede: cidr, enderecos: addresses.length })),
  portas: [...PORTAS_VARREDURA],
})

interface Found {
  readonly portas: Set<number>
  announced: Announcement | null
}

/**
 * Searches for recorders and cameras in the directly connected private networks: ONVIF announcements, and connections
 * to the makers' ports. No credentials are sent. Results are ordered by address.
 */
export async function scanNetwork(
  options: ScanOptions,
): Promise<
  { readonly ok: true; readonly equipamentos: Equipamento[] } | { readonly ok: false; readonly falha: FalhaPedido }
> {
  const { allowed, slots, signal: caller, prazoMs, networks = localNetworks(allowed) } = options
  if (networks.length === 0) return { ok: false, falha: 'sem_rede_local' }
  const signal = AbortSignal.any([caller, AbortSignal.timeout(Math.ceil(prazoMs))])
  const connecting = AbortSignal.any([caller, AbortSignal.timeout(Math.ceil(prazoMs * CONNECT_SHARE))])
  const found = new Map<string, Found>()
  const at = (host: string): Found => {
    const known = found.get(host) ?? { portas: new Set<number>(), announced: null }
    found.set(host, known)
    return known
  }
  const attempts = PORTAS_VARREDURA.flatMap((porta) =>
    // All addresses of one port before the next port, so that a device gets its connections one after the other.
    networks.flatMap(({ addresses }) => addresses.map((address) => ({ address, porta }))),
  )
  await Promise.all([
    ...networks.map(async (network) => {
      const waitMs = Math.min(DISCOVERY_MS, prazoMs / 2)
      for (const one of await discoverOnvif(network, { waitMs, signal })) at(one.host).announced = one
    }),
    inParallel(CONNECTIONS, attempts, connecting, async ({ address, porta }) => {
      const isOpen = await withSlot(`rtsp://${address}/`, slots, connecting, () => accepts(address, porta, connecting))
      if (isOpen === true) at(address).portas.add(porta)
    }),
  ])
  const equipamentos: Equipamento[] = []
  const hosts = [...found.entries()].filter(([, { announced, portas }]) => announced !== null || portas.size > 0)
  await inParallel(ASKED_AT_ONCE, hosts, signal, async ([host, one]) => {
    const equipamento = await describeDevice(host, one, slots, signal)
    if (equipamento) equipamentos.push(equipamento)
  })
  if (caller.aborted) return { ok: false, falha: 'cancelado' }
  equipamentos.sort((a, b) => numeric(a.host) - numeric(b.host))
  return { ok: true, equipamentos: equipamentos.slice(0, MAX_EQUIPAMENTOS_VARREDURA) }
}

async function accepts(address: string, porta: number, signal: AbortSignal): Promise<boolean> {
  const opened = await openSocket({ address, porta, tls: false }, { timeoutMs: CONNECT_MS, signal })
  if (!opened.ok) return false
  opened.socket.on('error', () => {})
  opened.socket.destroy()
  return true
}

/** Null: the device has no sign of a recorder or camera. */
async function describeDevice(
  host: string,
  { portas: open, announced }: Found,
  slots: ContactSlots | undefined,
  signal: AbortSignal,
): Promise<Equipamento | null> {
  const portas = [...open].sort((a, b) => a - b)
  const ask = async <T>(
    porta: number | undefined,
    run: (options: Parameters<typeof webBanner>[0]) => Promise<T | null>,
  ) => {
    if (porta === undefined) return null
    const answer = await withSlot(`rtsp://${host}/`, slots, signal, () =>
      run({ address: host, porta, timeoutMs: BANNER_MS, signal }),
    )
    return answer !== null && typeof answer === 'object' && 'kind' in answer ? null : (answer as T | null)
  }
  const rtsp = await ask(
    portas.find((porta) => RTSP_PORTS.has(porta)),
    rtspBanner,
  )
  const web = await ask(
    portas.find((porta) => porta === 80),
    webBanner,
  )
  const { fabricante, modelo } = recogniseMaker({
    name: announced?.name ?? '',
    hardware: announced?.hardware ?? '',
    rtspServer: rtsp?.server ?? '',
    realm: rtsp?.realm ?? '',
    httpServer: web?.server ?? '',
    title: web?.title ?? '',
    portas,
  })
  const isRecorder = announced !== null || fabricante !== null || portas.some((porta) => RECORDER_PORTS.has(porta))
  return isRecorder ? { host, portas, fabricante, modelo, onvif: announced?.porta ?? null } : null
}

/** Runs `task` for each item, at most `limit` at a time. Starts no further item after the signal aborts. */
async function inParallel<T>(
  limit: number,
  items: readonly T[],
  signal: AbortSignal,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  const work = async () => {
    for (const item of queue) {
      if (signal.aborted) return
      await task(item)
    }
  }
  await Promise.all(Array.from({ length: limit }, work))
}

const numeric = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
