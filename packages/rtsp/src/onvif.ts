import type { CanalOnvif, FalhaPedido, FluxoOnvif } from '@vigia/contracts/pedidos'
import { type Failed, type ProbeOptions, withContact } from './contact.ts'
import { type MediaProfile, readStreamUri } from './onvif-answers.ts'
import { failed, MEDIA_NS, mediaProfiles, openDevice, SCHEMA_NS } from './onvif-device.ts'
import { onvifUrl } from './onvif-url.ts'
import { type ChannelsInput, describeChannels } from './probe.ts'
import type { SoapClient } from './soap.ts'
import { escapeXml } from './xml.ts'

/** `porta`: of the ONVIF service. */
export type OnvifInput = Omit<ChannelsInput, 'modelo'>

const getStreamUri = (token: string) =>
  `<GetStreamUri xmlns="${MEDIA_NS}"><StreamSetup><Stream xmlns="${SCHEMA_NS}">RTP-Unicast</Stream>` +
  `<Transport xmlns="${SCHEMA_NS}"><Protocol>RTSP</Protocol></Transport></StreamSetup>` +
  `<ProfileToken>${escapeXml(token)}</ProfileToken></GetStreamUri>`

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
    const device = await openDevice(contact, { porta, credentials })
    if (!device.ok) return device
    const { soap } = device
    const found = await mediaProfiles(soap)
    if (!found.ok) return found
    const sources = found.sources.map(chooseStreams)
    // The other two thirds of the time remain for DESCRIBE, which checks the addresses.
    const until = performance.now() + contact.prazoMs / 3
    const streams = await streamsOf(
      soap,
      { ...found, sources },
      canais,
      () => contact.signal.aborted || performance.now() > until,
    )
    const asked = canais.filter((canal) => streams.get(canal)?.principal)
    const falha = [...streams.values()].find((one) => one.falha !== null)?.falha
    if (asked.length === 0 && falha) return { ok: false, falha }
    const address = { host: contact.host, usuario, senha }
    const described = await describeChannels(contact, {
      canais,
      asked,
      urlOf: (canal) => onvifUrl(streams.get(canal)?.principal ?? { porta: 554, caminho: '/' }, address),
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

/** The streams of each video source. */
interface Sources {
  readonly mediaPath: string
  readonly sources: readonly ReturnType<typeof chooseStreams>[]
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
  { mediaPath, sources }: Sources,
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
