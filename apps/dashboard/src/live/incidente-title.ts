import type { Incidente } from '@vigia/contracts/incidentes'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { textsOfIa } from '../texts/ia-texts.ts'
import { pageLocale } from '../texts/locale.ts'

/**
 * Returns the titles of the IAs of an incidente as one text, for a plate its list. All its events may have been
 * refuted. A walk test says so.
 */
export function useIncidenteTitle(): (incidente: Pick<Incidente, 'tipos' | 'placa' | 'prova'>) => string {
  const { t } = useTranslation()
  return useCallback(
    ({ tipos, placa, prova }) => {
      const titles = new Intl.ListFormat(pageLocale()).format(tipos.map((tipo) => textsOfIa(tipo).titulo))
      const titulo = placa?.lista ? t(`alertas.placa.${placa.lista}`) : titles || t('alertas.semTipo')
      return prova ? t('alertas.deProva', { titulo }) : titulo
    },
    [t],
  )
}
