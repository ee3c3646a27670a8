import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type SituacaoFila, situacoesFila } from '../../../api/queries.ts'
import { useWide } from '../../../ui/use-wide.ts'
import { MAX_SHOWN } from './fila.ts'
import classes from './fila-list.module.css'
import { FilaNews } from './fila-news.tsx'
import { IncidenteCard } from './incidente-card.tsx'
import type { useFila } from './use-fila.ts'

interface FilaListProps {
  readonly fila: ReturnType<typeof useFila>
  readonly situacao: SituacaoFila
  readonly onSelect: (id: number) => void
  readonly onSituacao: (situacao: SituacaoFila) => void
}

/** The queue in a stable order. */
export function FilaList({ fila, situacao, onSelect, onSituacao }: FilaListProps) {
  const { t } = useTranslation()
  const wide = useWide()
  const { itens, selected } = fila
  return (
    <>
      <div className={classes.head}>
        <SegmentedControl
          size="sm"
          aria-label={t('plantao.filtro')}
          value={situacao}
          onChange={(value) => onSituacao(situacoesFila.find((one) => one === value) ?? 'sem_resposta')}
          data={situacoesFila.map((value) => ({ value, label: t(`plantao.situacao.${value}`) }))}
        />
        {!wide && <FilaNews fila={fila} />}
      </div>
      {itens.length > 0 && (
        <ul className={classes.list} data-fila="" aria-label={t('plantao.fila')}>
          {itens.map((incidente) => (
            <li key={incidente.id}>
              <IncidenteCard incidente={incidente} isSelected={incidente.id === selected?.id} onSelect={onSelect} />
            </li>
          ))}
        </ul>
      )}
      {itens.length >= MAX_SHOWN && <p className={classes.limit}>{t('plantao.limite', { total: MAX_SHOWN })}</p>}
    </>
  )
}
