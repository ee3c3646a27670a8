import type { CanalOnvif, FalhaPedido, FluxoOnvif } from '@vigia/contracts/pedidos'
import { type Failed, type ProbeOptions, withContact } from './contact.ts'
import { type MediaProfile, readDeviceTime, readMediaPath, readProfiles, readStreamUri } from './onvif-answers.ts'
import { onvifUrl } from './onvif-url.ts'
import { type ChannelsInput, describeChannels } from './probe.ts'
import { createSoapClient, type SoapAnswer, type SoapClient } from './soap.ts'
import { escapeXml } from './xml.ts'

/** `porta`: of the ONVIF service. */
export type OnvifInput = Omit<ChannelsInput, 'modelo'>

/** The only path fixed by the standard (ONVIF Core 5.1.1); the device reports all others. */
const DEVICE_PATH = '/onvif/device_service'
const DEVICE_NS = 'http://www.onvif.org/ver10/device/wsdl'
const MEDIA_NS = 'http://www.onvif.org/ver10/media/wsdl'
const SCHEMA_NS = 'http://www.onvif.org/ver10/schema'

const GET_TIME = `<GetSystemDateAndTime xmlns="${DEVICE_NS}"/>`
const GET_MEDIA_PATH = `<GetCapabilities xmlns="${DEVICE_NS}"><Category>Media</Category></GetCapabilities>`
const GET_PROFILES = `<GetProfiles xmlns="${MEDIA_NS}"/>`
const getStreamUri = (token: string) =>
  `<GetStreamUri xmlns="${MEDIA_NS}"><StreamSetup><Stream xmlns="${SCHEMA_NS}">RTP-Unicast</Stream>` +
  `<Transport xmlns="${SCHEMA_NS}"><Protocol>RTSP</Protocol></Transport></StreamSetup>` +
  `<ProfileToken>${escapeXml(token)}</ProfileToken></GetStreamUri>`

/** Longest wait for one answer: some devices need seconds to list their profiles. */
const MAX_WAIT_MS = 6000
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
  const { porta, usuario, senha, canais } = input
  const credentials = usuario === '' ? null : { usuario, senha }
  return await withContact(input.host, options, async (contact) => {
    let offsetMs = 0
    const soap = createSoapClient({
      contact,
      porta,
      credentials,
      deviceNow: () => Date.now() + offsetMs,
      timeoutMs: Math.min(MAX_WAIT_MS, contact.prazoMs / 4),
    })
    // Without a login: its signature would need the requested time.
    const time = await soap.callOpenly(DEVICE_PATH, GET_TIME)
    if (time.kind === 'answer') offsetMs = (readDeviceTime(time.element) ?? Date.now()) - Date.now()
    else if (time.kind !== 'fault' && time.kind !== 'denied') return failed(time)

    const found = await mediaProfiles(soap)
    if (!found.ok) return found
    // The other two thirds of the time remain for DESCRIBE, which checks the addresses.
    const until = performance.now() + contact.prazoMs / 3
    const streams = await streamsOf(soap, found, canais, () => contact.signal.aborted || performance.now() > until)
    const asked = canais.filter((canal) => streams.get(canal)?.principal)
    const falha = [...streams.values()].find((one) => one.falha !== null)?.falha
    if (asked.length === 0 && falha) return { ok: false, falha }
    const device = { host: contact.host, usuario, senha }
    const described = await describeChannels(contact, {
      canais,
      asked,
      urlOf: (canal) => onvifUrl(streams.get(canal)?.principal ?? { porta: 554, caminho: '/' }, device),
      credentials,
      isLogin: false,
    })
    if (!described.ok) return described
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

type Found = {
  readonly ok: true
  readonly mediaPath: string
  /** Main and sub stream of each video source. */
  readonly sources: readonly { readonly principal: MediaProfile | null; readonly sub: MediaProfile | null }[]
}

/** Sequential calls: the first challenge decides whether the password is right. */
async function mediaProfiles(soap: SoapClient): Promise<Found | Failed> {
  const capabilities = await soap.call(DEVICE_PATH, GET_MEDIA_PATH)
  if (capabilities.kind !== 'answer') return failed(capabilities)
  const mediaPath = readMediaPath(capabilities.element)
  if (mediaPath === null) return { ok: false, falha: 'sem_onvif' }
  const profiles = await soap.call(mediaPath, GET_PROFILES)
  if (profiles.kind !== 'answer') return failed(profiles)
  const sources = new Map<string, MediaProfile[]>()
  for (const profile of readProfiles(profiles.element)) {
    sources.set(profile.source, [...(sources.get(profile.source) ?? []), profile])
  }
  return { ok: true, mediaPath, sources: [...sources.values()].map(chooseStreams) }
}

/**
 * Main: the largest picture; sub: the smallest of the others. JPEG streams are unsuitable for continuous playback and
 * skipped.
 */
function chooseStreams(profiles: readonly MediaProfile[]) {
  const bySize = profiles.filter(({ encoding }) => encoding !== 'JPEG').toSorted((a, b) => b.pixels - a.pixels)
  const [principal = null, ...others] = bySize
  return { principal, sub: others.at(-1) ?? null }
}

async function streamsOf(
  soap: SoapClient,
  { mediaPath, sources }: Found,
  canais: readonly number[],
  isOver: () => boolean,
): Promise<ReadonlyMap<number, Streams>> {
  const streams = new Map<number, Streams>()
  const uriOf = async (
    profile: MediaProfile | null,
  ): Promise<{ fluxo: FluxoOnvif | null; falha: FalhaPedido | null }> => {
    if (!profile) return { fluxo: null, falha: null }
    if (isOver()) return { fluxo: null, falha: 'prazo_esgotado' }
    const answer = await soap.call(mediaPath, getStreamUri(profile.token))
    if (answer.kind === 'answer') return { fluxo: readStreamUri(answer.element), falha: null }
    return { fluxo: null, falha: answer.kind === 'fault' ? null : failed(answer).falha }
  }
  const queue = canais.filter((canal) => sources[canal - 1]?.principal)
  const work = async (first?: number) => {
    for (let canal = first ?? queue.shift(); canal !== undefined; canal = queue.shift()) {
      const source = sources[canal - 1]
      const { fluxo: principal, falha } = await uriOf(source?.principal ?? null)
      const { fluxo: sub } = await uriOf((principal && source?.sub) ?? null)
      streams.set(canal, { principal, sub: sub?.caminho === principal?.caminho ? null : sub, falha })
      if (first !== undefined) return
    }
  }
  // The first call runs alone, because it may be the first one that the device challenges.
  await work(queue.shift())
  await Promise.all(Array.from({ length: CONNECTIONS }, () => work()))
  return streams
}

function failed(answer: Exclude<SoapAnswer, { readonly kind: 'answer' }>): Failed {
  if (answer.kind === 'denied') return { ok: false, falha: 'senha_recusada' }
  if (answer.kind === 'fault' || answer.kind === 'foreign') return { ok: false, falha: 'sem_onvif' }
  return { ok: false, falha: answer.kind === 'aborted' ? 'prazo_esgotado' : 'inalcancavel' }
}
