import type { Agenda } from '@vigia/contracts/agenda'
import type { Camera } from '@vigia/contracts/cameras'
import { type ConfigIa, calibracaoPadrao, type NomeIa, nomesIas } from '@vigia/contracts/ias'
import type { Perfil } from '@vigia/contracts/perfis'
import { withPlaca } from '@vigia/contracts/plates-ia'
import { sameHours } from './week-grid.ts'

/** The fields of a camera that concern IAs. */
export type IaSettings = Pick<Camera, 'eventos_habilitados' | 'config_ia' | 'agenda'>

/** Sets `value` for `ia`; undefined removes the entry. */
function withEntry<T extends object, K extends keyof T>(entries: T, ia: K, value: T[K] | undefined): T {
  const { [ia]: _before, ...rest } = entries
  return (value === undefined ? rest : { ...rest, [ia]: value }) as T
}

/**
 * The change that applies a Perfil: its IAs run with its calibration and Agenda. Stored settings of other IAs stay, so
 * that switching such an IA on again restores them.
 * @param placas whether the camera reads plates afterwards: a Perfil of plates does not decide for which cameras
 */
export function applyPerfil({ config_ia, agenda }: IaSettings, perfil: Perfil, placas: boolean): IaSettings {
  let [thresholds, windows]: [ConfigIa, Agenda] = [config_ia, agenda]
  for (const ia of perfil.ias) {
    thresholds = withEntry(thresholds, ia, perfil.config_ia[ia])
    windows = withEntry(windows, ia, perfil.agenda[ia])
  }
  return { eventos_habilitados: withPlaca(perfil.ias, placas), config_ia: thresholds, agenda: windows }
}

export type IaChange =
  | { readonly kind: 'liga'; readonly ia: NomeIa }
  | { readonly kind: 'desliga'; readonly ia: NomeIa }
  | { readonly kind: 'agenda'; readonly ia: NomeIa; readonly de: Agenda[NomeIa]; readonly para: Agenda[NomeIa] }
  | {
      readonly kind: 'limiar'
      readonly ia: NomeIa
      readonly limiar: string
      readonly de: number | boolean
      readonly para: number | boolean
    }

const effective = (config: ConfigIa, ia: NomeIa, limiar: string) =>
  config[ia]?.[limiar] ?? (calibracaoPadrao[ia][limiar] as number | boolean)

/**
 * The effect of a change on the IAs of a camera, in the order of the catalogue. An IA that is off after the change
 * shows only its switch.
 */
export function iaChanges(before: IaSettings, after: Partial<IaSettings>): readonly IaChange[] {
  const ias = after.eventos_habilitados ?? before.eventos_habilitados
  const config = after.config_ia ?? before.config_ia
  const agenda = after.agenda ?? before.agenda
  return nomesIas.flatMap((ia): IaChange[] => {
    const [was, is] = [before.eventos_habilitados.includes(ia), ias.includes(ia)]
    if (!is) return was ? [{ kind: 'desliga', ia }] : []
    const switched: IaChange[] = was ? [] : [{ kind: 'liga', ia }]
    const [de, para] = [before.agenda[ia], agenda[ia]]
    const hours: IaChange[] = sameHours(de ?? null, para ?? null) ? [] : [{ kind: 'agenda', ia, de, para }]
    const thresholds = Object.keys(calibracaoPadrao[ia]).flatMap((limiar): IaChange[] => {
      const [old, now] = [effective(before.config_ia, ia, limiar), effective(config, ia, limiar)]
      return old === now ? [] : [{ kind: 'limiar', ia, limiar, de: old, para: now }]
    })
    return [...switched, ...hours, ...thresholds]
  })
}
