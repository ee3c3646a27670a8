import { Button, TextInput } from '@mantine/core'
import { IconSearch, IconUserOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { Usuario } from '@vigia/contracts/usuarios'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usuariosQuery } from '../../../api/queries.ts'
import { PeoplePage } from '../../../domains/pessoas/convites/people-page.tsx'
import { useServices } from '../../../session/services.ts'
import { CardsSkeleton } from '../../../ui/cards-skeleton.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { CardGrid } from '../../../ui/page.tsx'
import { type Change, ConfirmAction } from './confirm-action.tsx'
import { PessoaCard } from './pessoa-card.tsx'

/** Number of cards shown at first and added by each "ver mais". */
const STEP = 60

/** The logins in scope, for administrators. */
export function PessoasPage() {
  const { t } = useTranslation()
  const links = (
    <Button variant="default" component={Link} to="/pessoas/convites">
      {t('pessoas.convites')}
    </Button>
  )
  return (
    <PeoplePage title={t('pessoas.titulo')} help={t('pessoas.ajuda')} links={links}>
      <Pessoas />
    </PeoplePage>
  )
}

function Pessoas() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const [text, setText] = useState('')
  const [shown, setShown] = useState(STEP)
  const [asked, setAsked] = useState<{ readonly usuario: Usuario; readonly change: Change } | null>(null)
  const { data, error, refetch } = useQuery(usuariosQuery(api))
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <CardsSkeleton />
  const wanted = text.trim().toLowerCase()
  const found = data.filter(
    ({ username, empresa_id }) =>
      (empresa === undefined || empresa_id === empresa) && username.toLowerCase().includes(wanted),
  )
  return (
    <>
      <TextInput
        mb="md"
        type="search"
        aria-label={t('pessoas.procurar')}
        placeholder={t('pessoas.procurar')}
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {found.length === 0 && (
        <Notice icon={<IconUserOff size={32} />} title={t('pessoas.nenhuma')} text={t('pessoas.nenhumaTexto')} />
      )}
      <CardGrid aria-label={t('pessoas.lista')}>
        {found.slice(0, shown).map((usuario) => (
          <li key={usuario.id}>
            <PessoaCard usuario={usuario} onChange={(change) => setAsked({ usuario, change })} />
          </li>
        ))}
      </CardGrid>
      {found.length > shown && (
        <div>
          <Button variant="default" onClick={() => setShown(shown + STEP)}>
            {t('pessoas.verMais')}
          </Button>
        </div>
      )}
      {asked && <ConfirmAction {...asked} onClose={() => setAsked(null)} />}
    </>
  )
}
