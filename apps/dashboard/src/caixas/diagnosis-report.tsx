import { useQuery } from '@tanstack/react-query'
import { cameraFailures, cameraFailureText } from '@vigia/contracts/camera-failures'
import type { Diagnostico } from '@vigia/contracts/pedidos'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { camerasQuery } from '../api/queries.ts'
import { useServices } from '../services.ts'
import { type Fuso, formatDuration, formatFull } from '../tempo/format-time.ts'
import { formatBytes } from './box-health.ts'
import { BoxMeters } from './box-meters.tsx'
import classes from './diagnosis.module.css'

const estados = ['online', 'conectando', 'falha', 'desativada'] as const
const niveis = ['warn', 'error', 'fatal'] as const

/** The answer of a box, for whoever has to mend it from afar. */
export function DiagnosisReport({ diagnostico: box, fuso }: { diagnostico: Diagnostico; fuso: Fuso }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data: cameras = [] } = useQuery(camerasQuery(api, null))
  const nameOf = (id: number): string =>
    cameras.find((camera) => camera.id === id)?.nome ?? t('caixas.diagnostico.camera', { id })

  const link = t(box.ligacao.conectado ? 'caixas.diagnostico.conectado' : 'caixas.diagnostico.desconectado')
  const facts: readonly (readonly [string, string | null])[] = [
    [t('caixas.diagnostico.programa'), t('caixas.diagnostico.programaTexto', { versao: box.versao, node: box.node })],
    [t('caixas.diagnostico.sistema'), box.sistema],
    [t('caixas.diagnostico.ligado'), formatDuration(box.ligado_ha_s * 1000)],
    [t('caixas.diagnostico.caixaLigada'), formatDuration(box.caixa_ligada_ha_s * 1000)],
    [t('caixas.diagnostico.memoriaProcesso'), formatBytes(box.memoria_processo)],
    [t('caixas.diagnostico.ligacao'), t('caixas.diagnostico.conexoes', { estado: link, count: box.ligacao.conexoes })],
    [t('caixas.diagnostico.ultimaQueda'), box.ligacao.ultima_queda],
    [
      t('caixas.diagnostico.fila'),
      t('caixas.diagnostico.filaTexto', { count: box.fila.registros, bytes: formatBytes(box.fila.bytes) }),
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
        <div className={classes.meters}>
          <BoxMeters {...box} />
        </div>
      </div>
      <section>
        <h3>{t('caixas.diagnostico.avisos')}</h3>
        {box.avisos.length === 0 && <p className={classes.soft}>{t('caixas.diagnostico.semAvisos')}</p>}
        <ul className={classes.warnings}>
          {box.avisos.toReversed().map((aviso) => (
            // The box keeps each message once, with the moment it came last.
            <li key={`${aviso.nivel} ${aviso.texto}`} data-level={aviso.nivel}>
              <span className={classes.soft}>
                {formatFull(new Date(aviso.em).toISOString(), fuso)} · {levelText(aviso.nivel, t)}
              </span>
              <p>{aviso.texto}</p>
            </li>
          ))}
        </ul>
      </section>
      {box.cameras.length > 0 && (
        <section>
          <h3>{t('caixas.diagnostico.cameras')}</h3>
          <ul>
            {box.cameras.map((camera) => (
              <li key={camera.id}>
                {nameOf(camera.id)}:{' '}
                {[
                  stateText(camera.estado, t),
                  camera.fps !== null &&
                    t('cameras.fps', { valor: camera.fps.toLocaleString('pt-BR', { maximumFractionDigits: 1 }) }),
                  camera.motivo && reasonText(camera.motivo),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </li>
            ))}
          </ul>
        </section>
      )}
      {box.fila.por_camera.length > 0 && (
        <section>
          <h3>{t('caixas.diagnostico.fila')}</h3>
          <ul>
            {box.fila.por_camera.map(({ camera_id, registros, ultimo_seq }) => (
              <li key={camera_id}>
                {t('caixas.diagnostico.filaCamera', { nome: nameOf(camera_id), registros, ultimo: ultimo_seq })}
              </li>
            ))}
          </ul>
        </section>
      )}
      {box.processos.length > 0 && (
        <section>
          <h3>{t('caixas.diagnostico.processos')}</h3>
          <ul>
            {box.processos.map(({ pid, cameras: own, falhas }) => (
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

/** The codes of a newer box that this page does not know are shown as they are. */
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
