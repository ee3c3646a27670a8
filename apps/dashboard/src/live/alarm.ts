import { type Gravidade, gravidades, iasQueRompemSilencio } from '@vigia/contracts/ias'
import type { Incidente } from '@vigia/contracts/incidentes'
import type { KnownIncidentes } from './incidentes.ts'

/** Largest age of an unanswered incidente that sounds when the page opens. Older ones are shown without sound. */
const AT_START_MS = 15 * 60_000

export interface AlarmScope {
  /** null: all Empresas in scope. */
  readonly empresa: number | null
  /** Cameras that are silenced now. */
  readonly silenced: ReadonlySet<number>
  /** Epoch ms at which the page opened. */
  readonly openedAt: number
}

/** A silence that begins after an incidente mutes it too, with the exceptions of the cloud (cloud, db/silencios.ts). */
const ignoresSilence = ({ gravidade, tipos }: Incidente): boolean =>
  gravidade === 'critica' || tipos.some((tipo) => iasQueRompemSilencio.includes(tipo))

export const isUnanswered = ({ atendimento, veredito }: Incidente): boolean =>
  atendimento === null && veredito !== 'refutado'

/** Highest severity of the incidentes that sound until somebody answers them; null: none. */
export function alarmOf(known: KnownIncidentes, { empresa, silenced, openedAt }: AlarmScope): Gravidade | null {
  let highest = -1
  for (const { incidente, live } of known.values()) {
    if (!isUnanswered(incidente) || incidente.veredito !== 'confirmado') continue
    if (empresa !== null && incidente.empresa_id !== empresa) continue
    if (!live && Date.parse(incidente.fim) < openedAt - AT_START_MS) continue
    const isSilenced = incidente.silenciado || silenced.has(incidente.camera_id)
    if (isSilenced && !ignoresSilence(incidente)) continue
    highest = Math.max(highest, gravidades.indexOf(incidente.gravidade))
  }
  return gravidades[highest] ?? null
}
