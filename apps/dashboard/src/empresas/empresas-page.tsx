import { TextInput } from '@mantine/core'
import { IconBuildingOff, IconLock, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import type { LimitesEmpresa } from '@vigia/contracts/limites'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { limitesQuery } from '../api/queries.ts'
import auditoria from '../auditoria/auditoria.module.css'
import page from '../cameras/cameras-page.module.css'
import { CamerasSkeleton } from '../cameras/cameras-skeleton.tsx'
import { Failure } from '../painel/failure.tsx'
import { More } from '../painel/more.tsx'
import { Notice } from '../painel/notice.tsx'
import { usePageTitle } from '../painel/use-page-title.ts'
import { useServices } from '../services.ts'
import { EditLimits } from './edit-limits.tsx'
import { EmpresaCard } from './empresa-card.tsx'
import { settableLimits } from './limits-form.ts'

/** Number of cards shown at first and added by each "ver mais": an installer may have thousands of Empresas. */
const STEP = 60

/** The Empresas in scope with limits and use, for administrators. */
export function EmpresasPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  usePageTitle(t('empresas.titulo'))
  if (me.papel !== 'administrador') return <Notice icon={<IconLock size={32} />} title={t('empresas.so')} />
  return (
    <>
      <div className={page.top}>
        <h1>{t('empresas.titulo')}</h1>
        <p className={auditoria.soft}>{t('empresas.ajuda')}</p>
      </div>
      <Empresas />
    </>
  )
}

function Empresas() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const [text, setText] = useState('')
  const [shown, setShown] = useState(STEP)
  const [editing, setEditing] = useState<LimitesEmpresa | null>(null)
  const { data, error, refetch } = useQuery(limitesQuery(api, empresa ?? null))
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <CamerasSkeleton />

  const names = new Map(data.map(({ empresa_id, nome }) => [empresa_id, nome]))
  const found = data.filter(({ nome }) => plain(nome).includes(plain(text)))
  return (
    <>
      {data.length > 1 && (
        <TextInput
          mb="md"
          type="search"
          aria-label={t('empresas.procurar')}
          placeholder={t('empresas.procurar')}
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {found.length === 0 && (
        <Notice icon={<IconBuildingOff size={32} />} title={t('empresas.nenhuma')} text={t('empresas.nenhumaTexto')} />
      )}
      <ul className={page.list} aria-label={t('empresas.lista')}>
        {found.slice(0, shown).map((one) => (
          <li key={one.empresa_id}>
            <EmpresaCard
              empresa={one}
              acima={one.empresa_pai_id === null ? null : (names.get(one.empresa_pai_id) ?? null)}
              onEdit={settableLimits(me, one.empresa_id).length > 0 ? () => setEditing(one) : null}
            />
          </li>
        ))}
      </ul>
      {found.length > shown && (
        <More label={t('empresas.verMais')} loading={false} error={null} onMore={() => setShown(shown + STEP)} />
      )}
      {me.empresa_id !== null && <p className={auditoria.soft}>{t('empresas.peca')}</p>}
      {editing && (
        <EditLimits empresa={editing} tipos={settableLimits(me, editing.empresa_id)} onClose={() => setEditing(null)} />
      )}
    </>
  )
}

/** Normalizes case and accents for the search. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()
