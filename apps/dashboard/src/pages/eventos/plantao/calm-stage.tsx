import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { camerasQuery } from '../../../api/queries.ts'
import { DownNow } from '../../../domains/eventos/quedas/down-now.tsx'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import classes from './calm-stage.module.css'

/** Loaded when there is a camera. */
const LivePane = lazy(async () => ({ default: (await import('./live-pane.tsx')).LivePane }))

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
        <Suspense>
          <LivePane
            camera={camera}
            caption={t('plantao.camera.calma', { nome: [nome, camera.nome].filter(Boolean).join(' · ') })}
          />
        </Suspense>
      )}
      {/* At the end, because nothing may move when a camera goes offline. */}
      <DownNow />
    </div>
  )
}
