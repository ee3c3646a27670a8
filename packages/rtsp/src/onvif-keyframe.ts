import { type Failed, type ProbeOptions, withContact } from './contact.ts'
import { readStreamUri } from './onvif-answers.ts'
import { failed, openDevice } from './onvif-device.ts'
import { getStreamUri, type MediaProfiles, mediaProfiles, setSynchronizationPoint } from './onvif-media.ts'
import type { SoapClient } from './soap.ts'

/** Streams of one video source of a device: `canal` 1 is the first. `porta`: of the ONVIF service. */
export interface KeyframeInput {
  readonly host: string
  readonly porta: number
  readonly usuario: string
  readonly senha: string
  readonly senha_em_texto?: true | undefined
  readonly canal: number
  /** Paths of the streams, as the device reported them (`fluxoOf`). */
  readonly caminhos: readonly string[]
}

/** Largest number of profiles of a source that are asked for their address. */
const MAX_PROFILES = 8

/**
 * Asks a device for a keyframe of each stream at once (ONVIF SetSynchronizationPoint). `sem_sincronizacao`: the device
 * answers the call with a fault; `fluxo_inexistente`: no profile has one of the paths.
 */
export async function requestKeyframe(
  { porta, usuario, senha, senha_em_texto, canal, caminhos, host }: KeyframeInput,
  options: ProbeOptions,
): Promise<{ readonly ok: true } | Failed> {
  const credentials = usuario === '' ? null : { usuario, senha }
  return await withContact(host, options, async (contact): Promise<{ readonly ok: true } | Failed> => {
    const device = await openDevice(contact, { porta, credentials, isPlain: senha_em_texto === true })
    if (!device.ok) return device
    const { soap } = device
    const found = await mediaProfiles(soap)
    if (!found.ok) return found
    const profiles = await profilesAt(soap, found, canal, new Set(caminhos))
    if (!profiles.ok) return profiles
    for (const token of profiles.tokens) {
      const answer = await soap.call(found.media.path, setSynchronizationPoint(found.media, token))
      if (answer.kind === 'fault') return { ok: false, falha: 'sem_sincronizacao' }
      if (answer.kind !== 'answer') return failed(answer)
    }
    return { ok: true }
  })
}

/** Tokens of the profiles whose streams have these paths. */
async function profilesAt(
  soap: SoapClient,
  { media, sources }: MediaProfiles,
  canal: number,
  wanted: Set<string>,
): Promise<{ readonly ok: true; readonly tokens: readonly string[] } | Failed> {
  const tokens: string[] = []
  for (const { token } of (sources[canal - 1] ?? []).slice(0, MAX_PROFILES)) {
    const answer = await soap.call(media.path, getStreamUri(media, token))
    if (answer.kind === 'fault') continue
    if (answer.kind !== 'answer') return failed(answer)
    if (wanted.delete(readStreamUri(answer.element)?.caminho ?? '')) tokens.push(token)
    if (wanted.size === 0) break
  }
  return tokens.length > 0 ? { ok: true, tokens } : { ok: false, falha: 'fluxo_inexistente' }
}
