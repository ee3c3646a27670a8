import type { Camera } from '@vigia/contracts/cameras'
import { janelaOf } from '@vigia/contracts/horarios'
import type { NomeIa } from '@vigia/contracts/ias'
import type { Janela } from '@vigia/ias/agenda'
import { useTranslation } from 'react-i18next'
import { DIAS } from './week-grid.ts'

/** The windows in which an IA is armed; null: always. */
export const windowsOf = ({ horarios }: Pick<Camera, 'horarios'>, nome: NomeIa): Janela[] | null =>
  horarios[nome]?.map(janelaOf) ?? null

/** An hour as people read it: `6`, `18:30`. */
export const clockText = (hour: number): string => (Number.isInteger(hour) ? String(hour) : `${Math.floor(hour)}:30`)

/** Returns windows as a part of a sentence: `das 22 às 6 h, seg, ter; das 12 às 13:30 h, dom`. null: always armed. */
export function useWindowText(): (janelas: Janela | readonly Janela[] | null) => string {
  const { t } = useTranslation()
  const names: readonly string[] = t('camera.horarios.dias', { returnObjects: true })
  const one = ({ inicio, fim, dias }: Janela) => {
    const days =
      dias.length === 0 || dias.length === DIAS
        ? t('camera.horarios.todosDias')
        : dias.map((dia) => names[dia]).join(', ')
    const hours =
      inicio === fim
        ? t('camera.horarios.diaInteiro')
        : t('camera.horarios.faixa', { inicio: clockText(inicio), fim: clockText(fim) })
    return `${hours}, ${days}`
  }
  return (janelas) => {
    if (janelas === null) return t('camera.horarios.sempre')
    return ('inicio' in janelas ? [janelas] : janelas).map(one).join('; ')
  }
}
