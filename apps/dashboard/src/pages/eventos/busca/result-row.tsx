import { IconPhotoOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Evento } from '@vigia/contracts/eventos'
import type { HoraIncerta } from '@vigia/contracts/hora-incerta'
import type { Gravidade } from '@vigia/contracts/ias'
import type { Incidente } from '@vigia/contracts/incidentes'
import { motivoAcrescenta } from '@vigia/contracts/palavras-veredito'
import { memo, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAddress } from '../../../api/base-path.ts'
import { formatFull, formatMoment } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useWhen } from '../../../base/tempo/use-when.ts'
import { SeverityTag } from '../../../domains/eventos/alertas/severity-tag.tsx'
import { useIncidenteWords, useVerdictWords } from '../../../domains/eventos/alertas/use-verdict-words.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { pageLocale } from '../../../texts/locale.ts'
import { Wrapped } from '../../../ui/layout.tsx'
import classes from './busca.module.css'

interface RowProps {
  readonly titulo: string
  readonly link: (content: string) => ReactNode
  readonly picture: string | null
  readonly gravidade: Gravidade
  readonly empresa: number
  readonly camera: string
  /** ISO 8601. */
  readonly em: string
  readonly incerta: HoraIncerta | undefined
  readonly facts: readonly string[]
}

export const IncidenteResult = memo(({ incidente }: { incidente: Incidente }) => {
  const { t } = useTranslation()
  const words = useIncidenteWords()(incidente)
  const { tipos, capa_evento_id, atendimento, eventos, veredito } = incidente
  const titles = tipos.map((tipo) => textsOfIa(tipo).titulo)
  const answer = atendimento && {
    resposta: t(`busca.respostas.${atendimento.resposta}`),
    revisor: atendimento.revisor,
    nota: atendimento.nota ?? '',
  }
  return (
    <Row
      titulo={titles.length === 0 ? t('busca.semTipo') : new Intl.ListFormat(pageLocale()).format(titles)}
      link={(text) => (
        <Link to="/incidentes/$id" params={{ id: incidente.id }} className={classes.open}>
          {text}
        </Link>
      )}
      picture={incidente.capa_url && ownAddress(`/api/v1/crops/${capa_evento_id}`)}
      gravidade={incidente.gravidade}
      empresa={incidente.empresa_id}
      camera={incidente.camera_nome}
      em={incidente.inicio}
      incerta={incidente.hora_incerta}
      facts={[
        incidente.prova ? t('alertas.prova') : '',
        words,
        t('busca.eventosNoIncidente', { count: eventos }),
        answer
          ? t(answer.nota === '' ? 'busca.resposta' : 'busca.respostaComNota', answer)
          : veredito === 'refutado'
            ? ''
            : t('busca.semResposta'),
      ]}
    />
  )
})

const reasonOf = ({ veredito }: Evento): string => (veredito && motivoAcrescenta(veredito) ? veredito.motivo : '')

export const EventoResult = memo(({ evento }: { evento: Evento }) => {
  const { t } = useTranslation()
  const words = useVerdictWords()
  return (
    <Row
      titulo={textsOfIa(evento.tipo).titulo}
      link={(text) => (
        <Link to="/eventos/$id" params={{ id: evento.id }} className={classes.open}>
          {text}
        </Link>
      )}
      picture={evento.crop_url}
      gravidade={evento.gravidade}
      empresa={evento.empresa_id}
      camera={evento.camera_nome}
      em={evento.ocorrido_em}
      incerta={evento.hora_incerta}
      facts={[
        evento.prova ? t('alertas.prova') : '',
        words(evento),
        reasonOf(evento),
        evento.clip_url === null ? '' : t('busca.comClipe'),
      ]}
    />
  )
})

/** One result: picture, title, camera, time and facts. The whole row opens the record. */
function Row({ titulo, link, picture, gravidade, empresa, camera, em, incerta, facts }: RowProps) {
  const { nome, fuso } = useEmpresa(empresa)
  const { t } = useTranslation()
  const now = useNow()
  const when = useWhen()
  return (
    <li className={classes.row}>
      <Thumbnail url={picture} />
      <Wrapped>
        <p className={classes.title}>
          {link(titulo)} <SeverityTag gravidade={gravidade} />
        </p>
        <p className={classes.camera}>{[camera, nome].filter(Boolean).join(' · ')}</p>
        <p className={classes.soft}>{facts.filter((fact) => fact !== '').join(' · ')}</p>
      </Wrapped>
      <time className={classes.time} dateTime={em} title={when({ em, incerta }, fuso, formatFull)}>
        {incerta ? t('horaIncerta.curta') : formatMoment(em, now, fuso)}
      </time>
    </li>
  )
}

function Thumbnail({ url }: { url: string | null }) {
  const [failed, setFailed] = useState(false)
  return (
    <div className={classes.picture}>
      {url === null || failed ? (
        <IconPhotoOff size={22} aria-hidden="true" />
      ) : (
        <img src={url} alt="" loading="lazy" decoding="async" onError={() => setFailed(true)} />
      )}
    </div>
  )
}
