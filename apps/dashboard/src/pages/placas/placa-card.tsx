import { IconTrash } from '@tabler/icons-react'
import type { PlacaListada } from '@vigia/contracts/placas'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../../base/tempo/format-time.ts'
import { useNow } from '../../base/tempo/use-now.ts'
import { useEmpresa } from '../../session/use-empresa.ts'
import { Card, CardAlarm, CardControls, CardFacts, CardSoft } from '../../ui/card.tsx'
import { CardButton } from '../../ui/card-buttons.tsx'
import classes from './placas.module.css'

/** Card of a listed plate. @param onRemove null: this login may not change lists */
export function PlacaCard({ placa: listed, onRemove }: { placa: PlacaListada; onRemove: (() => void) | null }) {
  const { t } = useTranslation()
  const now = useNow()
  const { placa, lista, nota, dono, validade, vencida } = listed
  const { nome: empresa, fuso } = useEmpresa(listed.empresa_id)
  const Validity = vencida ? CardAlarm : CardFacts
  return (
    <Card aria-label={placa}>
      <h3 className={classes.plate} translate="no">
        {placa}
      </h3>
      <p className={classes.tag} data-situacao={lista}>
        {t(`placas.situacao.${lista}`)}
      </p>
      <p>{[dono, empresa].filter(Boolean).join(' · ')}</p>
      {nota !== null && <CardSoft>{nota}</CardSoft>}
      <Validity>
        {validade === null
          ? t('placas.listas.semFim')
          : t(vencida ? 'placas.listas.vencida' : 'placas.listas.ate', { data: formatDay(validade, now, fuso) })}
      </Validity>
      {onRemove !== null && (
        <CardControls>
          <CardButton icon={IconTrash} label={t('placas.listas.tirarRotulo', { placa })} onClick={onRemove}>
            {t('placas.listas.tirar')}
          </CardButton>
        </CardControls>
      )}
    </Card>
  )
}
