import { useTranslation } from 'react-i18next'
import type { QuedaComCameras } from '../../../api/queda-list.ts'
import { formatDuration, formatFull, formatMoment } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { lastedMs } from '../../../domains/eventos/quedas/queda-time.tsx'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { RecordOpen } from '../../../ui/record.tsx'
import classes from './quedas.module.css'

interface QuedaCellsProps extends QuedaComCameras {
  readonly showEmpresa: boolean
}

/** Cells of one queda: name, kind, Empresa, start, end, duration and reason. */
export function QuedaCells({ queda, cameras, showEmpresa }: QuedaCellsProps) {
  const { t } = useTranslation()
  const now = useNow()
  const { nome: empresa, fuso } = useEmpresa(queda.empresa_id)
  const { nome, inicio, fim, camera_id, edge_id, motivo_texto } = queda
  const isCentral = camera_id === null && edge_id === null
  const moment = (instant: string) => (
    <time dateTime={instant} title={formatFull(instant, fuso)}>
      {formatMoment(instant, now, fuso)}
    </time>
  )
  return (
    <>
      <th scope="row" title={nome}>
        <bdi>{nome}</bdi>
      </th>
      <td>{!isCentral && t(camera_id === null ? 'quedas.caixa' : 'quedas.camera')}</td>
      {showEmpresa && <td>{!isCentral && empresa}</td>}
      <td>{moment(inicio)}</td>
      <td>{fim === null ? <RecordOpen>{t('quedas.aindaFora')}</RecordOpen> : moment(fim)}</td>
      <td>{formatDuration(lastedMs(queda, now))}</td>
      <td className={classes.reason}>
        {motivo_texto} {cameras > 0 && t('quedas.comCameras', { count: cameras })}
      </td>
    </>
  )
}
