import { IconRobotOff } from '@tabler/icons-react'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import type { Autorizacao } from '@vigia/contracts/autorizacoes'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { autorizacoesQuery } from '../../api/agentes-queries.ts'
import { useServices } from '../../session/services.ts'
import { usePageTitle } from '../../session/use-page-title.ts'
import { CardsSkeleton } from '../../ui/cards-skeleton.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CardGrid, PageHead } from '../../ui/page.tsx'
import { ListEnd, useTwoStepList } from '../../ui/two-step-list.tsx'
import { AgentCard } from './agent-card.tsx'
import classes from './agentes-page.module.css'
import { ConnectAgent } from './connect-agent.tsx'
import { TakeBack } from './take-back.tsx'

/** Number of agents fetched at first, and after "ver mais antigos". */
const STEPS = [50, 200] as const

/** Agents that act in the name of a login, with the buttons to revoke their access and to connect another agent. */
export function AgentesPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const [leaving, setLeaving] = useState<Autorizacao | null>(null)
  const list = useTwoStepList(STEPS, (limite) => autorizacoesQuery(api, empresa ?? null, limite))
  const { data, error, refetch, isPlaceholderData } = list
  usePageTitle(t('agentes.titulo'))

  const mayWrite = me.papel === 'administrador'
  return (
    <>
      <PageHead>
        <h1>{t('agentes.titulo')}</h1>
      </PageHead>
      <ConnectAgent />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <CardsSkeleton />}
      {data?.length === 0 && (
        <Notice
          icon={<IconRobotOff size={32} />}
          title={t('agentes.vazio.titulo')}
          text={mayWrite ? t('agentes.vazio.texto') : t('agentes.vazio.usuario')}
        />
      )}
      {data && data.length > 0 && (
        <>
          <div className={classes.heading}>
            <h2>{t('agentes.lista')}</h2>
            <p>
              {t('agentes.nomeDeclarado')} {!mayWrite && t('agentes.peca')}
            </p>
          </div>
          <CardGrid aria-label={t('agentes.lista')} aria-busy={isPlaceholderData}>
            {data.map((autorizacao) => (
              <li key={autorizacao.id}>
                <AgentCard autorizacao={autorizacao} onTakeBack={mayWrite ? () => setLeaving(autorizacao) : null} />
              </li>
            ))}
          </CardGrid>
          <ListEnd
            end={list.end}
            label={t('agentes.verMais')}
            limitReached={t('agentes.limite', { total: STEPS[1] })}
          />
        </>
      )}
      {leaving && <TakeBack autorizacao={leaving} onClose={() => setLeaving(null)} />}
    </>
  )
}
