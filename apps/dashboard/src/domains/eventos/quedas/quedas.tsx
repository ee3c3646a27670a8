import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type FiltroQuedas, foldOfflineEdges, MAX_QUEDAS, type QuedaComCameras } from '../../../api/queda-list.ts'
import { quedasQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { Failure } from '../../../ui/failure.tsx'
import {
  RecordKind,
  RecordList,
  RecordName,
  RecordOpen,
  RecordReason,
  RecordRow,
  RecordWhen,
} from '../../../ui/record.tsx'
import { ListEnd, useTwoStepList } from '../../../ui/two-step-list.tsx'
import { QuedaTime } from './queda-time.tsx'

/** Number of quedas fetched at first, and after "ver mais antigas". */
const STEPS = [50, MAX_QUEDAS] as const

export interface QuedasProps {
  readonly filtro: FiltroQuedas
  /** false: the lines omit the name, as in the list of one camera. */
  readonly named?: boolean
  /** Content of an empty list. */
  readonly none: ReactNode
  /** Shows the rows in another form than a list. */
  readonly children?: (rows: QuedaComCameras[]) => ReactNode
}

/** A list of quedas with name, start, end and reason. */
export function Quedas({ filtro, named = true, none, children }: QuedasProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const list = useTwoStepList(STEPS, (limite) => quedasQuery(api, filtro, limite))
  const { data, error, refetch, isPlaceholderData } = list
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} radius="md" />
  if (data.length === 0) return none
  const rows = foldOfflineEdges(data)
  return (
    <>
      {children ? (
        children(rows)
      ) : (
        <RecordList aria-label={t('quedas.titulo')} aria-busy={isPlaceholderData}>
          {rows.map((folded) => (
            <QuedaItem key={folded.queda.id} {...folded} named={named} />
          ))}
        </RecordList>
      )}
      <ListEnd end={list.end} label={t('quedas.verMais')} limitReached={t('quedas.limite', { total: MAX_QUEDAS })} />
    </>
  )
}

function QuedaItem({ queda, cameras, named }: QuedaComCameras & { named: boolean }) {
  const { t } = useTranslation()
  const { nome: empresa, fuso } = useEmpresa(queda.empresa_id)
  const isCentral = queda.camera_id === null && queda.edge_id === null
  const kind = isCentral ? '' : t(queda.camera_id === null ? 'quedas.caixa' : 'quedas.camera')
  return (
    <RecordRow data-open={queda.fim === null || undefined}>
      {named && (
        <RecordName>
          {queda.nome}
          <RecordKind>{[kind, isCentral ? '' : empresa].filter(Boolean).join(' · ')}</RecordKind>
        </RecordName>
      )}
      {queda.fim === null && <RecordOpen>{t('quedas.aindaFora')}</RecordOpen>}
      <RecordReason>
        {queda.motivo_texto} {cameras > 0 && t('quedas.comCameras', { count: cameras })}
      </RecordReason>
      <RecordWhen>
        <QuedaTime queda={queda} fuso={fuso} />
      </RecordWhen>
    </RecordRow>
  )
}
