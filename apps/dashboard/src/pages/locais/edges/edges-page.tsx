import { IconPlus, IconRouter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import type { Edge } from '@vigia/contracts/edges'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { edgesQuery } from '../../../api/device-queries.ts'
import { openQuedaOfEdge } from '../../../api/queda-list.ts'
import { Quedas } from '../../../domains/eventos/quedas/quedas.tsx'
import { useOpenQuedas } from '../../../domains/eventos/quedas/use-down-now.ts'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { CardsSkeleton } from '../../../ui/cards-skeleton.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { InfoDialog } from '../../../ui/info-dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { CardGrid, PageActions, PageHead } from '../../../ui/page.tsx'
import { Diagnosis } from './diagnosis.tsx'
import { EdgeCard, type EdgeTask } from './edge-card.tsx'
import dialogs from './edge-dialogs.module.css'
import { EditEdge } from './edit-edge.tsx'
import { RemoveEdge } from './remove-edge.tsx'
import { ReplaceEdge } from './replace-edge.tsx'

type Task = { readonly kind: EdgeTask; readonly edge: Edge } | null

/** The edges with status and measurements, and the controls of an administrator. */
export function EdgesPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const [task, setTask] = useState<Task>(null)
  const { data, error, refetch } = useQuery(edgesQuery(api, empresa ?? null))
  const open = useOpenQuedas()
  usePageTitle(t('caixas.titulo'))

  const mayWrite = me.papel === 'administrador'
  return (
    <>
      <PageHead>
        <h1>{t('caixas.titulo')}</h1>
        {mayWrite && (
          <PageActions>
            <ButtonLink to="/caixas/nova" leftSection={<IconPlus size={18} />}>
              {t('caixas.adicionar')}
            </ButtonLink>
          </PageActions>
        )}
      </PageHead>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <CardsSkeleton />}
      {data?.length === 0 && (
        <Notice
          icon={<IconRouter size={32} />}
          title={t('caixas.vazio.titulo')}
          text={mayWrite ? t('caixas.vazio.texto') : t('caixas.vazio.usuario')}
        />
      )}
      {data && data.length > 0 && (
        <CardGrid aria-label={t('caixas.titulo')}>
          {data.map((edge) => (
            <li key={edge.id}>
              <EdgeCard
                edge={edge}
                mayWrite={mayWrite}
                showEmpresa={empresa === undefined && me.empresas?.length !== 1}
                queda={openQuedaOfEdge(open, edge.id)}
                onTask={(kind) => setTask({ kind, edge })}
              />
            </li>
          ))}
        </CardGrid>
      )}
      <TaskDialog task={task} onClose={() => setTask(null)} />
    </>
  )
}

function TaskDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  switch (task?.kind) {
    case undefined:
      return null
    case 'diagnosis':
      return <Diagnosis edge={task.edge} onClose={onClose} />
    case 'quedas':
      return <EdgeQuedas edge={task.edge} onClose={onClose} />
    case 'replace':
      return <ReplaceEdge edge={task.edge} onClose={onClose} />
    case 'edit':
      return <EditEdge edge={task.edge} onClose={onClose} />
    case 'remove':
      return <RemoveEdge edge={task.edge} onClose={onClose} />
  }
}

function EdgeQuedas({ edge, onClose }: { edge: Edge; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <InfoDialog title={t('quedas.daCaixa', { nome: edge.nome })} onClose={onClose}>
      <p className={dialogs.lead}>{t('quedas.daCaixaAjuda')}</p>
      <Quedas
        filtro={{ empresa: null, edge: edge.id, camera: null, abertas: false }}
        none={<p>{t('quedas.nenhuma')}</p>}
      />
    </InfoDialog>
  )
}
