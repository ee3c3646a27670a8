import { Alert, Badge, Button, NativeSelect } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import { type ItemSimulacao, type Simulacao, type SimulacaoCreate, simulacaoSchema } from '@vigia/contracts/simulacao'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatClock } from '../../../base/tempo/format-time.ts'
import { AlertaTime } from '../../../domains/eventos/alertas/alerta-time.tsx'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { formErrors } from '../../../ui/form-errors.ts'
import { Column } from '../../../ui/layout.tsx'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import own from './simulation-panel.module.css'

const FIELDS = ['config_ia', 'agenda', 'horarios', 'zonas', 'linha', 'eventos_habilitados', 'desde', 'ate'] as const
const PERIODS = ['1', '3', '7'] as const
type Period = (typeof PERIODS)[number]
const DAY_MS = 86_400_000

interface SimulationProps {
  readonly camera: Camera
  /** null: the editor shows the stored values, or values that are wrong. */
  readonly proposal: Omit<SimulacaoCreate, 'desde' | 'ate'> | null
  /** Asks by itself each time that it grows. */
  readonly asked?: number
}

/** Asks which events would have come with the values of an editor, before they are saved. */
export function SimulationPanel({ camera, proposal, asked = 0 }: SimulationProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const [period, setPeriod] = useState<Period>('1')
  const question = proposal && JSON.stringify([proposal, period])
  const run = useMutation({
    mutationFn: async (values: NonNullable<SimulationProps['proposal']>) => {
      const desde = new Date(Date.now() - Number(period) * DAY_MS).toISOString()
      const path = `/cameras/${camera.id}/simular-calibracao`
      return { question, period, answer: await api.send('POST', path, { ...values, desde }, simulacaoSchema) }
    },
  })
  const { mutate } = run
  const latest = useRef(proposal)
  latest.current = proposal
  useEffect(() => {
    if (asked > 0 && latest.current) mutate(latest.current)
  }, [asked, mutate])
  const problems = run.error && formErrors(run.error, FIELDS)
  const failure = problems && (problems.general ?? Object.values(problems.fields).join(' '))
  // An answer about other values than those in the fields is not shown.
  const shown = run.data?.question === question ? run.data : null
  return (
    <section className={classes.card} aria-labelledby="simulacao">
      <h2 id="simulacao">{t('camera.simulacao.titulo')}</h2>
      <Soft>{t('camera.simulacao.ajuda')}</Soft>
      <div className={own.ask}>
        <NativeSelect
          label={t('camera.simulacao.periodo')}
          value={period}
          onChange={({ currentTarget: { value } }) => setPeriod(PERIODS.find((one) => one === value) ?? '1')}
          data={PERIODS.map((value) => ({ value, label: t(`camera.simulacao.periodos.${value}`) }))}
        />
        <Button
          variant="light"
          disabled={proposal === null}
          loading={run.isPending}
          onClick={() => proposal && run.mutate(proposal)}
        >
          {t('camera.simulacao.simular')}
        </Button>
        {proposal === null && <Soft>{t('camera.simulacao.mude')}</Soft>}
      </div>
      {failure && (
        <Alert color="red" variant="light" role="alert">
          {failure}
        </Alert>
      )}
      <div role="status" aria-live="polite">
        {run.isPending && <p>{t('camera.simulacao.simulando')}</p>}
        {shown && !run.isPending && (
          <SimulationAnswer
            camera={camera}
            answer={shown.answer}
            periodo={t(`camera.simulacao.periodos.${shown.period}`)}
          />
        )}
      </div>
    </section>
  )
}

interface AnswerProps {
  readonly camera: Camera
  readonly answer: Simulacao
  readonly periodo: string
}

