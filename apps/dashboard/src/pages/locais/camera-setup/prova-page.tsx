import { Button } from '@mantine/core'
import { IconCircle, IconCircleCheck, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Evento } from '@vigia/contracts/eventos'
import { type AndamentoProva, PROVA_MAXIMA_S } from '@vigia/contracts/provas'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../../base/tempo/format-time.ts'
import { useCamera } from '../../../domains/locais/cameras/use-camera.tsx'
import type { FrameDetections } from '../../../domains/video/aovivo/mjpeg-parser.ts'
import { useServices } from '../../../session/services.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { useLabelName } from '../../../texts/label-name.ts'
import { Soft } from '../../../ui/page.tsx'
import boardClasses from './board.module.css'
import { Board } from './board.tsx'
import classes from './camera.module.css'
import { andamentoQuery, eventosQuery } from './camera-queries.ts'
import { type Drawing, drawingOf } from './drawing.ts'
import { DrawingLayer } from './drawing-layer.tsx'
import { lineDirection } from './line-direction.ts'
import { addFrame, nothingSeen, zonesHit } from './live-hits.ts'
import { ProvaForm } from './prova-form.tsx'
import { ProvaList } from './prova-list.tsx'
import { useShapeName } from './shape-name.ts'
import { useProva } from './use-prova.ts'
import { isOver, type Walk } from './walk.ts'

/** Number of recent events that are watched during a prova. */
const WATCHED = 48

const beginning = { seen: nothingSeen, telaMs: null, seenAt: null, andamento: null }

/** Walk test: seen objects and hit zones, until the alert reached somebody else; then the record of the test. */
export function ProvaPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const camera = useCamera()
  const prova = useProva(camera.id)
  const [walk, setWalk] = useState<Walk | null>(null)
  const [detections, setDetections] = useState<FrameDetections>(null)
  const drawing = drawingOf(camera)
  const { data } = useQuery(eventosQuery(api, camera.id, WATCHED))
  const eventos = walk === null ? [] : (data ?? []).filter(({ id }) => id > walk.lastEvento)
  const alerta = eventos.some(({ veredito }) => veredito?.decisao === 'confirmado')
  const running = walk !== null && walk.endedAt === null
  if (walk && running && alerta && walk.telaMs === null) setWalk({ ...walk, telaMs: Date.now() - walk.startedAt })
  if (walk && running && eventos.length > 0 && walk.seenAt === null) setWalk({ ...walk, seenAt: Date.now() })

  const start = async () => {
    await prova.begin()
    const lastEvento = Math.max(0, ...(data ?? []).map(({ id }) => id))
    setWalk({ startedAt: Date.now(), endedAt: null, lastEvento, ...beginning })
  }
  const watch = (found: FrameDetections) => {
    setDetections(found)
    setWalk((now) => {
      if (now === null || now.endedAt !== null) return now
      const seen = addFrame(now.seen, drawing, found ?? [])
      if (seen === now.seen) return now
      return { ...now, seen, seenAt: now.seenAt ?? (seen.rotulos.length > 0 ? Date.now() : null) }
    })
  }
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <Board view="?lado=960&fps=5" onDetections={watch} detections={detections}>
          {({ width, height }) => (
            <svg className={boardClasses.layer} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
              <DrawingLayer
                drawing={drawing}
                size={{ width, height }}
                hit={zonesHit(drawing, detections ?? [])}
                direcao={lineDirection(camera)}
              />
            </svg>
          )}
        </Board>
      </div>
      <div className={classes.side}>
        {walk === null && (
          <section className={classes.card}>
            <h2>{t('camera.prova.titulo')}</h2>
            <p>{t('camera.prova.ajuda')}</p>
            <ArmedForProva />
            {prova.failure && <p className={classes.warn}>{prova.failure}</p>}
            <Button
              leftSection={<IconPlayerPlay size={18} />}
              disabled={!camera.ativa || !data}
              loading={prova.isBusy}
              onClick={() => void start().catch(() => undefined)}
            >
              {t('camera.prova.comecar')}
            </Button>
          </section>
        )}
        {walk !== null && <Checks walk={walk} eventos={eventos} drawing={drawing} />}
        {walk !== null && running && (
          <Running
            walk={walk}
            onAndamento={(andamento) => setWalk((now) => now && { ...now, andamento })}
            unarmed={prova.detalhe}
            onStop={() => {
              prova.end()
              setWalk((now) => now && { ...now, endedAt: Date.now() })
            }}
          />
        )}
        {walk !== null && !running && (
          <ProvaForm cameraId={camera.id} walk={walk} approved={alerta} onDone={() => setWalk(null)} />
        )}
      </div>
      <section className={`${classes.card} ${classes.below}`} aria-labelledby="provas-titulo">
        <h2 id="provas-titulo">{t('camera.prova.registros')}</h2>
        <ProvaList cameraId={camera.id} />
      </section>
    </div>
  )
}

