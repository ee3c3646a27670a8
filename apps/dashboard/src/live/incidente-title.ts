import type { Incidente } from '@vigia/contracts/incidentes'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { textsOfIa } from '../texts/ia-texts.ts'
import { pageLocale } from '../texts/locale.ts'

/**
 * Returns the titles of the IAs of an incidente as one text, for a plate its list. All its events may have been
 * refuted.
 */
export function useIncidenteTitle(): (incidente: Pick<Incidente, 'tipos' | 'placa'>) => string {
  const { t } = useTranslation()
  return useCallback(
    ({ tipos, placa }) => {
      if (placa?.lista) return t(`alertas.placa.${placa.lista}`)
      if (tipos.length === 0) return t('alertas.semTipo')
      return new Intl.ListFormat(pageLocale()).format(tipos.map((tipo) => textsOfIa(tipo).titulo))
    },
    [t],
  )
}
