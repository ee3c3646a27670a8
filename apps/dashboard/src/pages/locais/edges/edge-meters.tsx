import type { Edge } from '@vigia/contracts/edges'
import { useTranslation } from 'react-i18next'
import { formatBytes, usedShare } from '../../../domains/locais/edges/edge-health.ts'
import { Meter } from '../../../ui/meter.tsx'

/** Disk, memory and processor of an edge. */
export function EdgeMeters({ disco, memoria, cpu }: Pick<Edge, 'disco' | 'memoria' | 'cpu'>) {
  const { t } = useTranslation()
  const amounts = (amount: Edge['disco']): string =>
    amount === null
      ? t('caixas.semMedida')
      : t('caixas.livre', { livre: formatBytes(amount.livre), total: formatBytes(amount.total) })
  const load = cpu === null ? null : Math.min(1, cpu)
  return (
    <>
      <Meter label={t('caixas.disco')} share={usedShare(disco)} text={amounts(disco)} />
      <Meter label={t('caixas.memoria')} share={usedShare(memoria)} text={amounts(memoria)} />
      <Meter
        label={t('caixas.cpu')}
        share={load}
        text={load === null ? t('caixas.semMedida') : `${Math.round(load * 100)}%`}
      />
    </>
  )
}
