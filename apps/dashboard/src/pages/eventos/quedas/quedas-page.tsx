import { IconShieldCheck } from '@tabler/icons-react'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { QuedaFilter } from '../../../domains/eventos/quedas/queda-filter.tsx'
import { QuedaTable } from '../../../domains/eventos/quedas/queda-table.tsx'
import { Quedas } from '../../../domains/eventos/quedas/quedas.tsx'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { Chip, Chips } from '../../../ui/chips.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Filters, PageHead } from '../../../ui/page.tsx'

/** The quedas of edges and cameras with their reasons, as a table. */
export function QuedasPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa, abertas, camera } = useSearch({ from: '/painel/quedas' })
  const navigate = useNavigate({ from: '/quedas' })
  usePageTitle(t('quedas.titulo'))
  const filtro = { empresa: empresa ?? null, edge: null, camera: camera ?? null, abertas: abertas ?? false }
  return (
    <>
      <PageHead>
        <h1>{t('quedas.titulo')}</h1>
        <Chips aria-label={t('quedas.filtro')}>
          <Filter abertas={undefined} label={t('quedas.todas')} />
          <Filter abertas label={t('quedas.abertas')} />
        </Chips>
      </PageHead>
      <Filters>
        <QuedaFilter
          empresa={empresa}
          camera={camera}
          onChoose={(chosen) => void navigate({ search: (now) => ({ ...now, camera: chosen }), replace: true })}
        />
      </Filters>
      <Quedas
        key={`${abertas} ${camera}`}
        filtro={filtro}
        none={
          <Notice
            icon={<IconShieldCheck size={32} />}
            title={abertas ? t('quedas.nenhumaAberta') : t('quedas.nenhuma')}
            text={t('quedas.nenhumaTexto')}
          />
        }
      >
        {(rows) => <QuedaTable rows={rows} showEmpresa={empresa === undefined && me.empresas?.length !== 1} />}
      </Quedas>
    </>
  )
}

function Filter({ abertas, label }: { abertas: true | undefined; label: string }) {
  const search = useSearch({ from: '/painel/quedas' })
  return (
    <Chip to="/quedas" search={{ ...search, abertas }} replace activeOptions={{ exact: true, includeSearch: true }}>
      {label}
    </Chip>
  )
}
