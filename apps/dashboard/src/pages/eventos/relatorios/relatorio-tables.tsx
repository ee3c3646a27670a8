import { IconDownload } from '@tabler/icons-react'
import type { Relatorio, TabelaRelatorio } from '@vigia/contracts/relatorios'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../../base/tempo/format-time.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { pageLocale } from '../../../texts/locale.ts'
import { Soft } from '../../../ui/page.tsx'
import { RecordTable } from '../../../ui/record-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { HourColumns } from './hour-columns.tsx'
import { csvAddress, type FiltroRelatorio } from './relatorio-query.ts'
import classes from './relatorios.module.css'
import { withEvents } from './report-summary.ts'

type Count = Relatorio['total']

interface TablesProps {
  readonly relatorio: Relatorio
  readonly filtro: FiltroRelatorio
}

/** Summary and tables of a report; each table can be downloaded. */
export function Tables({ relatorio, filtro }: TablesProps) {
  const { t } = useTranslation()
  const { respostas, quedas, por_dia, por_hora, por_camera, por_ia } = relatorio
  const table = (tabela: TabelaRelatorio, content: ReactNode) => (
    <TableSection tabela={tabela} href={csvAddress(filtro, tabela)}>
      {content}
    </TableSection>
  )
  return (
    <>
      <Summary relatorio={relatorio} />
      {table(
        'dia',
        <Counts first="dia" rows={withEvents(por_dia).map((row) => ({ ...row, name: shownDay(row.dia) }))} />,
      )}
      {table(
        'hora',
        <>
          <HourColumns rows={por_hora} />
          <Counts
            first="hora"
            rows={withEvents(por_hora).map((row) => ({ ...row, name: `${String(row.hora).padStart(2, '0')} h` }))}
          />
        </>,
      )}
      {table(
        'camera',
        <Counts
          first="camera"
          rows={por_camera.map((row) => ({ ...row, key: row.camera_id, name: row.camera_nome }))}
        />,
      )}
      {table('ia', <Counts first="ia" rows={por_ia.map((row) => ({ ...row, name: textsOfIa(row.tipo).titulo }))} />)}
      {table(
        'pessoa',
        respostas.por_pessoa.length === 0 ? (
          <Soft>{t('relatorios.ninguem')}</Soft>
        ) : (
          <Grid
            columns={['pessoa', 'respondidos', 'mediana', 'p90']}
            rows={respostas.por_pessoa.map(({ revisor, respondidos, mediana_s, p90_s }) => ({
              key: revisor,
              cells: [revisor, number(respondidos), duration(mediana_s), duration(p90_s)],
            }))}
          />
        ),
      )}
      {table(
        'queda',
        quedas.por_nome.length === 0 ? (
          <Soft>{t('relatorios.nenhumaQueda')}</Soft>
        ) : (
          <Grid
            columns={['queda', 'total', 'tempo']}
            rows={quedas.por_nome.map(({ nome, edge_id, camera_id, total, segundos }) => ({
              key: `${edge_id}-${camera_id}`,
              cells: [nome, number(total), duration(segundos)],
            }))}
          />
        ),
      )}
    </>
  )
}

const number = (value: number): string => new Intl.NumberFormat(pageLocale()).format(value)
const share = (value: number): string =>
  new Intl.NumberFormat(pageLocale(), { style: 'percent', maximumFractionDigits: 1 }).format(value)
const duration = (seconds: number | null): string => (seconds === null ? '–' : formatDuration(seconds * 1000))
const shownDay = (day: string): string =>
  new Intl.DateTimeFormat(pageLocale(), { weekday: 'short', day: '2-digit', month: '2-digit', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

function Summary({ relatorio: { total, respostas, quedas } }: { relatorio: Relatorio }) {
  const { t } = useTranslation()
  const none = t('relatorios.resumo.semDados')
  /** Facts that say nothing. */
  const zeros = [number(0), none, duration(0)]
  const facts = {
    eventos: number(total.eventos),
    confirmados: number(total.confirmados),
    refutados: total.refutados === 0 ? none : `${number(total.refutados)} (${share(total.refutados / total.eventos)})`,
    pendentes: number(total.pendentes),
    incidentes: number(respostas.incidentes),
    respondidos: number(respostas.respondidos),
    falso: respostas.falso_alarme === null ? none : share(respostas.falso_alarme),
    mediana: respostas.mediana_s === null ? none : duration(respostas.mediana_s),
    p90: respostas.p90_s === null ? none : duration(respostas.p90_s),
    quedas: number(quedas.total),
    tempoFora: duration(quedas.segundos),
  }
  return (
    <Section aria-labelledby="resumo">
      <h2 id="resumo">{t('relatorios.resumo.titulo')}</h2>
      <dl className={classes.facts}>
        {Object.entries(facts)
          .filter(([, value]) => !zeros.includes(value))
          .map(([name, value]) => (
            <div key={name}>
              <dt>{t(`relatorios.resumo.${name as keyof typeof facts}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </Section>
  )
}

function TableSection({ tabela, href, children }: { tabela: TabelaRelatorio; href: string; children: ReactNode }) {
  const { t } = useTranslation()
  const titulo = t(`relatorios.tabela.${tabela}`)
  return (
    <Section aria-labelledby={`tabela-${tabela}`}>
      <div className={classes.head}>
        <h2 id={`tabela-${tabela}`}>{titulo}</h2>
        <a className={classes.csv} href={href} download aria-label={t('relatorios.csv', { tabela: titulo })}>
          <IconDownload size={16} aria-hidden="true" /> {t('relatorios.csvCurto')}
        </a>
      </div>
      {children}
    </Section>
  )
}

type NamedCount = Count & { readonly name: string; readonly key?: number }

/** Counts with a bar for the events; the bar repeats the number beside it. */
function Counts({ first, rows }: { first: 'dia' | 'hora' | 'camera' | 'ia'; rows: readonly NamedCount[] }) {
  const most = Math.max(1, ...rows.map(({ eventos }) => eventos))
  return (
    <Grid
      columns={[first, 'eventos', 'confirmados', 'refutados', 'pendentes']}
      rows={rows.map(({ name, key, eventos, confirmados, refutados, pendentes }) => ({
        key: key ?? name,
        part: eventos / most,
        cells: [name, number(eventos), number(confirmados), number(refutados), number(pendentes)],
      }))}
    />
  )
}

type Column = 'dia' | 'hora' | 'camera' | 'ia' | 'pessoa' | 'queda' | 'respondidos' | 'mediana' | 'p90' | 'total'
interface GridRow {
  readonly key: string | number
  readonly cells: readonly string[]
  /** Length of the bar, 0–1. */
  readonly part?: number
}

const keyOf = ({ key }: GridRow) => key

function Grid({
  columns,
  rows,
}: {
  columns: readonly (Column | 'tempo' | 'eventos' | 'confirmados' | 'refutados' | 'pendentes')[]
  rows: readonly GridRow[]
}) {
  const { t } = useTranslation()
  return (
    <RecordTable
      numbers
      label={t(`relatorios.coluna.${columns[0] ?? 'dia'}`)}
      columns={columns.map((column) => [column, t(`relatorios.coluna.${column}`)])}
      rows={rows}
      keyOf={keyOf}
    >
      {({ cells: [name, ...numbers], part }) => (
        <>
          <th scope="row">
            {name}
            {part !== undefined && (
              <span className={classes.bar} style={{ inlineSize: `${part * 100}%` }} aria-hidden="true" />
            )}
          </th>
          {numbers.map((value, i) => (
            <td key={columns[i + 1]}>{value}</td>
          ))}
        </>
      )}
    </RecordTable>
  )
}
