import { Button } from '@mantine/core'
import { IconDeviceCctv, IconListCheck, IconPlus, IconServer } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { openQuedaOf } from '../../../api/queda-list.ts'
import { camerasQuery } from '../../../api/queries.ts'
import { useOpenQuedas } from '../../../domains/eventos/quedas/use-down-now.ts'
import { LiveView } from '../../../domains/video/aovivo/live-view.tsx'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { CardsSkeleton } from '../../../ui/cards-skeleton.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { CardGrid, PageActions, PageHead } from '../../../ui/page.tsx'
import { AddCamera } from './add-camera.tsx'
import { CameraCard } from './camera-card.tsx'
import { CameraHistory } from './camera-history.tsx'
import { EditCamera } from './edit-camera.tsx'
import { RemoveCamera } from './remove-camera.tsx'
import { StatusFilter } from './status-filter.tsx'

type Task = { readonly kind: 'edit' | 'remove'; readonly camera: Camera } | null

/** The cameras with status and failures, and the controls of an administrator. */
export function CamerasPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa, status, adicionar, aovivo, historico } = useSearch({ from: '/painel/cameras' })
  const navigate = useNavigate({ from: '/cameras' })
  const [task, setTask] = useState<Task>(null)
  const { data, error, refetch } = useQuery(camerasQuery(api, empresa ?? null))
  const open = useOpenQuedas()
  usePageTitle(t('cameras.titulo'))

  const mayWrite = me.papel === 'administrador'
  const openForm = (open: boolean) =>
    void navigate({ search: ({ adicionar: _open, ...rest }) => (open ? { ...rest, adicionar: true } : rest) })
  // Read-only dialogs have a URL, so that "back" closes them on a phone and a link opens them.
  const show = (dialog: { aovivo?: number; historico?: number }) =>
    void navigate({
      search: ({ aovivo: _live, historico: _history, ...rest }) => ({ ...rest, ...dialog }),
      resetScroll: false,
    })
  const live = data?.find(({ id }) => id === aovivo)
  const historyCamera = data?.find(({ id }) => id === historico)
  const shown = data?.filter((camera) => status === undefined || camera.status === status)

  return (
    <>
      <PageHead>
        <h1>{t('cameras.titulo')}</h1>
        {data && data.length > 0 && <StatusFilter cameras={data} />}
        {mayWrite && (
          <PageActions>
            {data && data.length > 1 && (
              <ButtonLink to="/cameras/varias" variant="default" leftSection={<IconListCheck size={18} />}>
                {t('cameras.varias')}
              </ButtonLink>
            )}
            <ButtonLink to="/gravadores/novo" variant="default" leftSection={<IconServer size={18} />}>
              {t('cameras.adicionarGravador')}
            </ButtonLink>
            <Button leftSection={<IconPlus size={18} />} onClick={() => openForm(true)}>
              {t('cameras.adicionar')}
            </Button>
          </PageActions>
        )}
      </PageHead>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <CardsSkeleton />}
      {data && shown?.length === 0 && <NoCameras any={data.length > 0} mayWrite={mayWrite} />}
      {shown && shown.length > 0 && (
        <CardGrid aria-label={t('cameras.titulo')}>
          {shown.map((camera) => (
            <li key={camera.id}>
              <CameraCard
                camera={camera}
                mayWrite={mayWrite}
                showEmpresa={empresa === undefined && me.empresas?.length !== 1}
                queda={openQuedaOf(open, camera.id)}
                onLive={() => show({ aovivo: camera.id })}
                onHistory={() => show({ historico: camera.id })}
                onEdit={() => setTask({ kind: 'edit', camera })}
                onRemove={() => setTask({ kind: 'remove', camera })}
              />
            </li>
          ))}
        </CardGrid>
      )}
      {mayWrite && adicionar && <AddCamera onClose={() => openForm(false)} />}
      {live && <LiveView key={live.id} camera={live} mayWrite={mayWrite} onClose={() => show({})} />}
      {historyCamera && <CameraHistory key={historyCamera.id} camera={historyCamera} onClose={() => show({})} />}
      {task?.kind === 'edit' && <EditCamera camera={task.camera} onClose={() => setTask(null)} />}
      {task?.kind === 'remove' && <RemoveCamera camera={task.camera} onClose={() => setTask(null)} />}
    </>
  )
}

function NoCameras({ any, mayWrite }: { any: boolean; mayWrite: boolean }) {
  const { t } = useTranslation()
  if (any) return <Notice icon={<IconDeviceCctv size={32} />} title={t('cameras.vazio.filtro')} />
  return (
    <Notice
      icon={<IconDeviceCctv size={32} />}
      title={t('cameras.vazio.titulo')}
      text={mayWrite ? t('cameras.vazio.texto') : t('cameras.vazio.usuario')}
    />
  )
}
