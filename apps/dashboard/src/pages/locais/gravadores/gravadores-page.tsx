import { IconPlus, IconServer } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import type { Gravador } from '@vigia/contracts/gravadores'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { gravadoresQuery } from '../../../api/device-queries.ts'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { hasWords } from '../../../texts/plain.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { CardsSkeleton } from '../../../ui/cards-skeleton.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageActions, PageHead, Soft } from '../../../ui/page.tsx'
import { RecordTable } from '../../../ui/record-table.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { EditGravador } from './edit-gravador.tsx'
import { addressOf, GravadorCells, shownName } from './gravador-cells.tsx'
import { GravadorDiagnosis } from './gravador-diagnosis.tsx'
import { RemoveGravador } from './remove-gravador.tsx'

type Task = { readonly kind: 'edit' | 'remove' | 'diagnose'; readonly gravador: Gravador } | null

const colunas = ['nome', 'empresa', 'fabricante', 'endereco', 'cameras', 'acoes'] as const
const keyOf = ({ id }: Gravador) => id

/** The gravadores, with the change of address and credentials. */
export function GravadoresPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const [task, setTask] = useState<Task>(null)
  const [text, setText] = useState('')
  const { data, error, refetch } = useQuery(gravadoresQuery(api, empresa ?? null))
  usePageTitle(t('gravadores.lista'))

  const mayWrite = me.papel === 'administrador'
  const showEmpresa = empresa === undefined && me.empresas?.length !== 1
  const columns = colunas.filter((coluna) => (coluna !== 'empresa' || showEmpresa) && (coluna !== 'acoes' || mayWrite))
  const rows = data?.filter((gravador) => hasWords(text, [shownName(gravador), addressOf(gravador)])) ?? []
  const add = mayWrite && (
    <ButtonLink to="/gravadores/novo" leftSection={<IconPlus size={18} />}>
      {t('gravadores.abrir')}
    </ButtonLink>
  )
  return (
    <>
      <PageHead>
        <h1>{t('gravadores.lista')}</h1>
        <PageActions>{add}</PageActions>
      </PageHead>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <CardsSkeleton />}
      {data?.length === 0 && (
        <Notice
          icon={<IconServer size={32} />}
          title={t('gravadores.vazio.titulo')}
          text={t('gravadores.vazio.texto')}
        />
      )}
      {data && data.length > 0 && (
        <>
          <SearchField label={t('gravadores.buscar')} value={text} onChange={setText} />
          {rows.length === 0 && <Soft role="status">{t('comum.nenhumNome')}</Soft>}
          {rows.length > 0 && (
            <RecordTable
              label={t('gravadores.lista')}
              columns={columns.map((coluna) => [coluna, t(`gravadores.tabela.${coluna}`)])}
              rows={rows}
              keyOf={keyOf}
            >
              {(gravador) => (
                <GravadorCells
                  gravador={gravador}
                  showEmpresa={showEmpresa}
                  onTask={mayWrite ? (kind) => setTask({ kind, gravador }) : null}
                />
              )}
            </RecordTable>
          )}
        </>
      )}
      {task?.kind === 'edit' && <EditGravador gravador={task.gravador} onClose={() => setTask(null)} />}
      {task?.kind === 'diagnose' && <GravadorDiagnosis gravador={task.gravador} onClose={() => setTask(null)} />}
      {task?.kind === 'remove' && <RemoveGravador gravador={task.gravador} onClose={() => setTask(null)} />}
    </>
  )
}
