import { IconPencil, IconRoute } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Passagem } from '@vigia/contracts/passagens'
import { useTranslation } from 'react-i18next'
import { formatFull, formatWhen } from '../../base/tempo/format-time.ts'
import { useNow } from '../../base/tempo/use-now.ts'
import { useWhen } from '../../base/tempo/use-when.ts'
import { useEmpresa } from '../../session/use-empresa.ts'
import { Card, CardControls, CardFacts, CardSoft } from '../../ui/card.tsx'
import { CardButton } from '../../ui/card-buttons.tsx'
import { certaintyOf } from './certainty.ts'
import classes from './placas.module.css'

/** Card of one passage: picture, plate, list, camera and time. */
export function PassagemCard({
  passagem,
  onCorrect,
  onPercurso,
}: {
  passagem: Passagem
  onCorrect: () => void
  onPercurso: () => void
}) {
  const { t } = useTranslation()
  const now = useNow()
  const {
    placa,
    situacao,
    confianca,
    camera_nome,
    local,
    sentido,
    ocorrido_em,
    hora_incerta,
    fim,
    evento_id,
    correcao,
    veiculo,
    cor,
  } = passagem
  const { fuso } = useEmpresa(passagem.empresa_id)
  const uncertain = useWhen()
  const when =
    hora_incerta === undefined
      ? formatWhen(ocorrido_em, now, fuso)
      : uncertain({ em: ocorrido_em, incerta: hora_incerta }, fuso, formatFull)
  const text = placa ?? t('placas.semPlaca')
  const candidatas = passagem.candidatas.map((one) => one.placa).slice(0, 3)
  return (
    <Card aria-label={text}>
      {passagem.foto_url !== null && (
        <img className={classes.photo} src={passagem.foto_url} alt={t('placas.foto', { placa: text })} loading="lazy" />
      )}
      <h3 className={classes.plate} translate="no">
        {text}
      </h3>
      {situacao !== null && (
        <p className={classes.tag} data-situacao={situacao}>
          {t(`placas.situacao.${situacao}`)}
        </p>
      )}
      {correcao !== null && (
        <CardSoft>
          {t('placas.correcao.de', { por: correcao.por, placa: correcao.placa_lida ?? t('placas.semPlaca') })}
        </CardSoft>
      )}
      {correcao === null && confianca !== null && <CardSoft>{t(`placas.certeza.${certaintyOf(confianca)}`)}</CardSoft>}
      {passagem.portao_em !== null && <CardSoft>{t('placas.portao.pedido')}</CardSoft>}
      {placa === null && candidatas.length > 0 && (
        <CardSoft>{t('placas.talvez', { placas: candidatas.join(', ') })}</CardSoft>
      )}
      <p>{[camera_nome, local, sentido && t(`placas.sentido.${sentido}`)].filter(Boolean).join(' · ')}</p>
      <CardFacts>
        {[veiculo && t(`placas.veiculo.${veiculo}`), cor && t(`placas.cor.${cor}`), when].filter(Boolean).join(' · ')}
        {fim === null && ` · ${t('placas.aindaLa')}`}
      </CardFacts>
      {evento_id !== null && (
        <Link to="/eventos/$id" params={{ id: evento_id }} className={classes.link}>
          {t('placas.verAlerta')}
        </Link>
      )}
      <CardControls>
        <CardButton icon={IconPencil} label={t('placas.correcao.rotulo', { placa: text })} onClick={onCorrect}>
          {t('placas.correcao.corrigir')}
        </CardButton>
        {placa !== null && (
          <CardButton icon={IconRoute} label={t('placas.percurso.rotulo', { placa })} onClick={onPercurso}>
            {t('placas.percurso.ver')}
          </CardButton>
        )}
      </CardControls>
    </Card>
  )
}
