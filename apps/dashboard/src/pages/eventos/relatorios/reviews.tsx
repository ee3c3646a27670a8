import { Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Concordancia } from '@vigia/contracts/concordancia'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Soft } from '../../../ui/page.tsx'
import { RecordTable } from '../../../ui/record-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { concordanciaQuery, type FiltroRelatorio } from './relatorio-query.ts'

/** Agreement of the verification with the reviews of the period. */
export function Reviews({ filtro }: { filtro: FiltroRelatorio }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data, error, refetch } = useQuery({
    ...concordanciaQuery(api, filtro),
    placeholderData: keepPreviousData,
  })
  return (
    <Section aria-labelledby="concordancia">
      <h2 id="concordancia">{t('relatorios.concordancia.titulo')}</h2>
      <Soft>{t('relatorios.concordancia.ajuda')}</Soft>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={80} radius="md" />}
      {data && data.linhas.length === 0 && <Soft>{t('relatorios.concordancia.nenhuma')}</Soft>}
      {data && data.linhas.length > 0 && <Agreement linhas={data.linhas} />}
    </Section>
  )
}

type Linha = Concordancia['linhas'][number]

const keyOf = ({ camera_id, ia }: Linha) => `${camera_id}-${ia}`

const columns = ['camera', 'ia', 'revisados', 'confirmado', 'baixa', 'refutado', 'concordam'] as const

function Agreement({ linhas }: { linhas: readonly Linha[] }) {
  const { t } = useTranslation()
  const part = (certos: number, todos: number): string =>
    todos === 0 ? '–' : t('relatorios.concordancia.parte', { certos: formatNumber(certos), todos: formatNumber(todos) })
  const cells = ({ ia, alta, baixa, sem_certeza, refutado, revisados, concordam }: Linha) => {
    const confirmed = alta.verdadeiros + sem_certeza.verdadeiros
    return [
      textsOfIa(ia).titulo,
      formatNumber(revisados),
      part(confirmed, confirmed + alta.falsos + sem_certeza.falsos),
      part(baixa.verdadeiros, baixa.verdadeiros + baixa.falsos),
      part(refutado.falsos, refutado.verdadeiros + refutado.falsos),
      formatNumber(concordam / revisados, { style: 'percent', maximumFractionDigits: 0 }),
    ]
  }
  return (
    <RecordTable
      numbers
      label={t('relatorios.concordancia.titulo')}
      columns={columns.map((column) => [column, t(`relatorios.concordancia.coluna.${column}`)])}
      rows={linhas}
      keyOf={keyOf}
    >
      {(linha) => (
        <>
          <th scope="row">{linha.camera_nome}</th>
          {cells(linha).map((cell, i) => (
            <td key={columns[i + 1]}>{cell}</td>
          ))}
        </>
      )}
    </RecordTable>
  )
}
