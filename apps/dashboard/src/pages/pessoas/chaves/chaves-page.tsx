import { Button } from '@mantine/core'
import { IconKey, IconLock, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import type { Chave } from '@vigia/contracts/chaves'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CHAVES, chavesQuery } from '../../../api/agentes-queries.ts'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { ListBody } from '../../../ui/list-body.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { CardGrid, PageActions, PageHead, Soft } from '../../../ui/page.tsx'
import { AddChave } from './add-chave.tsx'
import { ChaveCard } from './chave-card.tsx'
import { RemoveChave } from './remove-chave.tsx'

/** Chaves with which other systems use the API, for administrators. */
export function ChavesPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const [adding, setAdding] = useState(false)
  usePageTitle(t('chaves.titulo'))
  if (me.papel !== 'administrador') return <Notice icon={<IconLock size={32} />} title={t('chaves.so')} />
  return (
    <>
      <PageHead>
        <h1>{t('chaves.titulo')}</h1>
        <Soft>{t('chaves.ajuda')}</Soft>
        <PageActions>
          <Button leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
            {t('chaves.criar')}
          </Button>
        </PageActions>
      </PageHead>
      <Chaves />
      {adding && <AddChave onClose={() => setAdding(false)} />}
    </>
  )
}

function Chaves() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const [leaving, setLeaving] = useState<Chave | null>(null)
  const query = useQuery(chavesQuery(api, empresa ?? null))
  const none = <Notice icon={<IconKey size={32} />} title={t('chaves.vazio.titulo')} text={t('chaves.vazio.texto')} />
  return (
    <ListBody query={query} none={none}>
      {(data) => (
        <>
          <CardGrid aria-label={t('chaves.lista')}>
            {data.map((chave) => (
              <li key={chave.id}>
                <ChaveCard chave={chave} onRemove={() => setLeaving(chave)} />
              </li>
            ))}
          </CardGrid>
          {data.length >= CHAVES && <Soft>{t('chaves.limite', { total: CHAVES })}</Soft>}
          {leaving && <RemoveChave chave={leaving} onClose={() => setLeaving(null)} />}
        </>
      )}
    </ListBody>
  )
}
