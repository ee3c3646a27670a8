import { IconLock, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type Remetentes, remetentesSchema, type TipoRemetente, tiposRemetente } from '@vigia/contracts/remetentes'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import card from '../../../ui/camera-card.module.css'
import page from '../../../ui/cameras-page.module.css'
import { CamerasSkeleton } from '../../../ui/cameras-skeleton.tsx'
import { CardButton } from '../../../ui/card-buttons.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import auditoria from '../../pessoas/auditoria/auditoria.module.css'
import { EditRemetente } from './edit-remetente.tsx'
import { RemoveRemetente } from './remove-remetente.tsx'
import { TestRemetente } from './test-remetente.tsx'

interface Open {
  readonly tipo: TipoRemetente
  readonly what: 'change' | 'test' | 'remove'
}

/** Accounts that the installation sends messages with, for the operator. */
export function RemetentesPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const operator = me.papel === 'administrador' && me.empresa_id === null
  const [open, setOpen] = useState<Open | null>(null)
  usePageTitle(t('remetentes.titulo'))
  const { data, error, refetch } = useQuery({
    ...queryOptions({
      queryKey: ['remetentes'],
      queryFn: ({ signal }) => api.get('/remetentes', remetentesSchema, signal),
    }),
    enabled: operator,
  })
  if (!operator) return <Notice icon={<IconLock size={32} />} title={t('remetentes.so')} />
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  const close = () => setOpen(null)
  return (
    <>
      <div className={page.top}>
        <h1>{t('remetentes.titulo')}</h1>
        <p className={auditoria.soft}>{t('remetentes.ajuda')}</p>
        {data?.url_publica === null && <p className={auditoria.soft}>{t('remetentes.semUrl')}</p>}
      </div>
      {data ? (
        <ul className={page.list} aria-label={t('remetentes.titulo')}>
          {tiposRemetente.map((tipo) => (
            <li key={tipo}>
              <RemetenteCard tipo={tipo} remetente={data[tipo]} onOpen={(what) => setOpen({ tipo, what })} />
            </li>
          ))}
        </ul>
      ) : (
        <CamerasSkeleton />
      )}
      {data && open?.what === 'change' && (
        <EditRemetente tipo={open.tipo} remetente={data[open.tipo]} onClose={close} />
      )}
      {open?.what === 'test' && <TestRemetente tipo={open.tipo} onClose={close} />}
      {open?.what === 'remove' && <RemoveRemetente tipo={open.tipo} onClose={close} />}
    </>
  )
}

interface CardProps {
  readonly tipo: TipoRemetente
  readonly remetente: Remetentes[TipoRemetente]
  readonly onOpen: (what: Open['what']) => void
}

function RemetenteCard({ tipo, remetente: { origem, valores }, onOpen }: CardProps) {
  const { t } = useTranslation()
  const nome = t(`remetentes.tipo.${tipo}`)
  const sender = valores && ('endereco' in valores ? valores.endereco : 'numero' in valores ? valores.numero : null)
  return (
    <article className={card.card} aria-label={nome}>
      <h2 className={card.name}>{nome}</h2>
      <p className={card.facts}>{t(`remetentes.origem.${origem}`)}</p>
      {sender && (
        <p className={card.soft} translate="no">
          <bdi>{sender}</bdi>
        </p>
      )}
      <div className={card.controls}>
        <CardButton icon={IconSend} label={t('remetentes.testarRotulo', { nome })} onClick={() => onOpen('test')}>
          {t('remetentes.testar')}
        </CardButton>
        {origem !== 'ambiente' && (
          <CardButton icon={IconPencil} label={t('remetentes.mudarRotulo', { nome })} onClick={() => onOpen('change')}>
            {t('remetentes.mudar')}
          </CardButton>
        )}
        {origem === 'painel' && (
          <CardButton icon={IconTrash} label={t('remetentes.apagarRotulo', { nome })} onClick={() => onOpen('remove')}>
            {t('remetentes.apagar')}
          </CardButton>
        )}
      </div>
    </article>
  )
}
