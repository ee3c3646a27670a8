import type { HoraIncerta } from '@vigia/contracts/hora-incerta'
import { useTranslation } from 'react-i18next'
import type { Fuso } from './format-time.ts'

interface Dated {
  /** ISO 8601. */
  readonly em: string
  /** undefined: the time is known. */
  readonly incerta: HoraIncerta | undefined
}

/** Returns the text of a time, or of the interval that it lies in. `format`: text of one time. */
export function useWhen() {
  const { t } = useTranslation()
  return ({ em, incerta }: Dated, fuso: Fuso, format: (iso: string, fuso: Fuso) => string): string =>
    incerta === undefined
      ? format(em, fuso)
      : t('horaIncerta.entre', { de: format(incerta.de, fuso), ate: format(incerta.ate, fuso) })
}
