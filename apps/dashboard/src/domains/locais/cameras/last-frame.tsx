import type { Camera } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { formatFull, formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'

/** Time of the last frame. An online camera always has a frame of the last seconds, but the fetched time is older. */
export function LastFrame({ camera: { status, ultimo_frame_em: last, empresa_id } }: { camera: Camera }) {
  const { t } = useTranslation()
  const { fuso } = useEmpresa(empresa_id)
  const now = useNow()
  if (status === 'online') return <p>{t('cameras.imagemAgora')}</p>
  if (last === null) return <p>{t('cameras.semQuadro')}</p>
  const quando = formatWhen(last, now, fuso)
  return (
    <p>
      <time dateTime={last} title={formatFull(last, fuso)}>
        {t('cameras.ultimaImagem', { quando })}
      </time>
    </p>
  )
}
