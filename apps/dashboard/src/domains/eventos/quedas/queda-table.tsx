import { useTranslation } from 'react-i18next'
import type { QuedaComCameras } from '../../../api/queda-list.ts'
import { formatDuration, formatFull, formatMoment } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { RecordOpen } from '../../../ui/record.tsx'
import { RecordTable } from '../../../ui/record-table.tsx'
import classes from './queda-table.module.css'
import { lastedMs } from './queda-time.tsx'

const colunas = ['nome', 'tipo', 'empresa', 'inicio', 'fim', 'duracao', 'motivo'] as const
const keyOf = ({ queda }: QuedaComCameras) => queda.id

interface QuedaTableProps {
  readonly rows: readonly QuedaComCameras[]
  readonly showEmpresa: boolean
}

/** Quedas as a table; its texts are those of the area `edges`. */
export function QuedaTable({ rows, showEmpresa }: QuedaTableProps) {
  const { t } = useTranslation()
  const columns = colunas.filter((coluna) => showEmpresa || coluna !== 'empresa')
  return (
    <RecordTable
      label={t('quedas.titulo')}
      columns={columns.map((coluna) => [coluna, t(`quedasTabela.${coluna}`)])}
      rows={rows}
      keyOf={keyOf}
    >
      {(row) => <QuedaCells {...row} showEmpresa={showEmpresa} />}
    </RecordTable>
  )
}

interface QuedaCellsProps extends QuedaComCameras {
  readonly showEmpresa: boolean
}

/** Cells of one queda: name, kind, Empresa, start, end, duration and reason. */
function QuedaCells({ queda, cameras, showEmpresa }: QuedaCellsProps) {
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
