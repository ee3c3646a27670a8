import { IconBellOff, IconPhotoOff } from '@tabler/icons-react'
import type { Incidente } from '@vigia/contracts/incidentes'
import { memo, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AlertaTime } from '../../../domains/eventos/alertas/alerta-time.tsx'
import { SeverityTag } from '../../../domains/eventos/alertas/severity-tag.tsx'
import { useIncidenteWords } from '../../../domains/eventos/alertas/use-verdict-words.ts'
import { AnswerTrace } from '../../../domains/eventos/incidentes/answer-trace.tsx'
import { useIncidenteTitle } from '../../../live/incidente-title.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { Plate } from '../../../ui/plate.tsx'
import classes from './incidente-card.module.css'

interface IncidenteCardProps {
  readonly incidente: Incidente
  readonly isSelected: boolean
  readonly onSelect: (id: number) => void
}

/** One incidente of the queue. Its height is the same in every state, so that an answer moves no other card. */
export const IncidenteCard = memo(({ incidente, isSelected, onSelect }: IncidenteCardProps) => {
  const { t } = useTranslation()
  const { fuso } = useEmpresa(incidente.empresa_id)
  const titulo = useIncidenteTitle()(incidente)
  const words = useIncidenteWords()(incidente)
  const card = useRef<HTMLButtonElement>(null)
  const { atendimento, camera_nome, gravidade, hora_incerta, inicio, placa, silenciado, veredito } = incidente

  useEffect(() => {
    if (isSelected && card.current) keepInView(card.current)
  }, [isSelected])

  return (
    <button
      ref={card}
      type="button"
      className={classes.card}
      data-gravidade={gravidade}
      data-feito={atendimento !== null || veredito === 'refutado' || undefined}
      aria-current={isSelected}
      onClick={() => onSelect(incidente.id)}
    >
      <Thumbnail url={incidente.capa_url} />
      <span className={classes.body}>
        <span className={classes.line}>
          <SeverityTag gravidade={gravidade} />
          <span className={classes.title}>{titulo}</span>
          <AlertaTime iso={inicio} fuso={fuso} incerta={hora_incerta} />
        </span>
        <span className={classes.camera}>
          {placa && <Plate>{placa.texto}</Plate>}
          {camera_nome}
          {silenciado && <IconBellOff size={15} role="img" aria-label={t('plantao.incidente.silenciado')} />}
        </span>
        <span className={classes.state}>
          {atendimento !== null ? <AnswerTrace atendimento={atendimento} fuso={fuso} /> : words}
        </span>
      </span>
    </button>
  )
})

/** Scrolls the queue alone: `scrollIntoView` would also move the page, and with it the answers. */
function keepInView(card: HTMLElement): void {
  const list = card.closest<HTMLElement>('[data-fila]')
  if (!list || list.scrollHeight <= list.clientHeight) return
  const own = card.getBoundingClientRect()
  const seen = list.getBoundingClientRect()
  if (own.top < seen.top) list.scrollTop -= seen.top - own.top
  else if (own.bottom > seen.bottom) list.scrollTop += own.bottom - seen.bottom
}

function Thumbnail({ url }: { url: string | null }) {
  const [failed, setFailed] = useState<string | null>(null)
  if (url === null || failed === url) {
    return (
      <span className={classes.picture}>
        <IconPhotoOff size={20} aria-hidden="true" />
      </span>
    )
  }
  return (
    <span className={classes.picture}>
      <img src={url} alt="" loading="lazy" decoding="async" onError={() => setFailed(url)} />
    </span>
  )
}
