import { IconShieldCheck } from '@tabler/icons-react'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { QuedaComCameras } from '../../../api/queda-list.ts'
import { Quedas } from '../../../domains/eventos/quedas/quedas.tsx'
import { CameraFilter } from '../../../domains/locais/cameras/camera-filter.tsx'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { Chip, Chips } from '../../../ui/chips.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Filters, PageHead } from '../../../ui/page.tsx'
import { RecordTable } from '../../../ui/record-table.tsx'
import { QuedaCells } from './queda-cells.tsx'

const colunas = ['nome', 'tipo', 'empresa', 'inicio', 'fim', 'duracao', 'motivo'] as const
const keyOf = ({ queda }: QuedaComCameras) => queda.id

/** The quedas of edges and cameras with their reasons, as a table. */
export function QuedasPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa, abertas, camera } = useSearch({ from: '/painel/quedas' })
  const navigate = useNavigate({ from: '/quedas' })
  usePageTitle(t('quedas.titulo'))
  const filtro = { empresa: empresa ?? null, edge: null, camera: camera ?? null, abertas: abertas ?? false }
  const showEmpresa = empresa === undefined && me.empresas?.length !== 1
  const columns = colunas.filter((coluna) => showEmpresa || coluna !== 'empresa')
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
        <CameraFilter
          label={t('quedas.camera')}
          all={t('quedas.todas')}
          camera={camera}
          removed={t('quedasTabela.cameraRemovida', { id: camera ?? 0 })}
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
        {(rows) => (
          <RecordTable
            label={t('quedas.titulo')}
            columns={columns.map((coluna) => [coluna, t(`quedasTabela.${coluna}`)])}
            rows={rows}
            keyOf={keyOf}
          >
            {(row) => <QuedaCells {...row} showEmpresa={showEmpresa} />}
          </RecordTable>
        )}
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
