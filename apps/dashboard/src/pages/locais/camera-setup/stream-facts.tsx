import { useQuery } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { edgesQuery } from '../../../api/device-queries.ts'
import { useServices } from '../../../session/services.ts'
import { formatNumber } from '../../../texts/locale.ts'
import classes from './camera.module.css'
import { KEYFRAME_MAX_S } from './camera-advice.ts'

/** Facts of the analysed stream, and the edge that reads it. A fact that the edge has not reported is not shown. */
export function StreamFacts({ camera }: { camera: Camera }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data: edges } = useQuery(edgesQuery(api, camera.empresa_id))
  const edge = edges?.find(({ id }) => id === camera.edge_id)
  const facts = [
    ['codec', camera.codec?.toUpperCase() ?? null],
    ['resolucao', camera.resolucao?.replace('x', ' × ') ?? null],
    [
      'fps',
      camera.fps === null ? null : t('cameras.fps', { valor: formatNumber(camera.fps, { maximumFractionDigits: 1 }) }),
    ],
    [
      'quadroChave',
      camera.quadro_chave_s === null
        ? null
        : t('camera.fatos.cada', { segundos: formatNumber(camera.quadro_chave_s, { maximumFractionDigits: 1 }) }),
    ],
    [
      'semQuadroChave',
      (camera.sem_quadro_chave_s ?? 0) <= KEYFRAME_MAX_S
        ? null
        : t('camera.fatos.nenhumHa', { segundos: formatNumber(Math.round(camera.sem_quadro_chave_s ?? 0)) }),
    ],
    ['taxa', camera.taxa_kbps === null ? null : t('camera.fatos.kbps', { valor: formatNumber(camera.taxa_kbps) })],
    ['fluxo', t(camera.sub_rtsp_url === null ? 'camera.fatos.soPrincipal' : 'camera.fatos.comSub')],
    ['caixa', edge?.nome ?? null],
  ] as const
  return (
    <dl className={classes.factList}>
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{t(`camera.fatos.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
