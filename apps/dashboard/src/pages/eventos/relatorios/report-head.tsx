import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Relatorio } from '@vigia/contracts/relatorios'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../../base/tempo/format-time.ts'
import { useServices } from '../../../session/services.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { Section } from '../../../ui/section.tsx'
import { type FiltroRelatorio, relatorioQuery } from './relatorio-query.ts'
import classes from './relatorios.module.css'
import { busiest, worstCameras } from './report-summary.ts'

interface HeadProps {
  readonly relatorio: Relatorio
  /** The period of equal length before this one. */
  readonly antes: FiltroRelatorio
}

/** Three sentences, the days beside those before, and the cameras with the change to make. */
export function ReportHead({ relatorio, antes }: HeadProps) {
  const { api } = useServices()
  const { data: before } = useQuery(relatorioQuery(api, antes))
  return (
    <>
      <Sentences relatorio={relatorio} before={before} />
      <Days now={relatorio.por_dia} before={before?.por_dia ?? []} />
      <Worst relatorio={relatorio} />
    </>
  )
}

function Sentences({ relatorio, before }: { relatorio: Relatorio; before: Relatorio | undefined }) {
  const { t } = useTranslation()
  const { total, por_dia, por_hora, por_camera, respostas } = relatorio
  const more = before === undefined ? 0 : total.eventos - before.total.eventos
  const than = before === undefined ? 'so' : more > 0 ? 'mais' : more < 0 ? 'menos' : 'igual'
  const camera = busiest(por_camera)
  const hour = busiest(por_hora)
  const { incidentes, respondidos, falsos, mediana_s } = respostas
  const numbers = { respondidos: formatNumber(respondidos), falsos: formatNumber(falsos) }
  return (
    <Section aria-labelledby="em-resumo">
      <h2 id="em-resumo">{t('relatorios.frases.titulo')}</h2>
      <p>
        {t(`relatorios.frases.${than}`, {
          count: por_dia.length,
          eventos: formatNumber(total.eventos),
          diferenca: formatNumber(Math.abs(more)),
        })}
      </p>
      <p>
        {camera === null || hour === null
          ? t('relatorios.frases.semMovimento')
          : t('relatorios.frases.onde', {
              camera: camera.camera_nome,
              eventos: formatNumber(camera.eventos),
              hora: hour.hora,
              fim: (hour.hora + 1) % 24,
            })}
      </p>
      <p>
        {mediana_s === null
          ? t('relatorios.frases.semResposta', { count: incidentes })
          : t('relatorios.frases.respostas', {
              ...numbers,
              count: incidentes,
              tempo: formatDuration(mediana_s * 1000),
            })}
      </p>
    </Section>
  )
}

type Dia = Relatorio['por_dia'][number]

/** Bars of each day beside the same day of the period before. The table of days repeats the numbers. */
function Days({ now, before }: { now: readonly Dia[]; before: readonly Dia[] }) {
  const { t } = useTranslation()
  const most = Math.max(1, ...[...now, ...before].map(({ eventos }) => eventos))
  if (before.length !== now.length || now.length > MOST_DAYS) return null
  return (
    <Section aria-labelledby="comparado">
      <h2 id="comparado">{t('relatorios.frases.comparado')}</h2>
      <p className={classes.legend}>
        <span className={classes.nowKey} /> {t('relatorios.frases.agora')}
        <span className={classes.beforeKey} /> {t('relatorios.frases.antes')}
      </p>
      <div className={classes.columns} aria-hidden="true">
        {now.map(({ dia, eventos }, i) => (
          <div key={dia} className={classes.column}>
            <div className={classes.pair}>
              <span className={classes.before} style={{ blockSize: `${((before[i]?.eventos ?? 0) / most) * 100}%` }} />
              <span className={classes.now} style={{ blockSize: `${(eventos / most) * 100}%` }} />
            </div>
            <small>{dia.slice(8)}</small>
          </div>
        ))}
      </div>
    </Section>
  )
}

/** More columns are too narrow on a phone. */
const MOST_DAYS = 31

function Worst({ relatorio }: { relatorio: Relatorio }) {
  const { t } = useTranslation()
  const worst = worstCameras(relatorio)
  if (worst.length === 0) return null
  return (
    <Section aria-labelledby="piores">
      <h2 id="piores">{t('relatorios.piores.titulo')}</h2>
      <ul>
        {worst.map(({ id, nome, problema, quantos, de }) => (
          <li key={`${problema}-${id}`}>
            {t(`relatorios.piores.${problema}`, { nome, quantos: formatNumber(quantos), de: formatNumber(de) })}{' '}
            <Link
              to={problema === 'quedas' ? '/cameras/$id/prova' : '/cameras/$id/o-que-vigia/sensibilidade'}
              params={{ id: String(id) }}
            >
              {t(`relatorios.piores.mudar.${problema}`)}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
