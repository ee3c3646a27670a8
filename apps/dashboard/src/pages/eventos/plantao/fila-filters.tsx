import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { gravidades, nomesIas } from '@vigia/contracts/ias'
import type { Incidente } from '@vigia/contracts/incidentes'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { empresasQuery, MAX_FILA, type SituacaoFila, situacoesFila } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import classes from './fila-filters.module.css'

/** Only for a login with several customers. */
const NameSearch = lazy(async () => ({ default: (await import('../../../ui/name-search.tsx')).NameSearch }))

interface FilaFiltersProps {
  readonly itens: readonly Incidente[]
  readonly situacao: SituacaoFila
}

/** Filters of the queue: state, severity with counts, customer, IA. The address holds them. */
export function FilaFilters({ itens, situacao }: FilaFiltersProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const search = useSearch({ from: '/painel/' })
  const navigate = useNavigate({ from: '/' })
  const { data: empresas = [] } = useQuery(empresasQuery(api))
  const choose = (change: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true })
  const counted = (tests: (one: Incidente) => boolean) => itens.filter(tests).length
  const inSeverity = itens.filter(({ gravidade }) => search.gravidade === undefined || gravidade === search.gravidade)
  const ias = nomesIas.filter((ia) => ia === search.ia || itens.some(({ tipos }) => tipos.includes(ia)))
  return (
    <search className={classes.filters} aria-label={t('plantao.filtro')}>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t('plantao.filtro')}
        value={situacao}
        onChange={(value) => choose({ situacao: situacoesFila.find((one) => one === value) })}
        data={situacoesFila.map((value) => ({ value, label: t(`plantao.situacao.${value}`) }))}
      />
      <div className={classes.severities}>
        {gravidades.toReversed().map((gravidade) => (
          <FilaChip
            key={gravidade}
            text={t(`alertas.gravidade.${gravidade}`)}
            count={counted((one) => one.gravidade === gravidade)}
            severity={gravidade}
            isOn={search.gravidade === gravidade}
            onToggle={(on) => choose({ gravidade: on ? gravidade : undefined })}
          />
        ))}
      </div>
      {empresas.length > 1 && search.empresa === undefined && (
        <div className={classes.customer}>
          <Suspense>
            <NameSearch
              label={t('plantao.cliente')}
              hideLabel
              all={t('plantao.todosClientes')}
              options={empresas}
              value={search.cliente}
              missing={t('plantao.cliente')}
              onChoose={(cliente) => choose({ cliente })}
            />
          </Suspense>
        </div>
      )}
      {(ias.length > 1 || search.ia !== undefined) && (
        <div className={classes.ias}>
          {ias.map((ia) => (
            <FilaChip
              key={ia}
              text={textsOfIa(ia).titulo}
              count={inSeverity.filter(({ tipos }) => tipos.includes(ia)).length}
              isOn={search.ia === ia}
              onToggle={(on) => choose({ ia: on ? ia : undefined })}
            />
          ))}
        </div>
      )}
    </search>
  )
}

interface FilaChipProps {
  readonly text: string
  readonly count: number
  readonly severity?: string
  readonly isOn: boolean
  readonly onToggle: (on: boolean) => void
}

function FilaChip({ text, count, severity, isOn, onToggle }: FilaChipProps) {
  return (
    <button
      type="button"
      className={classes.chip}
      data-gravidade={severity}
      aria-pressed={isOn}
      onClick={() => onToggle(!isOn)}
    >
      <span>{text}</span> <b>{count >= MAX_FILA ? `${MAX_FILA}+` : count}</b>
    </button>
  )
}
