import { IconLock, IconShieldOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import type { UsoVerificadorExterno } from '@vigia/contracts/verificador-externo'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { CardsSkeleton } from '../../../ui/cards-skeleton.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { More } from '../../../ui/more.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { CardGrid, PageHead, Soft } from '../../../ui/page.tsx'
import { EditLimit } from './edit-limit.tsx'
import { SwitchVerificador } from './switch-verificador.tsx'
import { UsoCard } from './uso-card.tsx'
import { verificadorQuery } from './verificador-query.ts'

/** Number of cards shown at first and added by each "ver mais". */
const STEP = 60

interface Open {
  readonly uso: UsoVerificadorExterno
  readonly what: 'on' | 'off' | 'limit'
}

/** The external verifier of the Empresas in scope, for administrators. */
export function VerificadorPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const [open, setOpen] = useState<Open | null>(null)
  const [shown, setShown] = useState(STEP)
  const allowed = me.papel === 'administrador'
  usePageTitle(t('verificadorExterno.titulo'))
  const { data, error, refetch } = useQuery({ ...verificadorQuery(api, empresa ?? null), enabled: allowed })
  if (!allowed) return <Notice icon={<IconLock size={32} />} title={t('verificadorExterno.so')} />
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  const servico = data?.servico ?? null
  const close = () => setOpen(null)
  return (
    <>
      <PageHead>
        <h1>{t('verificadorExterno.titulo')}</h1>
        <Soft>{t('verificadorExterno.ajuda')}</Soft>
        {servico && (
          <>
            <Soft>{t('verificadorExterno.servico', servico)}</Soft>
            <p>{t('verificadorExterno.lgpd', servico)}</p>
          </>
        )}
      </PageHead>
      {!data && <CardsSkeleton />}
      {data && !servico && (
        <Notice
          icon={<IconShieldOff size={32} />}
          title={t('verificadorExterno.sem.titulo')}
          text={t('verificadorExterno.sem.texto')}
        />
      )}
      {data && servico && (
        <CardGrid aria-label={t('verificadorExterno.lista')}>
          {data.empresas.slice(0, shown).map((uso) => (
            <li key={uso.empresa_id}>
              <UsoCard
                uso={uso}
                moeda={servico.moeda}
                own={me.empresa_id === uso.empresa_id}
                operator={me.empresa_id === null}
                onOpen={(what) => setOpen({ uso, what })}
              />
            </li>
          ))}
        </CardGrid>
      )}
      {data && servico && data.empresas.length > shown && (
        <More
          label={t('verificadorExterno.verMais')}
          loading={false}
          error={null}
          onMore={() => setShown(shown + STEP)}
        />
      )}
      {servico && open && open.what !== 'limit' && (
        <SwitchVerificador uso={open.uso} servidor={servico.servidor} on={open.what === 'on'} onClose={close} />
      )}
      {open?.what === 'limit' && <EditLimit uso={open.uso} onClose={close} />}
    </>
  )
}
