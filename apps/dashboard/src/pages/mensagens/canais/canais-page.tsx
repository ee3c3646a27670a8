import { Button } from '@mantine/core'
import { IconBellOff, IconLock, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext, useSearch } from '@tanstack/react-router'
import type { CanalNotificacao } from '@vigia/contracts/notificacoes'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { canaisQuery } from '../../../api/canais-queries.ts'
import { ConfirmRemoval } from '../../../session/confirm-removal.tsx'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { hasWords } from '../../../texts/plain.ts'
import { ListBody } from '../../../ui/list-body.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageActions, PageHead, Soft } from '../../../ui/page.tsx'
import { RecordTable } from '../../../ui/record-table.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { CanalCells, type CanalTask } from './canal-cells.tsx'
import { destinosOf } from './canal-form.ts'
import { nameOfCanal } from './canal-name.ts'
import { EditCanal } from './edit-canal.tsx'
import { TestCanal } from './test-canal.tsx'

/** Canais that send confirmed alerts and outages, for administrators. */
export function CanaisPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const [adding, setAdding] = useState(false)
  usePageTitle(t('canais.titulo'))
  if (me.papel !== 'administrador') return <Notice icon={<IconLock size={32} />} title={t('canais.so')} />
  return (
    <>
      <PageHead>
        <h1>{t('canais.titulo')}</h1>
        <Soft>{t('canais.ajuda')}</Soft>
        <PageActions>
          <Button leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
            {t('canais.criar')}
          </Button>
          {me.empresa_id === null && (
            <Button component={Link} to="/remetentes" variant="default">
              {t('canais.remetentes')}
            </Button>
          )}
        </PageActions>
      </PageHead>
      <Canais />
      {adding && <EditCanal canal={null} onClose={() => setAdding(false)} />}
    </>
  )
}

const colunas = ['nome', 'empresa', 'tipo', 'destinos', 'contas', 'ativo', 'acoes'] as const
const keyOf = ({ id }: CanalNotificacao) => id

type Task = { readonly kind: CanalTask; readonly canal: CanalNotificacao } | null

function Canais() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const [task, setTask] = useState<Task>(null)
  const [text, setText] = useState('')
  const query = useQuery(canaisQuery(api, empresa ?? null))
  const close = () => setTask(null)
  const showEmpresa = empresa === undefined && me.empresas?.length !== 1
  const columns = colunas.filter((coluna) => showEmpresa || coluna !== 'empresa')
  const none = (
    <Notice icon={<IconBellOff size={32} />} title={t('canais.vazio.titulo')} text={t('canais.vazio.texto')} />
  )
  return (
    <ListBody query={query} none={none}>
      {(data) => {
        const rows = data.filter((canal) => hasWords(text, [canal.nome, ...destinosOf(canal)]))
        return (
          <>
            <SearchField label={t('canais.buscar')} value={text} onChange={setText} />
            {rows.length === 0 && <Soft role="status">{t('comum.nenhumNome')}</Soft>}
            {rows.length > 0 && (
              <RecordTable
                label={t('canais.titulo')}
                columns={columns.map((coluna) => [coluna, t(`canais.tabela.${coluna}`)])}
                rows={rows}
                keyOf={keyOf}
              >
                {(canal) => (
                  <CanalCells canal={canal} showEmpresa={showEmpresa} onTask={(kind) => setTask({ kind, canal })} />
                )}
              </RecordTable>
            )}
            {task?.kind === 'test' && <TestCanal canal={task.canal} onClose={close} />}
            {task?.kind === 'edit' && <EditCanal canal={task.canal} onClose={close} />}
            {task?.kind === 'remove' && <RemoveCanal canal={task.canal} onClose={close} />}
          </>
        )
      }}
    </ListBody>
  )
}

function RemoveCanal({ canal, onClose }: { readonly canal: CanalNotificacao; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { queries } = useServices()
  const nome = nameOfCanal(t, canal)
  return (
    <ConfirmRemoval
      title={t('canais.remocao.titulo')}
      submit={t('canais.remocao.confirmar')}
      path={`/notificacoes/${canal.id}`}
      announcement={t('canais.anuncio.removido', { nome })}
      onRemoved={() => void queries.invalidateQueries({ queryKey: ['canais'] })}
      onClose={onClose}
    >
      <p>{t('canais.remocao.texto', { nome })}</p>
    </ConfirmRemoval>
  )
}
