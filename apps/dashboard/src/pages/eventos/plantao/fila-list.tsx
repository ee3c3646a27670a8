import { useQuery } from '@tanstack/react-query'
import type { Incidente } from '@vigia/contracts/incidentes'
import { useTranslation } from 'react-i18next'
import { empresasQuery, type SituacaoFila } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { FixedList } from '../../../ui/fixed-list.tsx'
import { useWide } from '../../../ui/use-wide.ts'
import { MAX_SHOWN } from './fila.ts'
import { FilaFilters } from './fila-filters.tsx'
import classes from './fila-list.module.css'
import { FilaNews } from './fila-news.tsx'
import { FilaRow } from './fila-row.tsx'
import type { useFila } from './use-fila.ts'

interface FilaListProps {
  readonly fila: ReturnType<typeof useFila>
  readonly situacao: SituacaoFila
  readonly onSelect: (id: number) => void
}

const keyOf = ({ id }: Incidente): number => id
/** Height of a row: 72 px at the usual size of the text. */
const ROW_REM = 4.5

/** The queue in a stable order. */
export function FilaList({ fila, situacao, onSelect }: FilaListProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const wide = useWide()
  const { data: empresas = [] } = useQuery(empresasQuery(api))
  const { itens, visiveis, selected } = fila
  return (
    <>
      <FilaFilters itens={itens} situacao={situacao} />
      {!wide && (
        <div className={classes.news}>
          <FilaNews fila={fila} />
        </div>
      )}
      {visiveis.length > 0 && (
        <FixedList
          label={t('plantao.fila')}
          rows={visiveis}
          keyOf={keyOf}
          rowRem={ROW_REM}
          scrolls={wide}
          current={selected ? visiveis.indexOf(selected) : -1}
        >
          {(incidente) => (
            <FilaRow
              incidente={incidente}
              namesEmpresa={empresas.length > 1}
              isSelected={incidente.id === selected?.id}
              onSelect={onSelect}
            />
          )}
        </FixedList>
      )}
      {itens.length > 0 && visiveis.length === 0 && <p className={classes.limit}>{t('plantao.nadaNoRecorte')}</p>}
      {itens.length >= MAX_SHOWN && <p className={classes.limit}>{t('plantao.limite', { total: MAX_SHOWN })}</p>}
    </>
  )
}
