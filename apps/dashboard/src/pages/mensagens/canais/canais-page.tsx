import { Button } from '@mantine/core'
import { IconBellOff, IconLock, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext, useSearch } from '@tanstack/react-router'
import type { CanalNotificacao } from '@vigia/contracts/notificacoes'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { canaisQuery } from '../../../api/canais-queries.ts'
import { ConfirmRemoval } from '../../../session/confirm-removal.tsx'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { ListBody } from '../../../ui/list-body.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { CardGrid, PageActions, PageHead, Soft } from '../../../ui/page.tsx'
import { CanalCard, nameOfCanal } from './canal-card.tsx'
import { EditCanal } from './edit-canal.tsx'

/** Canais that send confirmed alerts and outages, for administrators. */
export function CanaisPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const [adding, setAdding] = useState(false)
  usePageTitle(t('canais.titulo'))
  if (me.papel !== 'administrador') return <Notice icon={<IconLock size={32} />} title={t('canais.so')} />
  return (
    <>
      <PageHead>
        <h1>{t('canais.titulo')}</h1>
        <Soft>{t('canais.ajuda')}</Soft>
        <PageActions>
          <Button leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
            {t('canais.criar')}
          </Button>
          {me.empresa_id === null && (
            <Button component={Link} to="/remetentes" variant="default">
              {t('canais.remetentes')}
            </Button>
          )}
        </PageActions>
      </PageHead>
      <Canais />
      {adding && <EditCanal canal={null} onClose={() => setAdding(false)} />}
    </>
  )
}

function Canais() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const [changing, setChanging] = useState<CanalNotificacao | null>(null)
  const [leaving, setLeaving] = useState<CanalNotificacao | null>(null)
  const query = useQuery(canaisQuery(api, empresa ?? null))
  const none = (
    <Notice icon={<IconBellOff size={32} />} title={t('canais.vazio.titulo')} text={t('canais.vazio.texto')} />
  )
  return (
    <ListBody query={query} none={none}>
      {(data) => (
        <>
          <CardGrid aria-label={t('canais.titulo')}>
            {data.map((canal) => (
              <li key={canal.id}>
                <CanalCard canal={canal} onChange={() => setChanging(canal)} onRemove={() => setLeaving(canal)} />
              </li>
            ))}
          </CardGrid>
          {changing && <EditCanal canal={changing} onClose={() => setChanging(null)} />}
          {leaving && <RemoveCanal canal={leaving} onClose={() => setLeaving(null)} />}
        </>
      )}
    </ListBody>
  )
}

function RemoveCanal({ canal, onClose }: { readonly canal: CanalNotificacao; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { queries } = useServices()
  const nome = nameOfCanal(canal) || t('canais.semNome', { id: canal.id })
  return (
    <ConfirmRemoval
      title={t('canais.remocao.titulo')}
      submit={t('canais.remocao.confirmar')}
      path={`/notificacoes/${canal.id}`}
      announcement={t('canais.anuncio.removido', { nome })}
      onRemoved={() => void queries.invalidateQueries({ queryKey: ['canais'] })}
      onClose={onClose}
    >
      <p>{t('canais.remocao.texto', { nome })}</p>
    </ConfirmRemoval>
  )
}
