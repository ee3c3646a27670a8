import { IconBellOff, IconPhotoOff, IconUserCheck } from '@tabler/icons-react'
import type { Incidente } from '@vigia/contracts/incidentes'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatAge, formatClock } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useIncidenteWords } from '../../../domains/eventos/alertas/use-verdict-words.ts'
import { AnswerTrace } from '../../../domains/eventos/incidentes/answer-trace.tsx'
import { useIncidenteTitle } from '../../../live/incidente-title.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { Plate } from '../../../ui/plate.tsx'
import classes from './fila-row.module.css'

interface FilaRowProps {
  readonly incidente: Incidente
  /** The login sees several Empresas. */
  readonly namesEmpresa: boolean
  readonly isSelected: boolean
  readonly onSelect: (id: number) => void
}

/** One incidente of the queue. Its height is the same in every state, so that an answer moves no other row. */
export const FilaRow = memo(({ incidente, namesEmpresa, isSelected, onSelect }: FilaRowProps) => {
  const { t } = useTranslation()
  const { nome, fuso } = useEmpresa(incidente.empresa_id)
  const titulo = useIncidenteTitle()(incidente)
  const { assumido, atendimento, camera_nome, gravidade, placa, silenciado, veredito } = incidente
  const where = namesEmpresa && nome !== null ? `${nome} · ${camera_nome}` : camera_nome
  return (
    <button
      type="button"
      className={classes.row}
      data-gravidade={gravidade}
      data-feito={atendimento !== null || veredito === 'refutado' || undefined}
      aria-current={isSelected}
      onClick={() => onSelect(incidente.id)}
    >
      <Thumbnail url={incidente.capa_url} />
      <span className={classes.body}>
        <span className={classes.line}>
          <span className={classes.severity}>{t(`alertas.gravidade.${gravidade}`)}</span>
          <span className={classes.title} title={titulo}>
            {titulo}
          </span>
          <Age incidente={incidente} fuso={fuso} />
        </span>
        <span className={classes.line}>
          {placa && <Plate>{placa.texto}</Plate>}
          <span className={classes.where} title={where}>
            {where}
          </span>
          {silenciado && <IconBellOff size={14} role="img" aria-label={t('plantao.incidente.silenciado')} />}
          {assumido && atendimento === null && (
            <IconUserCheck size={14} role="img" aria-label={t('plantao.assumir.de', { por: assumido.por })} />
          )}
        </span>
        <State incidente={incidente} fuso={fuso} />
      </span>
    </button>
  )
})

/** Time since the first event. An uncertain time has no age. */
function Age({ incidente: { inicio, hora_incerta }, fuso }: { incidente: Incidente; fuso: Fuso }) {
  const { t } = useTranslation()
  const now = useNow()
  return (
    <time className={classes.age} dateTime={inicio} title={formatClock(inicio, fuso)}>
      {hora_incerta ? t('horaIncerta.curta') : formatAge(inicio, now)}
    </time>
  )
}

function State({ incidente, fuso }: { incidente: Incidente; fuso: Fuso }) {
  const words = useIncidenteWords()(incidente)
  return (
    <span className={classes.state}>
      {incidente.atendimento === null ? words : <AnswerTrace atendimento={incidente.atendimento} fuso={fuso} />}
    </span>
  )
}

function Thumbnail({ url }: { url: string | null }) {
  const [failed, setFailed] = useState<string | null>(null)
  return (
    <span className={classes.picture}>
      {url === null || failed === url ? (
        <IconPhotoOff size={18} aria-hidden="true" />
      ) : (
        <img src={url} alt="" loading="lazy" decoding="async" onError={() => setFailed(url)} />
      )}
    </span>
  )
}
