import { Button } from '@mantine/core'
import { IconPlus, IconRouter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import type { Edge } from '@vigia/contracts/edges'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { caixasQuery } from '../api/queries.ts'
import classes from '../cameras/cameras-page.module.css'
import { CamerasSkeleton } from '../cameras/cameras-skeleton.tsx'
import { Failure } from '../painel/failure.tsx'
import { InfoDialog } from '../painel/info-dialog.tsx'
import { Notice } from '../painel/notice.tsx'
import { usePageTitle } from '../painel/use-page-title.ts'
import { openOutageOfBox } from '../quedas/outage-list.ts'
import { Outages } from '../quedas/outages.tsx'
import { useOpenOutages } from '../quedas/use-down-now.ts'
import { useServices } from '../services.ts'
import { AddBox } from './add-box.tsx'
import { BoxCard, type BoxTask } from './box-card.tsx'
import dialogs from './box-dialogs.module.css'
import { Diagnosis } from './diagnosis.tsx'
import { EditBox } from './edit-box.tsx'
import { RemoveBox } from './remove-box.tsx'
import { ReplaceBox } from './replace-box.tsx'

type Task = { readonly kind: BoxTask; readonly caixa: Edge } | { readonly kind: 'add' } | null

/** The boxes on the sites, whether they are in contact and well; with what an administrator needs to change them. */
export function CaixasPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const [task, setTask] = useState<Task>(null)
  const { data, error, refetch } = useQuery(caixasQuery(api, empresa ?? null))
  const open = useOpenOutages()
  usePageTitle(t('caixas.titulo'))

  const mayWrite = me.papel === 'administrador'
  return (
    <>
      <div className={classes.top}>
        <h1>{t('caixas.titulo')}</h1>
        {mayWrite && (
          <div className={classes.add}>
            <Button leftSection={<IconPlus size={18} />} onClick={() => setTask({ kind: 'add' })}>
              {t('caixas.adicionar')}
            </Button>
          </div>
        )}
      </div>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <CamerasSkeleton />}
      {data?.length === 0 && (
        <Notice
          icon={<IconRouter size={32} />}
          title={t('caixas.vazio.titulo')}
          text={mayWrite ? t('caixas.vazio.texto') : t('caixas.vazio.usuario')}
        />
      )}
      {data && data.length > 0 && (
        <ul className={classes.list} aria-label={t('caixas.titulo')}>
          {data.map((caixa) => (
            <li key={caixa.id}>
              <BoxCard
                caixa={caixa}
                mayWrite={mayWrite}
                showEmpresa={empresa === undefined && me.empresas?.length !== 1}
                queda={openOutageOfBox(open, caixa.id)}
                onTask={(kind) => setTask({ kind, caixa })}
              />
            </li>
          ))}
        </ul>
      )}
      <TaskDialog task={task} onClose={() => setTask(null)} />
    </>
  )
}

function TaskDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  switch (task?.kind) {
    case undefined:
      return null
    case 'add':
      return <AddBox onClose={onClose} />
    case 'diagnosis':
      return <Diagnosis caixa={task.caixa} onClose={onClose} />
    case 'outages':
      return <BoxOutages caixa={task.caixa} onClose={onClose} />
    case 'replace':
      return <ReplaceBox caixa={task.caixa} onClose={onClose} />
    case 'edit':
      return <EditBox caixa={task.caixa} onClose={onClose} />
    case 'remove':
      return <RemoveBox caixa={task.caixa} onClose={onClose} />
  }
}

function BoxOutages({ caixa, onClose }: { caixa: Edge; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <InfoDialog title={t('quedas.daCaixa', { nome: caixa.nome })} onClose={onClose}>
      <p className={dialogs.lead}>{t('quedas.daCaixaAjuda')}</p>
      <Outages
        filtro={{ empresa: null, caixa: caixa.id, camera: null, abertas: false }}
        none={<p>{t('quedas.nenhuma')}</p>}
      />
    </InfoDialog>
  )
}
