import { Button } from '@mantine/core'
import { IconLicense, IconLock, IconPlus, IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { listasPlaca, type PlacaListada } from '@vigia/contracts/placas'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { flattenPages } from '../../api/flatten-pages.ts'
import { placasQuery } from '../../api/placas-queries.ts'
import { ownEmpresa } from '../../session/own-empresa.ts'
import { useServices } from '../../session/services.ts'
import { usePageTitle } from '../../session/use-page-title.ts'
import { Chip, Chips } from '../../ui/chips.tsx'
import { ListBody } from '../../ui/list-body.tsx'
import { More } from '../../ui/more.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Filters, PageActions, PageHead, Soft } from '../../ui/page.tsx'
import { RecordTable } from '../../ui/record-table.tsx'
import { TypedText } from '../../ui/typed-text.tsx'
import { AddPlaca } from './add-placa.tsx'
import { EditPlaca } from './edit-placa.tsx'
import { ImportPlacas } from './import-placas.tsx'
import { PlacaCells } from './placa-cells.tsx'
import classes from './placas.module.css'
import { RemovePlaca } from './remove-placa.tsx'

const colunasPlaca = ['placa', 'lista', 'dono', 'nota', 'empresa', 'validade', 'acoes'] as const

/** Lists of allowed and blocked plates. */
export function PlacasPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const [adding, setAdding] = useState(false)
  usePageTitle(t('placas.listas.titulo'))
  if (!me.ve_placas) return <Notice icon={<IconLock size={32} />} title={t('placas.so')} />
  const listed = empresa ?? ownEmpresa(me)
  const mayWrite = me.papel === 'administrador'
  return (
    <>
      <PageHead>
        <h1>{t('placas.listas.titulo')}</h1>
        <Soft>{t('placas.listas.ajuda')}</Soft>
        <PageActions>
          <Link to="/passagens" className={classes.link}>
            {t('placas.titulo')}
          </Link>
          {mayWrite && (
            <Button leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
              {t('placas.listas.criar')}
            </Button>
          )}
        </PageActions>
      </PageHead>
      {listed !== null && <ImportPlacas empresa={listed} mayWrite={mayWrite} />}
      <Placas mayWrite={mayWrite} />
      {adding && <AddPlaca onClose={() => setAdding(false)} />}
    </>
  )
}

const keyOf = ({ id }: PlacaListada) => id

type Task = { readonly kind: 'edit' | 'remove'; readonly placa: PlacaListada } | null

function Placas({ mayWrite }: { mayWrite: boolean }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const search = useSearch({ from: '/painel/placas' })
  const { empresa, q, lista } = search
  const navigate = useNavigate({ from: '/placas' })
  const { me } = useRouteContext({ from: '/painel' })
  const [task, setTask] = useState<Task>(null)
  const showEmpresa = empresa === undefined && me.empresas?.length !== 1
  const columns = colunasPlaca.filter((coluna) => showEmpresa || coluna !== 'empresa')
  const filtro = { empresa: empresa ?? null, lista: listasPlaca.find((one) => one === lista) ?? null, busca: q ?? '' }
  const query = useInfiniteQuery(placasQuery(api, filtro))
  const isNarrowed = q !== undefined || lista !== undefined
  const none = (
    <Notice
      icon={<IconLicense size={32} />}
      title={t(isNarrowed ? 'placas.listas.nenhuma' : 'placas.listas.vazio.titulo')}
      text={t(isNarrowed ? 'placas.listas.nenhumaTexto' : 'placas.listas.vazio.texto')}
    />
  )
  return (
    <>
      <Filters>
        <TypedText
          type="search"
          miw="min(20rem, 100%)"
          aria-label={t('placas.listas.procurar')}
          placeholder={t('placas.listas.procurar')}
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          value={q ?? ''}
          onTyped={(text) => void navigate({ search: (now) => ({ ...now, q: text }), replace: true })}
        />
        <Chips aria-label={t('placas.listas.filtro.rotulo')}>
          {[undefined, ...listasPlaca].map((one) => (
            <Chip
              key={one ?? 'todas'}
              to="/placas"
              search={{ ...search, lista: one }}
              replace
              activeOptions={{ exact: true, includeSearch: true }}
            >
              {t(`placas.listas.filtro.${one ?? 'todas'}`)}
            </Chip>
          ))}
        </Chips>
      </Filters>
      <ListBody query={{ ...query, data: query.data && flattenPages(query.data.pages) }} none={none}>
        {(rows) => (
          <RecordTable
            label={t('placas.listas.titulo')}
            columns={columns.map((coluna) => [coluna, t(`placas.listas.tabela.${coluna}`)])}
            rows={rows}
            keyOf={keyOf}
          >
            {(placa) => (
              <PlacaCells
                placa={placa}
                showEmpresa={showEmpresa}
                onTask={mayWrite ? (kind) => setTask({ kind, placa }) : null}
              />
            )}
          </RecordTable>
        )}
      </ListBody>
      {query.hasNextPage && (
        <More
          label={t('placas.listas.mais')}
          loading={query.isFetchingNextPage}
          error={query.isFetchNextPageError ? query.error : null}
          onMore={() => void query.fetchNextPage()}
        />
      )}
      {task?.kind === 'edit' && <EditPlaca placa={task.placa} onClose={() => setTask(null)} />}
      {task?.kind === 'remove' && <RemovePlaca placa={task.placa} onClose={() => setTask(null)} />}
    </>
  )
}
