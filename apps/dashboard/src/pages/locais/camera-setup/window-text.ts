import type { Janela } from '@vigia/contracts/agenda'
import { useTranslation } from 'react-i18next'
import { DIAS } from './week-grid.ts'

/** Returns a window as a sentence part: `das 22 às 6 h, seg, ter`. null: always armed. */
export function useWindowText(): (janela: Janela | null) => string {
  const { t } = useTranslation()
  const names: readonly string[] = t('camera.horarios.dias', { returnObjects: true })
  return (janela) => {
    if (janela === null) return t('camera.horarios.sempre')
    const { inicio, fim, dias } = janela
    const days =
      dias.length === 0 || dias.length === DIAS
        ? t('camera.horarios.todosDias')
        : dias.map((dia) => names[dia]).join(', ')
    const hours = inicio === fim ? t('camera.horarios.diaInteiro') : t('camera.horarios.faixa', { inicio, fim })
    return `${hours}, ${days}`
  }
}
