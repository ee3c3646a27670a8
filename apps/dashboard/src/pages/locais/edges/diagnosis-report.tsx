import { useQuery } from '@tanstack/react-query'
import { cameraFailures, cameraFailureText } from '@vigia/contracts/camera-failures'
import type { Diagnostico } from '@vigia/contracts/pedidos'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { camerasQuery } from '../../../api/queries.ts'
import { type Fuso, formatDuration, formatFull } from '../../../base/tempo/format-time.ts'
import { formatBytes } from '../../../domains/locais/edges/edge-health.ts'
import { useServices } from '../../../session/services.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { CardSoft } from '../../../ui/card.tsx'
import { Column } from '../../../ui/layout.tsx'
import classes from './diagnosis.module.css'
import { EdgeMeters } from './edge-meters.tsx'

const estados = ['online', 'conectando', 'falha', 'desativada'] as const
const niveis = ['warn', 'error', 'fatal'] as const

/** The diagnosis of an edge, for remote repair. */
export function DiagnosisReport({ diagnostico: report, fuso }: { diagnostico: Diagnostico; fuso: Fuso }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data: cameras = [] } = useQuery(camerasQuery(api, null))
  const nameOf = (id: number): string =>
    cameras.find((camera) => camera.id === id)?.nome ?? t('caixas.diagnostico.camera', { id })

  const link = t(report.ligacao.conectado ? 'caixas.diagnostico.conectado' : 'caixas.diagnostico.desconectado')
  const facts: readonly (readonly [string, string | null])[] = [
    [
      t('caixas.diagnostico.programa'),
      t('caixas.diagnostico.programaTexto', { versao: report.versao, node: report.node }),
    ],
    [t('caixas.diagnostico.sistema'), report.sistema],
    [t('caixas.diagnostico.ligado'), formatDuration(report.ligado_ha_s * 1000)],
    [t('caixas.diagnostico.caixaLigada'), formatDuration(report.caixa_ligada_ha_s * 1000)],
    [t('caixas.diagnostico.memoriaProcesso'), formatBytes(report.memoria_processo)],
    [
      t('caixas.diagnostico.ligacao'),
      t('caixas.diagnostico.conexoes', { estado: link, count: report.ligacao.conexoes }),
    ],
    [t('caixas.diagnostico.ultimaQueda'), report.ligacao.ultima_queda],
    [
      t('caixas.diagnostico.fila'),
      t('caixas.diagnostico.filaTexto', { count: report.fila.registros, bytes: formatBytes(report.fila.bytes) }),
    ],
  ]
  return (
    <div className={classes.report}>
      <div className={classes.columns}>
        <dl className={classes.facts}>
          {facts.map(
            ([term, value]) =>
              value !== null && (
                <div key={term}>
                  <dt>{term}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
        <Column gap={6}>
          <EdgeMeters {...report} />
        </Column>
      </div>
      <section>
        <h3>{t('caixas.diagnostico.avisos')}</h3>
        {report.avisos.length === 0 && <CardSoft>{t('caixas.diagnostico.semAvisos')}</CardSoft>}
        <ul className={classes.warnings}>
          {report.avisos.toReversed().map((aviso) => (
            // The edge keeps each message once, with the time of its last occurrence.
            <li key={`${aviso.nivel} ${aviso.texto}`} data-level={aviso.nivel}>
              <CardSoft as="span">
                {formatFull(new Date(aviso.em).toISOString(), fuso)} · {levelText(aviso.nivel, t)}
              </CardSoft>
              <p>{aviso.texto}</p>
            </li>
          ))}
        </ul>
      </section>
      {report.cameras.length > 0 && (
        <section>
          <h3>{t('caixas.diagnostico.cameras')}</h3>
          <ul>
            {report.cameras.map((camera) => (
              <li key={camera.id}>
                {nameOf(camera.id)}:{' '}
                {[
                  stateText(camera.estado, t),
                  camera.fps !== null &&
                    t('cameras.fps', { valor: formatNumber(camera.fps, { maximumFractionDigits: 1 }) }),
                  camera.motivo && reasonText(camera.motivo),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </li>
            ))}
          </ul>
        </section>
      )}
      {report.fila.por_camera.length > 0 && (
        <section>
          <h3>{t('caixas.diagnostico.fila')}</h3>
          <ul>
            {report.fila.por_camera.map(({ camera_id, registros, ultimo_seq }) => (
              <li key={camera_id}>
                {t('caixas.diagnostico.filaCamera', { nome: nameOf(camera_id), registros, ultimo: ultimo_seq })}
              </li>
            ))}
          </ul>
        </section>
      )}
      {report.processos.length > 0 && (
        <section>
          <h3>{t('caixas.diagnostico.processos')}</h3>
          <ul>
            {report.processos.map(({ pid, cameras: own, falhas }) => (
              <li key={`${pid}-${own.join()}`}>
                {processText(pid, own.map(nameOf).join(', ') || t('caixas.diagnostico.processoVazio'), t)}
                {falhas > 0 && ` · ${t('caixas.diagnostico.falhas', { count: falhas })}`}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

type T = TFunction<'pagina'>

const processText = (pid: number | null, cameras: string, t: T): string =>
  pid === null
    ? t('caixas.diagnostico.processoParado', { cameras })
    : t('caixas.diagnostico.processo', { pid, cameras })

/** Unknown codes of a newer edge are shown unchanged. */
function stateText(code: string, t: T): string {
  const known = estados.find((estado) => estado === code)
  return known ? t(`caixas.diagnostico.estado.${known}`) : code
}

function levelText(code: string, t: T): string {
  const known = niveis.find((nivel) => nivel === code)
  return known ? t(`caixas.diagnostico.nivel.${known}`) : code
}

function reasonText(code: string): string {
  const known = cameraFailures.find((motivo) => motivo === code)
  return known ? cameraFailureText(known) : code
}
