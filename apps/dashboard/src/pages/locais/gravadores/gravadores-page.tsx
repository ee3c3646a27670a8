import { IconPlus, IconServer } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import type { Gravador } from '@vigia/contracts/gravadores'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { gravadoresQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { CardsSkeleton } from '../../../ui/cards-skeleton.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { CardGrid, PageActions, PageHead } from '../../../ui/page.tsx'
import { EditGravador } from './edit-gravador.tsx'
import { GravadorCard } from './gravador-card.tsx'
import { GravadorDiagnosis } from './gravador-diagnosis.tsx'
import { RemoveGravador } from './remove-gravador.tsx'

type Task = { readonly kind: 'edit' | 'remove' | 'diagnose'; readonly gravador: Gravador } | null

/** The gravadores, with the change of address and credentials. */
export function GravadoresPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const [task, setTask] = useState<Task>(null)
  const { data, error, refetch } = useQuery(gravadoresQuery(api, empresa ?? null))
  usePageTitle(t('gravadores.lista'))

  const mayWrite = me.papel === 'administrador'
  const add = mayWrite && (
    <ButtonLink to="/gravadores/novo" leftSection={<IconPlus size={18} />}>
      {t('gravadores.abrir')}
    </ButtonLink>
  )
  return (
    <>
      <PageHead>
        <h1>{t('gravadores.lista')}</h1>
        <PageActions>{add}</PageActions>
      </PageHead>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <CardsSkeleton />}
      {data?.length === 0 && (
        <Notice
          icon={<IconServer size={32} />}
          title={t('gravadores.vazio.titulo')}
          text={t('gravadores.vazio.texto')}
        />
      )}
      {data && data.length > 0 && (
        <CardGrid aria-label={t('gravadores.lista')}>
          {data.map((gravador) => (
            <li key={gravador.id}>
              <GravadorCard
                gravador={gravador}
                mayWrite={mayWrite}
                showEmpresa={empresa === undefined && me.empresas?.length !== 1}
                onTask={(kind) => setTask({ kind, gravador })}
              />
            </li>
          ))}
        </CardGrid>
      )}
      {task?.kind === 'edit' && <EditGravador gravador={task.gravador} onClose={() => setTask(null)} />}
      {task?.kind === 'diagnose' && <GravadorDiagnosis gravador={task.gravador} onClose={() => setTask(null)} />}
      {task?.kind === 'remove' && <RemoveGravador gravador={task.gravador} onClose={() => setTask(null)} />}
    </>
  )
}
