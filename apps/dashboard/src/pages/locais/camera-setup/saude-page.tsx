import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Quedas } from '../../../domains/eventos/quedas/quedas.tsx'
import { Lacunas } from '../../../domains/locais/cameras/lacuna-list.tsx'
import { LastFrame } from '../../../domains/locais/cameras/last-frame.tsx'
import { useCamera, useMayWrite } from '../../../domains/locais/cameras/use-camera.tsx'
import { useServices } from '../../../session/services.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { Soft } from '../../../ui/page.tsx'
import { Part } from '../../../ui/section.tsx'
import classes from './camera.module.css'
import {
  type Advice,
  adviceFor,
  iaOfLargePeople,
  PERSON_PX_GOOD,
  PERSON_PX_MIN,
  peopleHeightPx,
} from './camera-advice.ts'
import { eventosQuery } from './camera-queries.ts'
import { GravacaoContinua } from './gravacao-continua.tsx'
import { StreamFacts } from './stream-facts.tsx'
import { TransporteDoVideo } from './transporte-do-video.tsx'
import { UptimeSummary } from './uptime-summary.tsx'

/** Number of events whose people are measured. */
const MEASURED = 48

/** Tab that solves an advice; without an entry it is solved at the camera or the recorder. */
const tabs: Partial<Record<Advice, '/cameras/$id/o-que-vigia/zonas' | '/cameras/$id/o-que-vigia'>> = {
  semIa: '/cameras/$id/o-que-vigia',
  semLinha: '/cameras/$id/o-que-vigia/zonas',
}

/** Facts of the stream, advice, and the history of status and missing events. */
export function SaudePage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const camera = useCamera()
  const mayWrite = useMayWrite()
  const { data: eventos = [] } = useQuery(eventosQuery(api, camera.id, MEASURED))
  const seen = eventos.filter(({ veredito }) => veredito?.decisao !== 'refutado')
  const peoplePx = peopleHeightPx(seen, camera.resolucao)
  const advice = adviceFor(camera, peoplePx)
  const demanding = iaOfLargePeople(camera.eventos_habilitados)
  const figures = {
    px: peoplePx ?? 0,
    minimo: PERSON_PX_MIN,
    bom: PERSON_PX_GOOD,
    ia: demanding ? textsOfIa(demanding.nome).titulo : '',
    preciso: demanding?.px ?? 0,
    gop: formatNumber(camera.quadro_chave_s ?? 0, { maximumFractionDigits: 1 }),
    sem: formatNumber(Math.round(camera.sem_quadro_chave_s ?? 0)),
  }
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <Part aria-labelledby="conselhos">
          <h2 id="conselhos">{t('camera.saude.conselhos')}</h2>
          {camera.status_detalhe && (
            <Alert color={camera.status === 'offline' ? 'red' : 'yellow'} variant="light" role="alert">
              {camera.status_detalhe}
            </Alert>
          )}
          {advice.length === 0 && !camera.status_detalhe && <p>{t('camera.saude.tudoBem')}</p>}
          {advice.map((one) => (
            <Alert key={one} color="yellow" variant="light">
              {t(`camera.saude.conselho.${one}`, figures)}{' '}
              {mayWrite && tabs[one] && (
                <Link to={tabs[one]} params={{ id: String(camera.id) }} className={classes.link}>
                  {t('camera.saude.resolver')}
                </Link>
              )}
            </Alert>
          ))}
        </Part>
        <Part aria-labelledby="quedas">
          <h2 id="quedas">{t('quedas.daCamera')}</h2>
          <UptimeSummary camera={camera} />
          <Quedas
            filtro={{ empresa: null, edge: null, camera: camera.id, abertas: false }}
            named={false}
            none={<Soft>{t('quedas.nenhuma')}</Soft>}
          />
        </Part>
        <Part aria-labelledby="faltas">
          <h2 id="faltas">{t('cameras.faltas.titulo')}</h2>
          <Lacunas camera={camera} />
        </Part>
      </div>
      <div className={classes.side}>
        <section className={classes.card} aria-labelledby="video">
          <h2 id="video">{t('camera.saude.video')}</h2>
          <StreamFacts camera={camera} />
          <LastFrame camera={camera} />
          <p>{peoplePx === null ? t('camera.saude.semPessoas') : t('camera.saude.pessoas', { px: peoplePx })}</p>
        </section>
        <GravacaoContinua />
        <TransporteDoVideo />
      </div>
    </div>
  )
}
