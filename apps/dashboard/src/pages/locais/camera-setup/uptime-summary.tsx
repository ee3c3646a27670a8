import { useQuery } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { MAX_QUEDAS } from '../../../api/queda-list.ts'
import { quedasQuery } from '../../../api/queries.ts'
import { formatDuration, formatMoment } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { uptimeOf } from './uptime.ts'

/** The status of a camera over the last days in one sentence. */
export function UptimeSummary({ camera }: { camera: Camera }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { fuso } = useEmpresa(camera.empresa_id)
  const now = useNow()
  const filtro = { empresa: null, edge: null, camera: camera.id, abertas: false }
  const { data } = useQuery(quedasQuery(api, filtro, MAX_QUEDAS))
  const uptime = data ? uptimeOf(data, now, Date.parse(camera.criada_em), data.length < MAX_QUEDAS) : null
  if (camera.ultimo_frame_em === null) return <p>{t('camera.saude.nunca')}</p>
  if (uptime === null) return null
  // Rounded down: a camera with an outage is never shown with 100 %.
  const percent = formatNumber(Math.floor(uptime.share * 1000) / 10, { maximumFractionDigits: 1 })
  const figures = { percent, quando: formatMoment(new Date(uptime.since).toISOString(), now, fuso) }
  return (
    <p>
      {t('camera.saude.noAr', figures)}{' '}
      {uptime.quedas > 0 && t('camera.saude.caiu', { count: uptime.quedas, tempo: formatDuration(uptime.longestMs) })}
    </p>
  )
}
