import { MAX_PRESETS, type MovimentoPtz, type Preset, PTZ_MOVIMENTO_MS } from '@vigia/contracts/ptz'
import { type Contact, type Failed, type ProbeOptions, withContact } from './contact.ts'
import { readIsMoving, readPresets } from './onvif-answers.ts'
import { failed, openDevice, PTZ_NS, SCHEMA_NS, soapOf } from './onvif-device.ts'
import { mediaProfiles, ptzPath } from './onvif-media.ts'
import type { SoapAnswer, SoapClient } from './soap.ts'
import { escapeXml } from './xml.ts'

/** A video source of a device: `canal` 1 is the first. `porta`: of the ONVIF service. */
export interface PtzInput {
  readonly host: string
  readonly porta: number
  readonly usuario: string
  readonly senha: string
  readonly senha_em_texto?: true | undefined
  readonly canal: number
}

export interface PtzClient {
  /** Runs one action (ONVIF PTZ 2.0). A move ends by itself after PTZ_MOVIMENTO_MS. */
  run(input: PtzInput, movimento: MovimentoPtz, options: ProbeOptions): Promise<{ readonly ok: true } | Failed>
  presets(input: PtzInput, options: ProbeOptions): Promise<{ readonly ok: true; readonly presets: Preset[] } | Failed>
  /** Whether the camera moves; null: the device does not say. */
  isMoving(
    input: PtzInput,
    options: ProbeOptions,
  ): Promise<{ readonly ok: true; readonly moving: boolean | null } | Failed>
}

/** Facts of a device that do not change while it runs. */
interface Known {
  readonly offsetMs: number
  readonly path: string
  readonly token: string
}

/** Largest number of devices whose facts are kept. */
const MAX_KNOWN = 256

/** Keeps the facts of each device, so that a move costs one call in place of five. */
export function createPtzClient(): PtzClient {
  const known = new Map<string, Known>()

  async function withDevice<T extends { readonly ok: true }>(
    input: PtzInput,
    options: ProbeOptions,
    run: (ask: (name: string, inner?: string) => Promise<SoapAnswer>) => Promise<T | Failed>,
  ): Promise<T | Failed> {
    const key = JSON.stringify([input.host, input.porta, input.canal])
    return await withContact(input.host, options, async (contact) => {
      const found = await deviceOf(contact, input, known.get(key))
      if (!found.ok) return found
      const { soap, facts } = found
      if (known.size >= MAX_KNOWN) known.clear()
      known.set(key, facts)
      const ask = (name: string, inner = '') =>
        soap.call(
          facts.path,
          `<${name} xmlns="${PTZ_NS}"><ProfileToken>${escapeXml(facts.token)}</ProfileToken>${inner}</${name}>`,
        )
      const result = await run(ask)
      // The device may have another address, clock or profile since.
      if (!result.ok) known.delete(key)
      return result
    })
  }

  return {
    run: (input, movimento, options) =>
      withDevice(input, options, async (ask) => {
        const answer = await ask(...callOf(movimento))
        return answer.kind === 'answer' ? { ok: true } : refused(answer)
      }),
    presets: (input, options) =>
      withDevice(input, options, async (ask) => {
        const answer = await ask('GetPresets')
        // A device without presets may refuse the question.
        if (answer.kind === 'fault') return { ok: true, presets: [] }
        if (answer.kind !== 'answer') return failed(answer)
        return { ok: true, presets: readPresets(answer.element).slice(0, MAX_PRESETS) }
      }),
    isMoving: (input, options) =>
      withDevice(input, options, async (ask) => {
        const answer = await ask('GetStatus')
        if (answer.kind === 'fault') return { ok: true, moving: null }
        return answer.kind === 'answer' ? { ok: true, moving: readIsMoving(answer.element) } : failed(answer)
      }),
  }
}

const refused = (answer: Exclude<SoapAnswer, { readonly kind: 'answer' }>): Failed =>
  answer.kind === 'fault' ? { ok: false, falha: 'ptz_recusado' } : failed(answer)

async function deviceOf(
  contact: Contact,
  { porta, usuario, senha, senha_em_texto, canal }: PtzInput,
  before: Known | undefined,
): Promise<{ readonly ok: true; readonly soap: SoapClient; readonly facts: Known } | Failed> {
  const credentials = usuario === '' ? null : { usuario, senha }
  const login = { porta, credentials, isPlain: senha_em_texto === true }
  if (before)
    return {
      ok: true,
      soap: soapOf(contact, login, () => ({ usualMs: [before.offsetMs], afterHintMs: [] })),
      facts: before,
    }
  const device = await openDevice(contact, login)
  if (!device.ok) return device
  const { soap } = device
  const found = await mediaProfiles(soap)
  if (!found.ok) return found
  const token = found.sources[canal - 1]?.find(({ hasPtz }) => hasPtz)?.token
  if (token === undefined) return { ok: false, falha: 'sem_ptz' }
  const service = await ptzPath(soap)
  if ('kind' in service) return failed(service)
  const { path } = service
  return path === null
    ? { ok: false, falha: 'sem_ptz' }
    : { ok: true, soap, facts: { offsetMs: soap.offsetMs, path, token } }
}

/** Name and content of the call, after the token of the profile. */
function callOf(movimento: MovimentoPtz): [name: string, inner?: string] {
  switch (movimento.acao) {
    case 'mover': {
      const [x, y, zoom] = [movimento.x, movimento.y, movimento.zoom].map((one) => one.toFixed(2))
      const panTilt = `<PanTilt xmlns="${SCHEMA_NS}" x="${x}" y="${y}"/>`
      // A device without this axis would refuse it.
      const axes = movimento.zoom === 0 ? panTilt : `<Zoom xmlns="${SCHEMA_NS}" x="${zoom}"/>`
      const both = movimento.zoom !== 0 && (movimento.x !== 0 || movimento.y !== 0)
      return [
        'ContinuousMove',
        `<Velocity>${both ? panTilt + axes : axes}</Velocity><Timeout>PT${PTZ_MOVIMENTO_MS / 1000}S</Timeout>`,
      ]
    }
    case 'parar':
      return ['Stop', '<PanTilt>true</PanTilt><Zoom>true</Zoom>']
    case 'preset':
      return ['GotoPreset', `<PresetToken>${escapeXml(movimento.preset)}</PresetToken>`]
    case 'base':
      return ['GotoHomePosition']
    case 'definir_base':
      return ['SetHomePosition']
  }
}
