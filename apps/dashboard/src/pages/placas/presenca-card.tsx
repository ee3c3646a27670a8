import { IconLogout } from '@tabler/icons-react'
import type { Presenca } from '@vigia/contracts/presencas'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatWhen } from '../../base/tempo/format-time.ts'
import { useNow } from '../../base/tempo/use-now.ts'
import { useEmpresa } from '../../session/use-empresa.ts'
import { Card, CardAlarm, CardControls, CardFacts } from '../../ui/card.tsx'
import { CardButton } from '../../ui/card-buttons.tsx'
import classes from './placas.module.css'

/** Card of a vehicle that is inside. */
export function PresencaCard({ presenca, onLeft }: { presenca: Presenca; onLeft: () => void }) {
  const { t } = useTranslation()
  const now = useNow()
  const { placa, local, situacao, entrada, permanencia_s, sem_saida, foto_url } = presenca
  const { nome: empresa, fuso } = useEmpresa(presenca.empresa_id)
  const quando = formatWhen(entrada.ocorrido_em, now, fuso)
  const Since = sem_saida ? CardAlarm : CardFacts
  return (
    <Card aria-label={placa}>
      {foto_url !== null && (
        <img className={classes.photo} src={foto_url} alt={t('placas.foto', { placa })} loading="lazy" />
      )}
      <h3 className={classes.plate} translate="no">
        {placa}
      </h3>
      {situacao !== null && (
        <p className={classes.tag} data-situacao={situacao}>
          {t(`placas.situacao.${situacao}`)}
        </p>
      )}
      <p>{[local, empresa].filter(Boolean).join(' · ')}</p>
      <Since>
        {sem_saida
          ? t('placas.presentes.semSaida', { quando })
          : t('placas.presentes.desde', { quando, tempo: formatDuration(permanencia_s * 1_000) })}
      </Since>
      <CardControls>
        <CardButton icon={IconLogout} label={t('placas.presentes.saiuRotulo', { placa })} onClick={onLeft}>
          {t('placas.presentes.saiu')}
        </CardButton>
      </CardControls>
    </Card>
  )
}