function SimulationAnswer({ camera, answer, periodo }: AnswerProps) {
  const { t } = useTranslation()
  const { antes, depois, exato, revisados, avisos } = answer
  const { falsos, verdadeiros } = revisados
  return (
    <Column gap={7}>
      <p className={own.result}>
        {antes === 0 && depois === 0
          ? t('camera.simulacao.nenhum', { periodo })
          : t('camera.simulacao.resultado', { count: depois, antes, periodo })}{' '}
        <Exactness exact={exato} />
      </p>
      <Soft>{t(exato ? 'camera.simulacao.exatoAjuda' : 'camera.simulacao.estimativaAjuda')}</Soft>
      {falsos.antes > 0 && <p>{t('camera.simulacao.falsos', falsos)}</p>}
      {verdadeiros.antes > 0 && <p>{t('camera.simulacao.verdadeiros', verdadeiros)}</p>}
      {avisos.map(({ codigo }) => (
        <p key={codigo} className={classes.warn}>
          {t(`camera.simulacao.avisos.${codigo}`)}
        </p>
      ))}
      <ItemList camera={camera} items={answer.somem} total={answer.somem_total} kind="somem" />
      <ItemList camera={camera} items={answer.surgem} total={answer.surgem_total} kind="surgem" />
      <Hours camera={camera} hours={answer.por_hora} />
    </Column>
  )
}

function Exactness({ exact }: { exact: boolean }) {
  const { t } = useTranslation()
  return (
    <Badge color={exact ? 'green' : 'gray'} variant="light">
      {t(exact ? 'camera.simulacao.exato' : 'camera.simulacao.estimativa')}
    </Badge>
  )
}

interface ListProps {
  readonly camera: Camera
  readonly items: readonly ItemSimulacao[]
  readonly total: number
  readonly kind: 'somem' | 'surgem'
}

function ItemList({ camera, items, total, kind }: ListProps) {
  const { t } = useTranslation()
  if (total === 0) return null
  const title = t(`camera.simulacao.${kind}`, { count: total })
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul className={own.list}>
        {items.map((item) => (
          <Item key={`${item.evento_id} ${item.descartado_id}`} camera={camera} item={item} />
        ))}
      </ul>
      {items.length < total && <Soft>{t('camera.simulacao.mostrados', { total: items.length })}</Soft>}
    </section>
  )
}

function Item({ camera, item }: { camera: Camera; item: ItemSimulacao }) {
  const { t } = useTranslation()
  const { fuso } = useEmpresa(camera.empresa_id)
  const { titulo } = textsOfIa(item.tipo)
  const reviewed = item.revisao === 'confirmado' ? 'revisadoVerdadeiro' : 'revisadoFalso'
  return (
    <li className={own.item}>
      {item.imagem_url && (
        <img src={item.imagem_url} alt={t('camera.simulacao.imagem', { titulo })} loading="lazy" decoding="async" />
      )}
      <div>
        {item.evento_id === null ? (
          <strong>{titulo}</strong>
        ) : (
          <Link to="/eventos/$id" params={{ id: item.evento_id }} className={classes.link}>
            {titulo}
          </Link>
        )}
        <AlertaTime iso={item.ocorrido_em} fuso={fuso} />
        <Soft>
          {t(`camera.simulacao.motivos.${item.motivo}`)}
          {item.revisao && ` · ${t(`camera.simulacao.${reviewed}`)}`}
        </Soft>
        <Exactness exact={item.exato} />
      </div>
    </li>
  )
}

function Hours({ camera, hours }: { camera: Camera; hours: Simulacao['por_hora'] }) {
  const { t } = useTranslation()
  const { fuso } = useEmpresa(camera.empresa_id)
  if (hours.length === 0) return null
  return (
    <details>
      <summary>{t('camera.simulacao.horas')}</summary>
      <table className={own.hours}>
        <thead>
          <tr>
            <th scope="col">{t('camera.simulacao.hora')}</th>
            <th scope="col">{t('camera.simulacao.antes')}</th>
            <th scope="col">{t('camera.simulacao.depois')}</th>
          </tr>
        </thead>
        <tbody>
          {hours.map(({ inicio, antes, depois }) => (
            <tr key={inicio}>
              <th scope="row">{formatClock(inicio, fuso)}</th>
              <td>{antes}</td>
              <td>{depois}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
