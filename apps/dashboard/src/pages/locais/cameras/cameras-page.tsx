import { Button } from '@mantine/core'
import { IconDeviceCctv, IconListCheck, IconPlus, IconServer } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { edgesQuery } from '../../../api/device-queries.ts'
import { camerasQuery, empresasQuery } from '../../../api/queries.ts'
import { useOpenQuedas } from '../../../domains/eventos/quedas/use-down-now.ts'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { hasWords } from '../../../texts/plain.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { CentredRow } from '../../../ui/layout.tsx'
import { ListBody } from '../../../ui/list-body.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageActions, PageHead } from '../../../ui/page.tsx'
import { AddCamera } from './add-camera.tsx'
import { CameraGrid } from './camera-grid.tsx'
import { CameraTable } from './camera-table.tsx'
import { groupCameras } from './group-cameras.ts'
import { ListFilters } from './list-filters.tsx'
import { StatusFilter } from './status-filter.tsx'
import { lastVista } from './vista.ts'

/** The cameras by Empresa and caixa, as pictures or as a table. */
export function CamerasPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa, adicionar } = useSearch({ from: '/painel/cameras' })
  const navigate = useNavigate({ from: '/cameras' })
  const query = useQuery(camerasQuery(api, empresa ?? null))
  usePageTitle(t('cameras.titulo'))

  const total = query.data?.length ?? 0
  const mayWrite = me.papel === 'administrador'
  const openForm = (open: boolean) =>
    void navigate({ search: ({ adicionar: _open, ...rest }) => (open ? { ...rest, adicionar: true } : rest) })

  return (
    <>
      <PageHead>
        <h1>{t('cameras.titulo')}</h1>
        {query.data && total > 0 && <StatusFilter cameras={query.data} />}
        {mayWrite && (
          <PageActions>
            {total > 1 && (
              <ButtonLink to="/cameras/varias" variant="default" leftSection={<IconListCheck size={18} />}>
                {t('cameras.varias')}
              </ButtonLink>
            )}
            {total > 0 && <Adding onOpen={() => openForm(true)} isFirst={false} />}
          </PageActions>
        )}
      </PageHead>
      <ListBody
        query={query}
        none={
          <Notice
            icon={<IconDeviceCctv size={32} />}
            title={t('cameras.vazio.titulo')}
            text={mayWrite ? t('cameras.vazio.texto') : t('cameras.vazio.usuario')}
            action={
              mayWrite && (
                <CentredRow>
                  <Adding onOpen={() => openForm(true)} isFirst />
                </CentredRow>
              )
            }
          />
        }
      >
        {(cameras) => <CameraList cameras={cameras} />}
      </ListBody>
      {mayWrite && adicionar && <AddCamera onClose={() => openForm(false)} />}
    </>
  )
}

interface AddingProps {
  readonly onOpen: () => void
  /** The first camera comes from a recorder: most sites have one. */
  readonly isFirst: boolean
}

/** The wizard of a recorder, and the form of a single camera. */
function Adding({ onOpen, isFirst }: AddingProps) {
  const { t } = useTranslation()
  return (
    <>
      <ButtonLink to="/gravadores/novo" variant={isFirst ? 'filled' : 'default'} leftSection={<IconServer size={18} />}>
        {t('cameras.adicionarGravador')}
      </ButtonLink>
      <Button variant={isFirst ? 'default' : 'filled'} leftSection={<IconPlus size={18} />} onClick={onOpen}>
        {t('cameras.adicionar')}
      </Button>
    </>
  )
}

/** The cameras that match status and search. */
function CameraList({ cameras }: { cameras: readonly Camera[] }) {
  const { t } = useTranslation()
  const { api, settings } = useServices()
  const { empresa, status, q = '', vista = lastVista(settings) } = useSearch({ from: '/painel/cameras' })
  const { data: empresas } = useQuery(empresasQuery(api))
  const { data: edges } = useQuery(edgesQuery(api, empresa ?? null))
  const quedas = useOpenQuedas()
  const { found, groups } = useMemo(() => {
    const namesOf = (list: readonly { readonly id: number; readonly nome: string }[] = []) => {
      const names = new Map(list.map(({ id, nome }) => [id, nome]))
      return (id: number) => names.get(id) ?? null
    }
    const names = { empresa: namesOf(empresas), edge: namesOf(edges) }
    const matches = ({ nome, empresa_id, edge_id, ...camera }: Camera) =>
      (status === undefined || camera.status === status) &&
      hasWords(q, [nome, names.empresa(empresa_id) ?? '', names.edge(edge_id ?? 0) ?? ''])
    const matching = cameras.filter(matches)
    return { found: matching.length, groups: groupCameras(matching, names) }
  }, [cameras, empresas, edges, status, q])
  const List = vista === 'tabela' ? CameraTable : CameraGrid
  return (
    <>
      <ListFilters vista={vista} found={found} total={cameras.length} />
      {found === 0 ? (
        <Notice icon={<IconDeviceCctv size={32} />} title={t('cameras.vazio.filtro')} />
      ) : (
        <List groups={groups} quedas={quedas} />
      )}
    </>
  )
}
