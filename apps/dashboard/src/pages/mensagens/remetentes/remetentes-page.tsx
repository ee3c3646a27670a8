import { IconLock, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type Remetentes, remetentesSchema, type TipoRemetente, tiposRemetente } from '@vigia/contracts/remetentes'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { Card, CardControls, CardFacts, CardName, CardSoft } from '../../../ui/card.tsx'
import { CardButton } from '../../../ui/card-buttons.tsx'
import { CardsSkeleton } from '../../../ui/cards-skeleton.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { CardGrid, PageHead, Soft } from '../../../ui/page.tsx'
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
      <PageHead>
        <h1>{t('remetentes.titulo')}</h1>
        <Soft>{t('remetentes.ajuda')}</Soft>
        {data?.url_publica === null && <Soft>{t('remetentes.semUrl')}</Soft>}
      </PageHead>
      {data ? (
        <CardGrid aria-label={t('remetentes.titulo')}>
          {tiposRemetente.map((tipo) => (
            <li key={tipo}>
              <RemetenteCard tipo={tipo} remetente={data[tipo]} onOpen={(what) => setOpen({ tipo, what })} />
            </li>
          ))}
        </CardGrid>
      ) : (
        <CardsSkeleton />
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
    <Card aria-label={nome}>
      <CardName>{nome}</CardName>
      <CardFacts>{t(`remetentes.origem.${origem}`)}</CardFacts>
      {sender && (
        <CardSoft translate="no">
          <bdi>{sender}</bdi>
        </CardSoft>
      )}
      <CardControls>
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
      </CardControls>
    </Card>
  )
}
