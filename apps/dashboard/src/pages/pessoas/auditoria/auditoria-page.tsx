import { Skeleton } from '@mantine/core'
import { IconHistoryToggle, IconLock } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { auditoriaQuery } from '../../../api/auditoria-query.ts'
import { flattenPages } from '../../../api/flatten-pages.ts'
import { period } from '../../../base/tempo/period.ts'
import { ownEmpresa } from '../../../session/own-empresa.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { Failure } from '../../../ui/failure.tsx'
import { More } from '../../../ui/more.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHead, Soft } from '../../../ui/page.tsx'
import { RecordTable } from '../../../ui/record-table.tsx'
import { AuditCells, AuditDetails } from './audit-entry.tsx'
import { AuditFilters } from './audit-filters.tsx'

/** The audit log, for administrators. */
export function AuditoriaPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  usePageTitle(t('auditoria.titulo'))
  // A login without the right may open a shared link. The page shows the refusal without a request.
  if (me.papel !== 'administrador') return <Notice icon={<IconLock size={32} />} title={t('auditoria.so')} />
  return (
    <>
      <PageHead>
        <h1>{t('auditoria.titulo')}</h1>
        <Soft>{t('auditoria.ajuda')}</Soft>
      </PageHead>
      <AuditFilters />
      <Records />
    </>
  )
}

const keyOf = ({ id }: RegistroAuditoria) => id

function Records() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa, pessoa, coisa, porta, de, ate } = useSearch({ from: '/painel/auditoria' })
  // The chosen days are days in the time zone of the Empresa.
  const { fuso } = useEmpresa(empresa ?? ownEmpresa(me))
  const filtro = {
    empresa: empresa ?? null,
    pessoa: pessoa ?? null,
    coisa: coisa ?? null,
    porta: porta ?? null,
    ...period(de ?? null, ate ?? null, fuso),
  }
  const query = useInfiniteQuery({ ...auditoriaQuery(api, filtro), placeholderData: keepPreviousData })
  const { data, error, refetch, fetchNextPage } = query
  const [opened, setOpened] = useState<RegistroAuditoria | null>(null)
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={160} radius="md" />
  const records = flattenPages(data.pages)
  const filtered = [pessoa, coisa, porta, de, ate].some((value) => value !== undefined)
  const columns = [
    ['frase', t('auditoria.coisa')],
    ['quando', t('auditoria.quando')],
    ['porOnde', t('auditoria.porOnde')],
    ['empresa', t('auditoria.empresa')],
  ] as const
  if (records.length === 0)
    return (
      <Notice
        icon={<IconHistoryToggle size={32} />}
        title={t(filtered ? 'auditoria.vazio.filtroTitulo' : 'auditoria.vazio.titulo')}
        text={t(filtered ? 'auditoria.vazio.filtroTexto' : 'auditoria.vazio.texto')}
      />
    )
  return (
    <>
      <RecordTable label={t('auditoria.lista')} columns={columns} rows={records} keyOf={keyOf}>
        {(registro) => <AuditCells registro={registro} onOpen={() => setOpened(registro)} />}
      </RecordTable>
      {opened && <AuditDetails registro={opened} onClose={() => setOpened(null)} />}
      {query.hasNextPage && (
        <More
          label={t('auditoria.verMais')}
          loading={query.isFetchingNextPage}
          error={query.isFetchNextPageError ? error : null}
          onMore={() => void fetchNextPage()}
        />
      )}
    </>
  )
}
