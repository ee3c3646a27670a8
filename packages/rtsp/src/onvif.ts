import type { CanalOnvif, FluxoOnvif } from '@vigia/contracts/canais-sondados'
import type { FalhaPedido } from '@vigia/contracts/pedidos'
import { type Contact, type Failed, type ProbeOptions, withContact, withSlot } from './contact.ts'
import { type DescribeOptions, describe } from './describe.ts'
import { createLoginGate } from './login-gate.ts'
import { type MediaProfile, readStreamUri } from './onvif-answers.ts'
import { atCall, failed, openDevice } from './onvif-device.ts'
import { getStreamUri, type MediaProfiles, mediaProfiles } from './onvif-media.ts'
import { onvifUrl } from './onvif-url.ts'
import { type ChannelsInput, describeChannels } from './probe.ts'
import type { SoapClient } from './soap.ts'

/** `porta`: of the ONVIF service. */
export interface OnvifInput extends Omit<ChannelsInput, 'modelo'> {
  /** Port of RTSP in place of the one that the device reports. */
  readonly porta_rtsp?: number | undefined
  /** The device accepts only the password itself. */
  readonly senha_em_texto?: true | undefined
}

/** Parallel calls, the same limit as for all connections to a device. */
const CONNECTIONS = 2

interface Streams {
  readonly principal: FluxoOnvif | null
  readonly sub: FluxoOnvif | null
  /** Reason for a missing main stream; null: the stream exists, or the device reports that it has none. */
  readonly falha: FalhaPedido | null
}

/**
 * Lists the streams that a device reports for its video sources, with the DESCRIBE result of each main stream. Sources
 * are numbered from 1 in the order of their first profiles. No video is opened. The results are in the order of
 * `canais`. Connects only to the checked addresses of `host`, regardless of the hosts that the device reports. Rejects
 * only for a defect of this machine.
 */
export async function listOnvifChannels(
  input: OnvifInput,
  options: ProbeOptions,
): Promise<{ readonly ok: true; readonly canais: CanalOnvif[] } | Failed> {
  const { porta, usuario, senha, canais, porta_rtsp } = input
  const credentials = usuario === '' ? null : { usuario, senha }
  return await withContact(input.host, options, async (contact) => {
    const device = await openDevice(contact, { porta, credentials, isPlain: input.senha_em_texto === true })
    if (!device.ok) return device
    const { soap } = device
    const found = await mediaProfiles(soap)
    if (!found.ok) return atCall(soap, found)
    const address = { host: contact.host, usuario, senha, porta_rtsp }
    const gate = createLoginGate({ trust: true })
    // The other two thirds of the time remain for DESCRIBE, which checks the addresses.
    const until = performance.now() + contact.prazoMs / 3
    const streams = await streamsOf(soap, found, canais, {
      isOver: () => contact.signal.aborted || performance.now() > until,
      pixelsOf: (fluxo) => pixelsOf(contact, { url: onvifUrl(fluxo, address), credentials, gate }),
    })
    const asked = canais.filter((canal) => streams.get(canal)?.principal)
    const falha = [...streams.values()].find((one) => one.falha !== null)?.falha
    if (asked.length === 0 && falha) return atCall(soap, { ok: false, falha })
    const described = await describeChannels(contact, {
      canais,
      asked,
      urlOf: (canal) => onvifUrl(streams.get(canal)?.principal ?? { porta: 554, caminho: '/' }, address),
      credentials,
      isLogin: false,
      gate,
    })
    if (!described.ok)
      return described.falha === 'inalcancavel' ? { ...described, ...portOf(streams, porta_rtsp) } : described
    return {
      ok: true,
      canais: described.canais.map((one) => {
        const stream = streams.get(one.canal)
        const estado = stream?.falha ? 'sem_resposta' : one.estado
        return { ...one, estado, principal: stream?.principal ?? null, sub: stream?.sub ?? null }
      }),
    }
  })
}

/**
 * Main: the largest picture; sub: the smallest of the others. JPEG streams are unsuitable for continuous playback and
 * skipped.
 */
