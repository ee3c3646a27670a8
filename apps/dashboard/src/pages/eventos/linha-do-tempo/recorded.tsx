import { Button } from '@mantine/core'
import { IconTimeline } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { KindSample } from '../../../domains/video/clipes/day-marks.tsx'
import { gravadoQuery } from '../../../domains/video/clipes/gravado-query.ts'
import { useServices } from '../../../session/services.ts'
import { Failure } from '../../../ui/failure.tsx'
import type { Span } from '../../../ui/hour-view.ts'
import { Legend } from '../../../ui/legend.tsx'
import { Soft } from '../../../ui/page.tsx'

interface RecordedProps {
  readonly camera: number
  readonly day: Span
  /** Whether the person asked: the recorder reads its disk for the answer. */
  readonly isAsked: boolean
  readonly onAsk: () => void
}

/** Asks what is recorded on the day. The bar shows the answer. */
export function Recorded({ camera, day, isAsked, onAsk }: RecordedProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data, error, isFetching, refetch } = useQuery({ ...gravadoQuery(api, camera, day), enabled: isAsked })
  if (!isAsked)
    return (
      <Button variant="default" size="sm" leftSection={<IconTimeline size={18} aria-hidden="true" />} onClick={onAsk}>
        {t('linhaDoTempo.gravado.ver')}
      </Button>
    )
  if (isFetching)
    return (
      <Soft role="status" aria-busy="true">
        {t('linhaDoTempo.gravado.perguntando')}
      </Soft>
    )
  if (error || !data) return <Failure error={error} onRetry={() => void refetch()} />
  const { trechos, detalhe } = data
  const fontes = (['gravador', 'caixa'] as const).filter((fonte) => trechos.some((one) => one.fonte === fonte))
  return (
    <>
      {detalhe !== null && <p role="status">{detalhe}</p>}
      {trechos.length === 0 && detalhe === null && <p role="status">{t('linhaDoTempo.gravado.nada')}</p>}
      <Legend>
        {fontes.map((fonte) => (
          <li key={fonte}>
            <KindSample kind={fonte} />
            {t(`linhaDoTempo.gravado.${fonte}`)}
          </li>
        ))}
      </Legend>
    </>
  )
}
