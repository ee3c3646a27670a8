import { Button, TextInput } from '@mantine/core'
import { IconBuildingOff, IconLock, IconPlus, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext, useSearch } from '@tanstack/react-router'
import type { Empresa } from '@vigia/contracts/empresas'
import type { LimitesEmpresa } from '@vigia/contracts/limites'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { limitesQuery } from '../../../api/people-queries.ts'
import { empresasQuery } from '../../../api/queries.ts'
import { isAbove } from '../../../session/own-empresa.ts'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { plain } from '../../../texts/plain.ts'
import { CardsSkeleton } from '../../../ui/cards-skeleton.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { More } from '../../../ui/more.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { CardGrid, PageActions, PageHead, Soft } from '../../../ui/page.tsx'
import { EditEmpresa } from './edit-empresa.tsx'
import { EditLimits } from './edit-limits.tsx'
import { EmpresaCard } from './empresa-card.tsx'
import { treeOf } from './empresa-tree.ts'
import { maySetBytes, settableLimits } from './limits-form.ts'
import { RemoveEmpresa } from './remove-empresa.tsx'

/** Number of cards shown at first and added by each "ver mais": an installer may have thousands of Empresas. */
const STEP = 60

/** The Empresas in scope with limits and use, for administrators. */
export function EmpresasPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const [adding, setAdding] = useState(false)
  usePageTitle(t('empresas.titulo'))
  if (me.papel !== 'administrador') return <Notice icon={<IconLock size={32} />} title={t('empresas.so')} />
  return (
    <>
      <PageHead>
        <h1>{t('empresas.titulo')}</h1>
        <Soft>{t('empresas.ajuda')}</Soft>
        <PageActions>
          {me.alcance === 'abaixo' && (
            <Button leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
              {t('empresas.dados.nova')}
            </Button>
          )}
          <Button component={Link} to="/verificador-externo" variant="default">
            {t('empresas.verificador')}
          </Button>
        </PageActions>
      </PageHead>
      <Empresas />
      {adding && <EditEmpresa empresa={null} onClose={() => setAdding(false)} />}
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
  const [changing, setChanging] = useState<Empresa | null>(null)
  const [editing, setEditing] = useState<LimitesEmpresa | null>(null)
  const [leaving, setLeaving] = useState<LimitesEmpresa | null>(null)
  const { data, error, refetch } = useQuery(limitesQuery(api, empresa ?? null))
  const { data: empresas } = useQuery(empresasQuery(api))
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <CardsSkeleton />

  const stored = new Map(empresas?.map((one) => [one.id, one]))
  const parents = new Set(data.map(({ empresa_pai_id }) => empresa_pai_id))
  const mayRemove = ({ empresa_id }: LimitesEmpresa) => isAbove(me, empresa_id) && !parents.has(empresa_id)
  const found = treeOf(data).filter((one) => plain(one.empresa.nome).includes(plain(text)))
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
      <CardGrid aria-label={t('empresas.lista')}>
        {found.slice(0, shown).map(({ empresa: one, acima }) => {
          const of = stored.get(one.empresa_id)
          return (
            <li key={one.empresa_id}>
              <EmpresaCard
                empresa={one}
                acima={acima}
                fuso={of?.fuso_horario ?? null}
                host={of?.host ?? null}
                onChange={() => of && setChanging(of)}
                onEdit={settableLimits(me, one.empresa_id).length > 0 ? () => setEditing(one) : null}
                onRemove={mayRemove(one) ? () => setLeaving(one) : null}
              />
            </li>
          )
        })}
      </CardGrid>
      {found.length > shown && (
        <More label={t('empresas.verMais')} loading={false} error={null} onMore={() => setShown(shown + STEP)} />
      )}
      {me.empresa_id !== null && <Soft>{t('empresas.peca')}</Soft>}
      {changing && <EditEmpresa empresa={changing} onClose={() => setChanging(null)} />}
      {leaving && <RemoveEmpresa empresa={leaving} onClose={() => setLeaving(null)} />}
      {editing && (
        <EditLimits
          empresa={editing}
          tipos={settableLimits(me, editing.empresa_id)}
          withBytes={maySetBytes(me)}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  )
}