/** The IAs that the box arms for the test: without one nothing is detected. */
function ArmedForProva() {
  const { t } = useTranslation()
  const { eventos_habilitados } = useCamera()
  if (eventos_habilitados.length === 0) return <p className={classes.warn}>{t('camera.prova.nenhumaLigada')}</p>
  const ias = eventos_habilitados.map((nome) => textsOfIa(nome).titulo).join(', ')
  return <Soft>{t('camera.prova.armadas', { ias })}</Soft>
}

interface RunningProps {
  readonly walk: Walk
  readonly onAndamento: (andamento: AndamentoProva) => void
  /** Why the box did not arm; null: it did. */
  readonly unarmed: string | null
  readonly onStop: () => void
}

/** A running walk asks the server how far it came, and ends by itself. */
function Running({ walk, unarmed, onAndamento, onStop }: RunningProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { startedAt, seen, andamento } = walk
  const { data } = useQuery(andamentoQuery(api, useCamera().id, { startedAt, viu: seen.rotulos.length > 0 }))
  useEffect(() => {
    if (data && data !== andamento) onAndamento(data)
  }, [data, andamento, onAndamento])
  const [elapsedMs, setElapsedMs] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setElapsedMs(Date.now() - walk.startedAt), 1000)
    return () => clearInterval(timer)
  }, [walk.startedAt])
  // A record covers at most one hour, which includes the time for the note.
  const over = elapsedMs > (PROVA_MAXIMA_S - 300) * 1000 || isOver(walk, startedAt + elapsedMs)
  useEffect(() => {
    if (over) onStop()
  }, [over, onStop])
  return (
    <section className={classes.card}>
      <p>{t('camera.prova.ande')}</p>
      {unarmed && <p className={classes.warn}>{t('camera.prova.naoArmou', { detalhe: unarmed })}</p>}
      <Soft>{t('camera.prova.tempo', { tempo: formatDuration(elapsedMs) })}</Soft>
      <Button leftSection={<IconPlayerStop size={18} />} onClick={onStop}>
        {t('camera.prova.terminar')}
      </Button>
    </section>
  )
}

interface ChecksProps {
  readonly walk: Walk
  readonly eventos: readonly Evento[]
  readonly drawing: Drawing
}

/** The steps from the picture to the guard's screen, each with its state. */
function Checks({ walk: { seen, telaMs, andamento }, eventos, drawing }: ChecksProps) {
  const { t } = useTranslation()
  const shapeName = useShapeName()
  const label = useLabelName()
  const tipos = [...new Set(eventos.map(({ tipo }) => textsOfIa(tipo).titulo))].join(', ')
  const zones = drawing.zonas.map((_zone, index) => ({
    key: `zona ${index}`,
    done: seen.zonas.includes(index),
    text: t('camera.prova.zona', { nome: shapeName(drawing, { kind: 'zona', index }) }),
  }))
  const steps = [
    {
      key: 'visto',
      done: seen.rotulos.length > 0,
      text:
        seen.rotulos.length > 0
          ? t('camera.prova.visto', { rotulos: seen.rotulos.map(label).join(', ') })
          : t('camera.prova.nadaVisto'),
    },
    ...zones,
    {
      key: 'evento',
      done: eventos.length > 0,
      text: eventos.length > 0 ? t('camera.prova.evento', { tipos }) : t('camera.prova.semEvento'),
    },
    {
      key: 'alerta',
      done: telaMs !== null,
      text: telaMs === null ? t('camera.prova.semAlerta') : t('camera.prova.alerta', { tempo: formatDuration(telaMs) }),
    },
    {
      key: 'entrega',
      done: andamento?.passo_falho === null,
      text:
        andamento?.passo_falho === null
          ? t(`camera.prova.desfecho.${andamento.desfecho}`)
          : t('camera.prova.semEntrega'),
    },
  ]
  return (
    <ul className={classes.checks} aria-label={t('camera.prova.passos')} aria-live="polite">
      {steps.map(({ key, done, text }) => (
        <li key={key} data-done={done || undefined}>
          {done ? (
            <IconCircleCheck size={20} aria-label={t('camera.prova.feito')} />
          ) : (
            <IconCircle size={20} aria-label={t('camera.prova.falta')} />
          )}
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
