import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatFull } from '../../../base/tempo/format-time.ts'
import { useIncidenteTitle } from '../../../live/incidente-title.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { Plate } from '../../../ui/plate.tsx'
import type { Entrada } from './entries.ts'
import classes from './livro.module.css'

/** One line of the book: time, who, what. */
export function LivroRow({ entrada, namesEmpresa }: { entrada: Entrada; namesEmpresa: boolean }) {
  const { t } = useTranslation()
  const owner = entrada.tipo === 'resposta' ? entrada.resposta.incidente.empresa_id : entrada.passagem.empresa_id
  const { nome, fuso } = useEmpresa(owner)
  const title = useIncidenteTitle()
  const customer = namesEmpresa ? nome : null
  const time = (
    <time dateTime={entrada.em} className={classes.time}>
      {formatFull(entrada.em, fuso)}
    </time>
  )
  if (entrada.tipo === 'passagem')
    return (
      <article className={classes.row} data-tipo="passagem">
        {time}
        <span className={classes.who}>{entrada.passagem.autor}</span>
        <p className={classes.what}>
          <strong>{t('livro.passagem')}</strong>
          {customer !== null && ` · ${customer}`}
        </p>
        <p className={classes.note}>{entrada.passagem.texto}</p>
      </article>
    )
  const { atendimento, incidente } = entrada.resposta
  return (
    <article className={classes.row}>
      {time}
      <span className={classes.who}>{atendimento.revisor}</span>
      <p className={classes.what}>
        <strong>{t(`plantao.resposta.${atendimento.resposta}`)}</strong> ·{' '}
        <Link to="/incidentes/$id" params={{ id: incidente.id }}>
          {title(incidente)}
        </Link>{' '}
        {incidente.placa && <Plate>{incidente.placa.texto}</Plate>} ·{' '}
        {[customer, incidente.camera_nome].filter(Boolean).join(' · ')}
      </p>
      {atendimento.nota !== null && <p className={classes.note}>{atendimento.nota}</p>}
    </article>
  )
}
