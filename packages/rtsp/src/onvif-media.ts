import type { Failed } from './contact.ts'
import { type MediaProfile, readProfiles, readServicePath, readServices, type ServiceNames } from './onvif-answers.ts'
import { DEVICE_NS, DEVICE_PATH, failed, getCapabilities, MEDIA_NS, PTZ_NS, SCHEMA_NS } from './onvif-device.ts'
import type { SoapAnswer, SoapClient } from './soap.ts'
import { escapeXml } from './xml.ts'

/** Media service, version 1 (ONVIF Media) or 2 (ONVIF Media 2, Profile T), which knows H.265. */
export interface MediaService {
  readonly version: 1 | 2
  readonly path: string
}

export interface MediaProfiles {
  readonly ok: true
  readonly media: MediaService
  /** Profiles of each video source, in the order of their first profiles. */
  readonly sources: readonly (readonly MediaProfile[])[]
}

const MEDIA_2_NS = 'http://www.onvif.org/ver20/media/wsdl'
const GET_SERVICES =
  `<GetServices xmlns="${DEVICE_NS}"><IncludeCapability>false</IncludeCapability></GetServices>` as const
const names: ServiceNames = { Media: MEDIA_NS, Media2: MEDIA_2_NS, PTZ: PTZ_NS }

const getProfiles = {
  1: `<GetProfiles xmlns="${MEDIA_NS}"/>`,
  // Without a type the answer has names only (ONVIF Media 2, 5.2.1).
  2: `<GetProfiles xmlns="${MEDIA_2_NS}"><Type>All</Type></GetProfiles>`,
} as const

/** Call for the RTSP address of a profile. */
export function getStreamUri({ version }: MediaService, token: string): string {
  const profile = `<ProfileToken>${escapeXml(token)}</ProfileToken>`
  return version === 2
    ? `<GetStreamUri xmlns="${MEDIA_2_NS}"><Protocol>RTSP</Protocol>${profile}</GetStreamUri>`
    : `<GetStreamUri xmlns="${MEDIA_NS}"><StreamSetup><Stream xmlns="${SCHEMA_NS}">RTP-Unicast</Stream>` +
        `<Transport xmlns="${SCHEMA_NS}"><Protocol>RTSP</Protocol></Transport></StreamSetup>${profile}</GetStreamUri>`
}

/** Call for a keyframe of the streams of a profile (ONVIF Media, ONVIF Media 2). */
export const setSynchronizationPoint = ({ version }: MediaService, token: string): string =>
  `<SetSynchronizationPoint xmlns="${version === 2 ? MEDIA_2_NS : MEDIA_NS}">` +
  `<ProfileToken>${escapeXml(token)}</ProfileToken></SetSynchronizationPoint>`

/**
 * Lists the profiles by Media 1. Profile T devices may lack it, and it has no name for H.265. Without it, or without an
 * encoder in the profiles of a source, Media 2 lists them. Sequential calls: the first challenge decides whether
 * the password is right.
 */
export async function mediaProfiles(soap: SoapClient): Promise<MediaProfiles | Failed> {
  const capabilities = await soap.call(DEVICE_PATH, getCapabilities('Media'))
  if (capabilities.kind !== 'answer' && capabilities.kind !== 'fault') return failed(capabilities)
  const path = capabilities.kind === 'answer' ? readServicePath(capabilities.element, 'Media') : null
  const first: MediaProfiles | Failed =
    path === null ? { ok: false, falha: 'sem_onvif' } : await profilesOf(soap, { version: 1, path })
  if (first.ok ? isComplete(first) : first.falha !== 'sem_onvif') return first
  const services = await soap.call(DEVICE_PATH, GET_SERVICES)
  const path2 = services.kind === 'answer' ? readServices(services.element, names).Media2 : undefined
  if (path2 === undefined) return first
  const second = await profilesOf(soap, { version: 2, path: path2 })
  return first.ok && !(second.ok && second.sources.length > 0) ? first : second
}

const isComplete = ({ sources }: MediaProfiles): boolean =>
  sources.length > 0 && sources.every((profiles) => profiles.some(({ encoding }) => encoding !== ''))

async function profilesOf(soap: SoapClient, media: MediaService): Promise<MediaProfiles | Failed> {
  const answer = await soap.call(media.path, getProfiles[media.version])
  if (answer.kind !== 'answer') return failed(answer)
  const sources = new Map<string, MediaProfile[]>()
  for (const profile of readProfiles(answer.element))
    sources.set(profile.source, [...(sources.get(profile.source) ?? []), profile])
  return { ok: true, media, sources: [...sources.values()] }
}

/** Path of the PTZ service; null: none. */
export async function ptzPath(
  soap: SoapClient,
): Promise<{ readonly path: string | null } | Exclude<SoapAnswer, { readonly kind: 'answer' | 'fault' }>> {
  const capabilities = await soap.call(DEVICE_PATH, getCapabilities('PTZ'))
  if (capabilities.kind !== 'answer' && capabilities.kind !== 'fault') return capabilities
  const path = capabilities.kind === 'answer' ? readServicePath(capabilities.element, 'PTZ') : null
  if (path !== null) return { path }
  const services = await soap.call(DEVICE_PATH, GET_SERVICES)
  if (services.kind !== 'answer' && services.kind !== 'fault') return services
  return { path: services.kind === 'answer' ? (readServices(services.element, names).PTZ ?? null) : null }
}