function bySize<T extends { readonly pixels: number }>(streams: readonly T[]): { principal: T | null; sub: T | null } {
  const [principal = null, ...others] = streams.toSorted((a, b) => b.pixels - a.pixels)
  return { principal, sub: others.at(-1) ?? null }
}

/** Largest number of streams of a source that are asked for their size. */
const MAX_MEASURED = 4

interface Measuring {
  isOver(): boolean
  /** Size of the pictures by the stream's own description; 0: unknown. */
  pixelsOf(fluxo: FluxoOnvif): Promise<number>
}

async function streamsOf(
  soap: SoapClient,
  { media, sources }: MediaProfiles,
  canais: readonly number[],
  { isOver, pixelsOf: measure }: Measuring,
): Promise<ReadonlyMap<number, Streams>> {
  const streams = new Map<number, Streams>()
  const uriOf = async (
    profile: MediaProfile | null,
  ): Promise<{ fluxo: FluxoOnvif | null; falha: FalhaPedido | null }> => {
    if (!profile) return { fluxo: null, falha: null }
    if (isOver()) return { fluxo: null, falha: 'prazo_esgotado' }
    const answer = await soap.call(media.path, getStreamUri(media, profile.token))
    if (answer.kind === 'answer') return { fluxo: readStreamUri(answer.element), falha: null }
    return { fluxo: null, falha: answer.kind === 'fault' ? null : failed(answer).falha }
  }
  /** The profiles state their sizes. */
  const stated = async (profiles: readonly MediaProfile[]): Promise<Streams> => {
    const chosen = bySize(profiles)
    const { fluxo: principal, falha } = await uriOf(chosen.principal)
    const { fluxo: sub } = await uriOf(principal && chosen.sub)
    return { principal, sub, falha }
  }
  /** The profiles state no size: the streams themselves do. */
  const measured = async (profiles: readonly MediaProfile[]): Promise<Streams> => {
    const found: { readonly fluxo: FluxoOnvif; readonly pixels: number }[] = []
    let failure: FalhaPedido | null = null
    for (const profile of profiles.slice(0, MAX_MEASURED)) {
      const { fluxo, falha } = await uriOf(profile)
      failure ??= falha
      const isNew = fluxo && !found.some((one) => one.fluxo.caminho === fluxo.caminho)
      if (isNew) found.push({ fluxo, pixels: isOver() ? 0 : await measure(fluxo) })
    }
    const { principal, sub } = bySize(found)
    return { principal: principal?.fluxo ?? null, sub: sub?.fluxo ?? null, falha: principal ? null : failure }
  }
  const candidates = (canal: number) => (sources[canal - 1] ?? []).filter(({ encoding }) => encoding !== 'JPEG')
  const queue = canais.filter((canal) => candidates(canal).length > 0)
  const work = async (first?: number) => {
    for (let canal = first ?? queue.shift(); canal !== undefined; canal = queue.shift()) {
      const profiles = candidates(canal)
      const isStated = profiles.length === 1 || profiles.some(({ pixels }) => pixels > 0)
      const { principal, sub, falha } = await (isStated ? stated : measured)(profiles)
      streams.set(canal, { principal, sub: sub?.caminho === principal?.caminho ? null : sub, falha })
      if (first !== undefined) return
    }
  }
  // The first call runs alone, because it may be the first one that the device challenges.
  await work(queue.shift())
  await Promise.all(Array.from({ length: CONNECTIONS }, () => work()))
  return streams
}

async function pixelsOf(
  { reach, signal, prazoMs, slots }: Contact,
  stream: Pick<DescribeOptions, 'url' | 'credentials' | 'gate'>,
): Promise<number> {
  const timeoutMs = prazoMs / 8
  const described = await withSlot(stream.url, slots, signal, () =>
    describe({ ...reach(), ...stream, timeoutMs, signal }),
  )
  const size = described.kind === 'answer' ? described.video?.resolucao : null
  const [width = 0, height = 0] = (size ?? '').split('x').map(Number)
  return width * height || 0
}

/** The port of the main streams, which does not answer. */
function portOf(streams: ReadonlyMap<number, Streams>, wanted: number | undefined): { porta?: number } {
  const porta = wanted ?? [...streams.values()].find(({ principal }) => principal)?.principal?.porta
  return porta === undefined ? {} : { porta }
}
