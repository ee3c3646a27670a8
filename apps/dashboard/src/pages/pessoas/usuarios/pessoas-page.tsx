import { Button } from '@mantine/core'
import { IconUserOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { Usuario } from '@vigia/contracts/usuarios'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usuariosQuery } from '../../../api/people-queries.ts'
import { EditAlcance } from '../../../domains/pessoas/convites/edit-alcance.tsx'
import { PeoplePage } from '../../../domains/pessoas/convites/people-page.tsx'
import { useServices } from '../../../session/services.ts'
import { hasWords } from '../../../texts/plain.ts'
import { CardsSkeleton } from '../../../ui/cards-skeleton.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RecordTable } from '../../../ui/record-table.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { type Change, ConfirmAction } from './confirm-action.tsx'
import { PessoaCells } from './pessoa-cells.tsx'

const keyOf = ({ id }: Usuario) => id

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
  const [asked, setAsked] = useState<{ readonly usuario: Usuario; readonly change: Change } | null>(null)
  const [reaching, setReaching] = useState<Usuario | null>(null)
  const { data, error, refetch } = useQuery(usuariosQuery(api))
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <CardsSkeleton />
  const found = data.filter(
    ({ username, empresa_id }) => (empresa === undefined || empresa_id === empresa) && hasWords(text, [username]),
  )
  return (
    <>
      <SearchField label={t('pessoas.procurar')} value={text} onChange={setText} />
      {found.length === 0 && (
        <Notice icon={<IconUserOff size={32} />} title={t('pessoas.nenhuma')} text={t('pessoas.nenhumaTexto')} />
      )}
      {found.length > 0 && (
        <RecordTable
          label={t('pessoas.lista')}
          columns={[
            ['nome', t('pessoas.tabela.nome')],
            ['papel', t('pessoas.tabela.papel')],
            ['empresa', t('pessoas.tabela.empresa')],
            ['fator', t('pessoas.tabela.fator')],
            ['criado', t('pessoas.tabela.criado')],
            ['acoes', t('pessoas.tabela.acoes')],
          ]}
          rows={found}
          keyOf={keyOf}
        >
          {(usuario) => (
            <PessoaCells
              usuario={usuario}
              onChange={(change) => setAsked({ usuario, change })}
              onReach={() => setReaching(usuario)}
            />
          )}
        </RecordTable>
      )}
      {reaching && <EditAlcance usuario={reaching} onClose={() => setReaching(null)} />}
      {asked && <ConfirmAction {...asked} onClose={() => setAsked(null)} />}
    </>
  )
}
