import { IconTrash } from '@tabler/icons-react'
import type { Chave } from '@vigia/contracts/chaves'
import { useTranslation } from 'react-i18next'
import { formatDay, formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useAlcanceText } from '../../../session/use-alcance-text.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { Card, CardAlarm, CardControls, CardFacts, CardName, CardSoft } from '../../../ui/card.tsx'
import { CardButton } from '../../../ui/card-buttons.tsx'

/** Card of one chave: rights, Empresa, expiry and last use. */
export function ChaveCard({ chave, onRemove }: { chave: Chave; onRemove: () => void }) {
  const { t } = useTranslation()
  const now = useNow()
  const { nome, escopo, empresa_id, inicio, validade, criada_em, usada_em } = chave
  const alcanceText = useAlcanceText()
  const { fuso } = useEmpresa(empresa_id)
  const ended = validade !== null && Date.parse(validade) <= now
  const Validity = ended ? CardAlarm : CardFacts
  return (
    <Card aria-label={nome}>
      <CardName as="h3">
        <bdi>{nome}</bdi>
      </CardName>
      <p>{[t(`chaves.escopo.${escopo}`), alcanceText(chave)].join(' · ')}</p>
      <Validity>
        {validade === null
          ? t('chaves.semFim')
          : t(ended ? 'chaves.vencida' : 'chaves.ate', { data: formatDay(validade, now, fuso) })}
      </Validity>
      <CardFacts>
        {t('chaves.criada', { quando: formatWhen(criada_em, now, fuso) })}
        {' · '}
        {usada_em === null ? t('chaves.nuncaUsada') : t('chaves.usada', { quando: formatWhen(usada_em, now, fuso) })}
      </CardFacts>
      <CardSoft translate="no">{t('chaves.comeca', { inicio })}</CardSoft>
      <CardControls>
        <CardButton icon={IconTrash} label={t('chaves.apagarRotulo', { nome })} onClick={onRemove}>
          {t('chaves.apagar')}
        </CardButton>
      </CardControls>
    </Card>
  )
}
