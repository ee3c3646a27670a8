import type { Ficou } from '@vigia/contracts/apagamentos'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../texts/locale.ts'

/** Records that a deletion leaves, with the reasons. */
export function Ficam({ ficam }: { readonly ficam: readonly Ficou[] }) {
  const { t } = useTranslation()
  if (ficam.length === 0) return null
  return (
    <ul>
      {ficam.map(({ dado, quantos }) => (
        <li key={dado}>{t(`retencao.periodo.fica.${dado}`, { count: quantos, quantos: formatNumber(quantos) })}</li>
      ))}
    </ul>
  )
}
