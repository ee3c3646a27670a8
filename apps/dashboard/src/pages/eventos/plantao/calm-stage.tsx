import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { camerasQuery } from '../../../api/queries.ts'
import { DownNow } from '../../../domains/eventos/quedas/down-now.tsx'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import classes from './calm-stage.module.css'
import { LivePane } from './live-pane.tsx'

/** The stage without an incidente: the first camera live, and the offline ones. The mosaic has the others. */
export function CalmStage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { empresa = null } = useSearch({ from: '/painel' })
  const { data: cameras = [] } = useQuery(camerasQuery(api, empresa))
  const camera = cameras.find(({ status }) => status === 'online') ?? cameras[0]
  const { nome } = useEmpresa(camera?.empresa_id ?? null)
  return (
    <div className={classes.stage}>
      {camera && (
        <LivePane
          camera={camera}
          caption={t('plantao.camera.calma', { nome: [nome, camera.nome].filter(Boolean).join(' · ') })}
        />
      )}
      {/* At the end, because nothing may move when a camera goes offline. */}
      <DownNow />
    </div>
  )
}
